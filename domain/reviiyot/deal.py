"""How a game of Reviiyot begins: with the deal, or from a position laid out by hand."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.reviiyot.cards import HAND_SIZE, HIGHEST_HOUSE_N, deck_size, pack_of
from fairdeal.domain.reviiyot.events import CardsDealt, PositionLaid
from fairdeal.domain.reviiyot.options import HIGHEST_USUAL_N, ReviiyotOptions
from fairdeal.domain.reviiyot.refusals import Refusal
from fairdeal.domain.reviiyot.rules import discard_sets
from fairdeal.domain.reviiyot.state import Reviiyot


def deal(draft: Draft[Reviiyot], chance: Chance, given: tuple[str, ...] | None) -> None:
    state = draft.state
    must_suffice(state.n, len(state.hands))
    if given is None:
        must_be_shuffled(state.n)
        given = chance.shuffle(0, pack_of(state.n).cards)
    else:
        must_be_full_deck(state.n, given)
    draft.say(CardsDealt(0, given))
    for seat in range(len(state.hands)):
        discard_sets(draft, seat, state.hand(seat))


def must_suffice(n: int, seats: int) -> None:
    if deck_size(n) < seats * HAND_SIZE:
        raise refusal(
            HouseRefusal.PLAYER_COUNT,
            f"A deck of {deck_size(n)} cards is too small: each of {seats} players gets seven.",
        )


def must_be_shuffled(n: int) -> None:
    if n > HIGHEST_HOUSE_N:
        raise refusal(Refusal.BAD_N, f"A deck that is shuffled here has no number above {HIGHEST_HOUSE_N}.")


def must_be_full_deck(n: int, given: tuple[str, ...]) -> None:
    # The length comes first: a huge N must not have its deck built.
    if len(given) != deck_size(n) or set(given) != set(pack_of(n).cards):
        raise refusal(HouseRefusal.BAD_DECK, f"A given deck holds each of the {deck_size(n)} cards once.")


def check_size(options: ReviiyotOptions, position: PositionLaid | None, seats: int) -> None:
    n = options.n if position is None else position.n
    most = max(HIGHEST_USUAL_N, 4 * seats)
    if n > most:
        raise refusal(Refusal.BAD_N, f"The highest number of the deck at a usual table is {most} at most, not {n}.")


def check_position(seats: int, position: PositionLaid) -> None:
    """Hands that play would not give are welcome, for puzzles; a table that cannot go on is not."""
    cards = [card for place in (*position.hands, position.deck) for card in place]
    if not 1 <= position.n <= HIGHEST_HOUSE_N or not pack_of(position.n).places.keys() >= set(cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position shows cards of its deck.")
    if len(set(cards)) != len(cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position has no card twice.")
    if len(position.hands) != seats or not all(position.hands) or position.turns < 0:
        raise refusal(HouseRefusal.BAD_POSITION, "A position has cards for every seat.")
