"""Players of the trading card game: one random, the kata's three strategies, one with minions, one who looks ahead."""

from collections.abc import Sequence
from functools import partial
from random import Random

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.tcg.cards import Kind, Mode
from fairdeal.domain.tcg.legal import active, legal
from fairdeal.domain.tcg.moves import END_TURN, FACE, Move, PlayCard
from fairdeal.domain.tcg.rules import decide
from fairdeal.domain.tcg.state import EVOLVE, Tcg
from fairdeal.domain.tcg.tactics import Table, can_kill, face_damage, hardest_set, worth
from fairdeal.domain.tcg.views import TcgView
from fairdeal.domain.tcg.views import view as view_of
from fairdeal.domain.tcg.worlds import imagine

CAUTIOUS_HEALS_BELOW = 20
AI_HEALS_BELOW = 10


def random(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, ending the turn included."""
    return rng.choice(moves)


def kamikaze(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """The dearest damage card it can pay, at the face."""
    table = Table(view)
    strikes = [move for move in moves if isinstance(move, PlayCard) and move.at == FACE]
    return max(strikes, key=table.cost) if strikes else END_TURN


def cautious(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """Below 20 health heals with the cheapest card that can, else plays like kamikaze."""
    table = Table(view)
    cures = _cures(table, moves)
    if table.own.health < CAUTIOUS_HEALS_BELOW and cures:
        return min(cures, key=table.cost)
    return kamikaze(view, moves, rng)


def ai(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """Below 10 health heals with the dearest card that can, else plays the cards that together hit hardest."""
    table = Table(view)
    cures = _cures(table, moves)
    if table.own.health < AI_HEALS_BELOW and cures:
        return max(cures, key=table.cost)
    chosen = hardest_set(table)
    return PlayCard(max(chosen, key=lambda card: card.cost).id, Mode.SPELL, FACE) if chosen else END_TURN


def commander(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """Kills if it can; else trades minions well, builds its board and burns what is left."""
    table = Table(view)
    if can_kill(table):
        return max(moves, key=lambda move: face_damage(table, move))
    return max(moves, key=lambda move: worth(table, move))


careful = commander
"""The best of those that do not look ahead."""


def _cures(table: Table, moves: Sequence[Move]) -> list[PlayCard]:
    """The plays that heal, by healing cards or by flexible healing."""
    plays = [move for move in moves if isinstance(move, PlayCard)]
    return [play for play in plays if play.mode == Mode.HEAL or _is_healing_spell(table, play)]


def _is_healing_spell(table: Table, play: PlayCard) -> bool:
    return play.mode == Mode.SPELL and table.printed[play.card].kind is Kind.HEALING


def strong(view: TcgView, moves: Sequence[Move], rng: Random) -> Move:
    """Looks ahead over hands and decks that fit what it sees, with both sides commanded well from there on."""
    assert view.seat is not None
    return AHEAD.best(view.seat, moves, commander(view, moves, rng), partial(imagine, view, moves), rng)


def _commanded(state: Tcg, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
    return commander(view_of(state, seat), moves, rng)


def _healthier(state: Tcg, seat: Seat) -> float:
    """Half for the win, half for the health that is left: a clear win is likely to be one in another world, too."""
    own, other = max(0, state.sides[seat].health), max(0, state.sides[1 - seat].health)
    won = 0.5 if state.winner is None else float(state.winner == seat)
    return (won + own / (own + other)) / 2


AHEAD = Lookahead(
    decide=decide,
    evolve=EVOLVE,
    active=active,
    legal=legal,
    policy=_commanded,
    judge=_healthier,
    budget=500,
    horizon=100,
    doubt=0.5,
)
