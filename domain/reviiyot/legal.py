"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Sequence

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.reviiyot.moves import SMALL_TABLE, Move, asks, remembered_asks
from fairdeal.domain.reviiyot.state import Reviiyot


def active(state: Reviiyot) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: Reviiyot, seat: Seat) -> list[Move]:
    """Every value in the hand, in ascending order, from every other seat."""
    if state.over or seat != state.turn:
        return []
    seats = len(state.hands)
    of_all_others = remembered_asks if seats <= SMALL_TABLE else asks
    moves: list[Move] = []
    for value in state.values(seat):
        moves += of_all_others(seat, seats, value)
    return moves


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The lowest value is asked of the first of the others."""
    return moves[0]
