"""A turn of Reviiyot: somebody asks, cards are given or drawn, full sets are discarded (RULES 4 to 7)."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.reviiyot.events import CardsGiven, cards_asked, cards_drawn, set_discarded
from fairdeal.domain.reviiyot.guards import must_be_another_seat, must_be_turn, must_hold
from fairdeal.domain.reviiyot.moves import Move
from fairdeal.domain.reviiyot.state import Reviiyot

WON = "won"
STALLED = "stalled"


def decide(draft: Draft[Reviiyot], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    must_be_turn(state, seat)
    must_be_another_seat(state, seat, move.seat)
    must_hold(state, seat, move.value)
    take_turn(draft, seat, move.seat, move.value)
    end_if_over(draft, seat, move.seat)


def take_turn(draft: Draft[Reviiyot], seat: Seat, asked: Seat, value: str) -> None:
    """Give, draw, discard (RULES 4)."""
    state = draft.state
    draft.say(cards_asked(seat, asked, value))
    given = state.cards_of(asked, value)
    if not given:
        discard_sets(draft, seat, draw(draft, seat, 1))
        return
    draft.say(CardsGiven(asked, seat, value, given))
    # RULES 4.3: whoever has given their last card away draws nothing, however full the deck is.
    drawn = draw(draft, asked, len(given)) if state.hands[asked] else ()
    discard_sets(draft, seat, given)
    discard_sets(draft, asked, drawn)


def draw(draft: Draft[Reviiyot], seat: Seat, count: int) -> tuple[str, ...]:
    cards = draft.state.top(count)
    if cards:
        draft.say(cards_drawn(seat, cards))
    return cards


def discard_sets(draft: Draft[Reviiyot], seat: Seat, came: tuple[str, ...]) -> None:
    """The sets that the cards just taken up have completed, in ascending order."""
    for value in draft.state.sets_with(seat, came):
        draft.say(set_discarded(seat, value))


def end_if_over(draft: Draft[Reviiyot], seat: Seat, asked: Seat) -> None:
    """Only the two who took part in the turn can be without cards (RULES 6)."""
    state = draft.state
    if not (state.hands[seat] and state.hands[asked]):
        winners = tuple(one for one in sorted((seat, asked)) if not state.hands[one])
        draft.say(GameFinished(winners, (), WON))
    elif state.failures >= state.patience:
        draft.say(GameFinished((), (), STALLED))
