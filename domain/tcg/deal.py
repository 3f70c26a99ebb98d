"""How a trading card game begins: both decks checked and shuffled, a first player, two hands."""

from collections.abc import Sequence

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.errors import HouseRefusal, refusal
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.cards import Card, numbered_card
from fairdeal.domain.tcg.decks import DEFAULT_DECK, build_deck, cards_to_shuffle, expanded, must_be_allowed
from fairdeal.domain.tcg.documents import Fault, FaultCode, InvalidDeck
from fairdeal.domain.tcg.events import DeckShuffled, HandDealt, StartingPlayerChosen
from fairdeal.domain.tcg.rules import begin_turn
from fairdeal.domain.tcg.state import Tcg

SEATS = (0, 1)
FIRST_PLAYER_PICK = 2
"""The decks are shuffled with the numbers of their seats; then comes this draw."""

GivenDecks = tuple[tuple[str, ...], ...]
"""For each seat its cards in the order in which they will be drawn."""


def deal(draft: Draft[Tcg], chance: Chance, given: GivenDecks | None) -> None:
    """All checks come before the first event: if one deck is refused nothing starts (RULES 9.6)."""
    state = draft.state
    orders = shuffled(state, chance) if given is None else must_be_orders(state, given)
    for seat in SEATS:
        draft.say(DeckShuffled(seat, seat, numbered(orders[seat], seat * state.options.deck_size)))
    first = choose_first(draft, chance)
    for seat, count in ((first, 0), (1 - first, state.options.second_bonus)):
        draft.say(HandDealt(seat, state.sides[seat].deck[: state.options.hand_start + count]))
    begin_turn(draft, first)


def shuffled(state: Tcg, chance: Chance) -> GivenDecks:
    decks = [cards_of(state, seat) for seat in SEATS]
    return tuple(chance.shuffle(seat, decks[seat]) for seat in SEATS)


def cards_of(state: Tcg, seat: Seat) -> tuple[str, ...]:
    """What the seat plays: what it brought, else the default deck."""
    return cards_to_shuffle(state.brought[seat] or DEFAULT_DECK, state.options, f"The deck of seat {seat}")


def must_be_orders(state: Tcg, given: GivenDecks) -> GivenDecks:
    if len(given) != len(SEATS):
        raise refusal(HouseRefusal.BAD_DECK, "Both decks must be given, in the order in which they are drawn.")
    for seat, order in zip(SEATS, given, strict=True):
        whose = f"The deck of seat {seat}"
        brought = state.brought[seat]
        if brought is not None and sorted(order) != sorted(expanded(brought, state.options.pool)):
            raise InvalidDeck(whose, [Fault(FaultCode.MALFORMED, "the given order is not one of the deck brought")])
        must_be_allowed(build_deck("Given", order, state.options.pool), state.options, whose)
    return given


def numbered(order: Sequence[str], start: int) -> tuple[Card, ...]:
    """Numbers follow the place in the shuffled deck, so that they say nothing about the card."""
    return tuple([numbered_card(number, name) for number, name in enumerate(order, start)])


def choose_first(draft: Draft[Tcg], chance: Chance) -> Seat:
    named = draft.state.options.first
    if named is not None:
        draft.say(StartingPlayerChosen(named, None))
        return named
    drawn = chance.pick(FIRST_PLAYER_PICK, len(SEATS))
    draft.say(StartingPlayerChosen(drawn, FIRST_PLAYER_PICK))
    return drawn
