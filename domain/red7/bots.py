"""Players of Red7: one random, one who keeps as many ways open as it can, one who looks ahead."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.red7.cards import BY_NAME, Card, set_of
from fairdeal.domain.red7.effects import Choice, Outlook, outcomes, outlook, outlook_of, without
from fairdeal.domain.red7.legal import active, legal, winning_moves
from fairdeal.domain.red7.moves import ChangeRule, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.options import Red7Options
from fairdeal.domain.red7.rules import decide
from fairdeal.domain.red7.state import EVOLVE, Red7
from fairdeal.domain.red7.views import Red7View
from fairdeal.domain.red7.worlds import imagine

CONSIDERED = 8
"""Moves that the strong one thinks about, those with most ways open."""
GLANCES = 4
"""Moves that a player is taken to think about after that."""

Prospect = tuple[Outlook, tuple[Card, ...]]
"""The table after a move, and the hand that is left."""


def random(view: Red7View, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, giving up included."""
    return rng.choice(moves)


def careful(view: Red7View, moves: Sequence[Move], rng: Random) -> Move:
    """The move after which it would have most ways to win its next turn; it gives up only if it must."""
    now = _now(view)
    return max(moves, key=lambda move: _worth(now, move, view.options))


def _now(view: Red7View) -> Prospect:
    assert view.seat is not None
    assert view.hand is not None
    palettes = [set_of(player.palette) for player in view.players]
    rivals = tuple((at, palettes[at]) for at, player in enumerate(view.players) if at != view.seat and not player.out)
    hue = view.canvas[-1].hue if view.canvas else 0
    return outlook(palettes[view.seat], rivals, hue), view.hand


def _worth(now: Prospect, move: Move, options: Red7Options) -> tuple[int, int]:
    """First whether the turn is safe after the move, then the number of ways to win the next one."""
    if isinstance(move, GiveUp):
        return (0, 0)
    then, hand = _after(now, move, options)
    ways = len(winning_moves([*hand], then.palette, [then.bars], then.hue))
    return (2 if then.wins(then.hue) or then.winning_rules(hand) else 1, ways)


def _after(now: Prospect, move: Move, options: Red7Options) -> Prospect:
    then, hand = now
    if isinstance(move, PlayCard | PlayAndChange):
        card = BY_NAME[move.card]
        chosen = Choice(move.target, move.take, move.discard)
        then = next(after for choice, after in outcomes(then, card, options) if choice == chosen)
        hand = without(hand, card)
    if isinstance(move, ChangeRule | PlayAndChange):
        rule = BY_NAME[move.card if isinstance(move, ChangeRule) else move.rule_card]
        then = then._replace(hue=rule.hue)
        hand = without(hand, rule)
    return then, hand


def strong(view: Red7View, moves: Sequence[Move], rng: Random) -> Move:
    """Looks ahead over deals that fit what it sees, with everybody saving cards and ways from there on."""
    assert view.seat is not None
    now = _now(view)
    likely = sorted(moves, key=lambda move: _worth(now, move, view.options), reverse=True)[:CONSIDERED]
    return AHEAD.best(view.seat, likely, likely[0], partial(_imagine_round, view), rng)


def _imagine_round(view: Red7View, rng: Random) -> Red7:
    """Every round for itself: a whole match is too long to be thought through."""
    world = imagine(view, rng)
    world.options = replace(world.options, rounds=False)
    return world


def _carefully(state: Red7, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
    """Of a few moves that cost at most one card, the one with most ways after it; others only in need."""
    ways = [move for move in moves if not isinstance(move, PlayAndChange | GiveUp)] or moves[:-1] or moves
    if len(ways) == 1:
        return ways[0]
    few = rng.sample(ways, min(len(ways), GLANCES))
    now = outlook_of(state, seat), tuple(state.hands[seat])
    return max(few, key=lambda move: _worth(now, move, state.options))


def _still_in(state: Red7, seat: Seat) -> float:
    """Its chance in the round if all who are still in it are alike: 1 for the last one."""
    return (seat in state.playing) / len(state.playing)


AHEAD = Lookahead(
    decide=decide,
    evolve=EVOLVE,
    active=active,
    legal=legal,
    policy=_carefully,
    judge=_still_in,
    budget=400,
    horizon=200,
    doubt=0,
)
