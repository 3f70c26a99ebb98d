"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Sequence

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.reviiyot.moves import SMALL_TABLE, AsksAtALargeTable, Move, asks
from fairdeal.domain.reviiyot.state import Reviiyot


def active(state: Reviiyot) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: Reviiyot, seat: Seat) -> Sequence[Move]:
    """Every value in the hand, in ascending order, from every other seat."""
    if state.over or seat != state.turn:
        return []
    seats = len(state.hands)
    if seats > SMALL_TABLE:
        return AsksAtALargeTable(seat, seats, state.values(seat))
    moves: list[Move] = []
    for value in state.values(seat):
        moves += asks(seat, seats, value)
    return moves


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The lowest value is asked of the first of the others."""
    return moves[0]
