"""Three players of Kings Corners: one random, one who never waits, one who thinks a little."""

from collections.abc import Sequence
from random import Random
from typing import assert_never

from fairdeal.domain.kings_corners.cards import CARD_NAMED, PILE_NAMED, is_foundation
from fairdeal.domain.kings_corners.moves import END_TURN, EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.views import KingsCornersView


def random(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, ending the turn included."""
    return rng.choice(moves)


def greedy(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Acts while it can, at random."""
    actions = [move for move in moves if not isinstance(move, EndTurn)]
    return rng.choice(actions) if actions else END_TURN


def sensible(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """King to a corner, then pile moves, then building, then the highest card into a gap."""
    return min(moves, key=lambda move: _order(view, move))


def _order(view: KingsCornersView, move: Move) -> tuple[int, int]:
    match move:
        case PlayCard():
            card, pile = CARD_NAMED[move.card], PILE_NAMED[move.pile]
            if view.pile(pile):
                return 2, -card.rank
            return (3, -card.rank) if is_foundation(pile) else (0, 0)
        case MovePile():
            return 1, 0
        case EndTurn():
            return 4, 0
        case _:
            assert_never(move)
