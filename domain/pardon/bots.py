"""Players of Pardon: one random, one who is careful with its best cards, one who looks ahead."""

from collections.abc import Sequence
from functools import cache, partial
from random import Random

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.pardon.cards import HEIGHT, TEN, THREE, TWO
from fairdeal.domain.pardon.legal import active, legal
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TurnFaceDown
from fairdeal.domain.pardon.rules import decide
from fairdeal.domain.pardon.state import EVOLVE, Pardon
from fairdeal.domain.pardon.views import PardonView
from fairdeal.domain.pardon.worlds import imagine

PATIENCE = 60
"""Actions without progress after which the careful one plays at random: by plan it could go round for ever."""

CONSIDERED = 4
"""Moves that the strong one thinks about; what looks worse is rarely good, and time is short."""

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


@cache
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


def strong(view: PardonView, moves: Sequence[Move], rng: Random) -> Move:
    """Looks ahead over deals that fit what it sees, with everybody careful from there on."""
    assert view.seat is not None
    habit = careful(view, moves, rng)
    likely = sorted(_distinct((habit, *moves)), key=_sense, reverse=True)[:CONSIDERED]
    return AHEAD.best(
        view.seat, [habit, *(move for move in likely if move != habit)], habit, partial(imagine, view), rng
    )


def _distinct(moves: Sequence[Move]) -> list[Move]:
    """One move of those that differ in nothing but suits, or in the place of a card that nobody knows."""
    kinds: dict[object, Move] = {}
    for move in moves:
        match move:
            case PlayCards() | ChooseFaceUp():
                kinds.setdefault(tuple(sorted(Card(name).rank for name in move.cards)), move)
            case _:
                kinds.setdefault(type(move), move)
    return list(kinds.values())


def _carefully(state: Pardon, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
    if state.idle >= PATIENCE:
        return rng.choice(moves)
    if not state.hands[seat]:
        return moves[rng.randrange(len(state.face_down[seat]))]
    return max(moves, key=_sense)


def _fewest_cards(state: Pardon, seat: Seat) -> float:
    """Whether it has won; if nobody has, its share of the cards that are left."""
    if state.winner is not None:
        return float(state.winner == seat)
    own = _left(state, seat)
    return 1 - own / (own + min(_left(state, other) for other in range(len(state.hands)) if other != seat))


def _left(state: Pardon, seat: Seat) -> int:
    return state.hands[seat].bit_count() + len(state.face_up[seat]) + len(state.face_down[seat])


AHEAD = Lookahead(
    decide=decide,
    evolve=EVOLVE,
    active=active,
    legal=legal,
    policy=_carefully,
    judge=_fewest_cards,
    budget=1000,
    horizon=250,
    doubt=1.2,
)
