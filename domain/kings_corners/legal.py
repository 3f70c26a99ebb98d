"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Mapping, Sequence

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kings_corners.cards import FOLLOWERS, FOUNDATIONS, KINGS, Pile
from fairdeal.domain.kings_corners.moves import END_TURN, PLAYS, SHIFTS, Move
from fairdeal.domain.kings_corners.state import KingsCorners


def active(state: KingsCorners) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: KingsCorners, seat: Seat) -> list[Move]:
    """What the guards would let pass, found pile by pile instead of by trying everything."""
    if state.over or seat != state.turn:
        return []
    hand, piles = state.hands[seat], state.piles
    # The cards that can go somewhere, each with the moves that take it there: those in the hand, and
    # the bottoms of the foundations with all that lies on them. A corner's king never leaves it.
    ways: dict[Card, Mapping[Pile, Move]] = {card: PLAYS[card] for card in hand}
    for source in FOUNDATIONS:
        if piles[source]:
            ways[piles[source][0]] = SHIFTS[source]
    moves: list[Move] = []
    for pile, lying in piles.items():
        fitting: Sequence[Card] = KINGS
        if lying:
            fitting = FOLLOWERS[lying[-1]]
        elif pile in FOUNDATIONS:
            fitting = hand
        for card in fitting:
            if card in ways:
                moves.append(ways[card][pile])
    moves.append(END_TURN)
    return moves


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The turn ends."""
    return END_TURN
