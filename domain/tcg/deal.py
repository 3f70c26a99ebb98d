"""How a trading card game begins: both decks checked and shuffled, a first player, two hands."""

from collections.abc import Sequence

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, refusal
from fairdeal.domain.tcg.cards import Card, numbered_card
from fairdeal.domain.tcg.decks import build_deck, cards_to_shuffle, expanded, must_be_allowed
from fairdeal.domain.tcg.events import (
    CardsDefined,
    DeckShuffled,
    HandDealt,
    PositionLaid,
    SideLaid,
    StartingPlayerChosen,
)
from fairdeal.domain.tcg.options import cards_allowed
from fairdeal.domain.tcg.pool import faults_in_pool
from fairdeal.domain.tcg.refusals import DeckFault, FaultCode, InvalidDeck
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
    draft.say(CardsDefined(cards_allowed(state.options)))
    for seat in SEATS:
        draft.say(DeckShuffled(seat, seat, numbered(orders[seat], seat * state.options.deck_size)))
    first = choose_first(draft, chance)
    for seat, count in ((first, 0), (1 - first, state.options.second_bonus)):
        draft.say(HandDealt(seat, state.sides[seat].deck[: state.options.hand_start + count]))
    begin_turn(draft, first)


def shuffled(state: Tcg, chance: Chance) -> GivenDecks:
    decks = [cards_to_shuffle(state.brought[seat], state.options, seat) for seat in SEATS]
    return tuple(chance.shuffle(seat, decks[seat]) for seat in SEATS)


def must_be_orders(state: Tcg, given: GivenDecks) -> GivenDecks:
    if len(given) != len(SEATS):
        raise refusal(HouseRefusal.BAD_DECK, "Both decks must be given, in the order in which they are drawn.")
    for seat, order in zip(SEATS, given, strict=True):
        whose = f"The deck of seat {seat}"
        brought = state.brought[seat]
        if brought is not None and sorted(order) != sorted(expanded(brought, state.options.cards)):
            raise InvalidDeck(whose, [DeckFault(FaultCode.MALFORMED, "the given order is not one of the deck brought")])
        must_be_allowed(build_deck("Given", order, state.options.cards), state.options, whose)
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


def check_position(seats: int, position: PositionLaid) -> None:
    """Boards and hands that play would not give are welcome, for puzzles; a table that cannot go on is not."""
    if len(position.sides) != seats or position.active not in SEATS:
        raise _bad_position("it has a side for each seat, and one of them is active")
    faults = faults_in_pool(position.cards)
    if faults:
        raise _bad_position("; ".join(fault.message for fault in faults))
    cards = [card for side in position.sides for card in _cards(side)]
    known = {definition.id for definition in position.cards}
    if any(card is None or card.id not in known for card in cards):
        raise _bad_position("it says what is printed on each of its cards and shows them all")
    if len(set(cards)) != len(cards):
        raise _bad_position("no two cards have the same number and name")


def _cards(side: SideLaid) -> list[Card | None]:
    return [*side.hand, *side.deck, *side.discard, *(minion.card for minion in side.board)]


def _bad_position(rule: str) -> IllegalMove:
    return refusal(HouseRefusal.BAD_POSITION, f"This position cannot be played: {rule}.")
