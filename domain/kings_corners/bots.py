"""Three players of Kings Corners: one random, one who never waits, one who thinks a little."""

from collections.abc import Sequence
from random import Random

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kings_corners.cards import KING, PILES, Pile
from fairdeal.domain.kings_corners.moves import END_TURN, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.views import KingsCornersView


def random(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, ending the turn included."""
    return rng.choice(moves)


def greedy(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Acts while it can, at random."""
    actions = [move for move in moves if move is not END_TURN]
    return rng.choice(actions) if actions else END_TURN


def sensible(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """King to a corner, then pile moves, then building, then the highest card into a gap."""
    return min(moves, key=lambda move: _urgency(view, move))


def _urgency(view: KingsCornersView, move: Move) -> tuple[int, int]:
    match move:
        case PlayCard(card=Card() as card, pile=Pile() as pile):
            if view.piles[PILES.index(pile)].cards:
                return 2, -card.rank
            if pile not in PILES[:4] and card.rank == KING:
                return 0, 0
            return 3, -card.rank
        case MovePile():
            return 1, 0
        case _:
            return 4, 0
