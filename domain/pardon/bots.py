"""Two players of Pardon: one random, one who is careful with its best cards."""

from collections.abc import Sequence
from random import Random

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.pardon.cards import HEIGHT, TEN, THREE, TWO
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TurnFaceDown
from fairdeal.domain.pardon.views import PardonView

PATIENCE = 60
"""Actions without progress after which the careful one plays at random: by plan it could go round for ever."""

DEAREST = (THREE, TWO, TEN)
"""The cards that always help, from dear to dearest."""


def random(view: PardonView, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, taking the table included."""
    return rng.choice(moves)


def careful(view: PardonView, moves: Sequence[Move], rng: Random) -> Move:
    """Its best cards face up; then the lowest that will do, all of a rank at once, and 2, 3, 10 one by one in need."""
    if view.idle >= PATIENCE:
        return rng.choice(moves)
    blind = [move for move in moves if isinstance(move, TurnFaceDown)]
    return rng.choice(blind) if blind else max(moves, key=_sense)


def _sense(move: Move) -> tuple[int, int]:
    match move:
        case ChooseFaceUp():
            return sum(_worth(Card(name)) for name in move.cards), 0
        case PlayCards():
            card, count = Card(move.cards[0]), len(move.cards)
            return -_worth(card), -count if card.rank in DEAREST else count
        case _:
            return -100, 0


def _worth(card: Card) -> int:
    return 20 + DEAREST.index(card.rank) if card.rank in DEAREST else HEIGHT[card.rank]
