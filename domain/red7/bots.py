"""Two players of Red7: one random, one who keeps as many ways open as he can."""

from collections.abc import Sequence
from random import Random

from fairdeal.domain.red7.cards import BY_NAME, Card, set_of
from fairdeal.domain.red7.effects import Choice, Outlook, outcomes, outlook, without
from fairdeal.domain.red7.legal import winning_moves
from fairdeal.domain.red7.moves import ChangeRule, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.views import Red7View

Prospect = tuple[Outlook, tuple[Card, ...]]
"""The table after a move, and the hand that is left."""


def random(view: Red7View, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, giving up included."""
    return rng.choice(moves)


def careful(view: Red7View, moves: Sequence[Move], rng: Random) -> Move:
    """The move after which it would have most ways to win its next turn; it gives up only if it must."""
    now = _now(view)
    return max(moves, key=lambda move: _worth(view, now, move))


def _now(view: Red7View) -> Prospect:
    assert view.seat is not None
    assert view.hand is not None
    palettes = [set_of(player.palette) for player in view.players]
    rivals = tuple((at, palettes[at]) for at, player in enumerate(view.players) if at != view.seat and not player.out)
    hue = view.canvas[-1].hue if view.canvas else 0
    return outlook(palettes[view.seat], rivals, hue), view.hand


def _worth(view: Red7View, now: Prospect, move: Move) -> tuple[int, int]:
    """First whether the turn is safe after the move, then the number of ways to win the next one."""
    if isinstance(move, GiveUp):
        return (0, 0)
    then, hand = _after(view, now, move)
    ways = len(winning_moves(hand, then.palette, then.bars, then.hue))
    return (2 if then.wins(then.hue) or then.winning_rules(hand) else 1, ways)


def _after(view: Red7View, now: Prospect, move: Move) -> Prospect:
    then, hand = now
    if isinstance(move, PlayCard | PlayAndChange):
        card = BY_NAME[move.card]
        chosen = Choice(move.target, move.take, move.discard)
        then = next(after for choice, after in outcomes(then, card, view.options) if choice == chosen)
        hand = without(hand, card)
    if isinstance(move, ChangeRule | PlayAndChange):
        rule = BY_NAME[move.card if isinstance(move, ChangeRule) else move.rule_card]
        then = then._replace(hue=rule.hue)
        hand = without(hand, rule)
    return then, hand
