"""Players of Kings Corners: one random, one who never waits, one who thinks a little, one who looks ahead."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import assert_never

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.kings_corners.cards import CARD_NAMED, PILE_NAMED, is_foundation
from fairdeal.domain.kings_corners.legal import active, legal
from fairdeal.domain.kings_corners.moves import END_TURN, EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.rules import decide
from fairdeal.domain.kings_corners.state import EVOLVE, KingsCorners
from fairdeal.domain.kings_corners.views import KingsCornersView
from fairdeal.domain.kings_corners.worlds import imagine


def random(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, ending the turn included."""
    return rng.choice(moves)


def greedy(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Acts while it can, at random."""
    actions = [move for move in moves if not isinstance(move, EndTurn)]
    return rng.choice(actions) if actions else END_TURN


def careful(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """King to a corner, then pile moves, then building, then the highest card into a gap."""
    return min(moves, key=lambda move: _order(move, fills_gap=isinstance(move, PlayCard) and _is_empty(view, move)))


def _is_empty(view: KingsCornersView, move: PlayCard) -> bool:
    return not view.pile(PILE_NAMED[move.pile])


def _order(move: Move, *, fills_gap: bool) -> tuple[int, int]:
    match move:
        case PlayCard():
            rank = CARD_NAMED[move.card].rank
            if not fills_gap:
                return 2, -rank
            return (3, -rank) if is_foundation(PILE_NAMED[move.pile]) else (0, 0)
        case MovePile():
            return 1, 0
        case EndTurn():
            return 4, 0
        case _:
            assert_never(move)


def strong(view: KingsCornersView, moves: Sequence[Move], rng: Random) -> Move:
    """Looks ahead over deals that fit what it sees, with everybody careful from there on."""
    assert view.seat is not None
    return AHEAD.best(view.seat, moves, careful(view, moves, rng), partial(imagine, view), rng)


def _carefully(state: KingsCorners, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
    piles = state.piles
    return min(
        moves, key=lambda move: _order(move, fills_gap=isinstance(move, PlayCard) and not piles[PILE_NAMED[move.pile]])
    )


def _fewest_cards(state: KingsCorners, seat: Seat) -> float:
    """Its share of the cards that are left: nothing is left to a winner."""
    own = len(state.hands[seat])
    other = min(len(hand) for at, hand in enumerate(state.hands) if at != seat)
    return other / (own + other)


AHEAD = Lookahead(
    decide=decide,
    evolve=EVOLVE,
    active=active,
    legal=legal,
    policy=_carefully,
    judge=_fewest_cards,
    budget=600,
    horizon=30,
    doubt=0,
)
