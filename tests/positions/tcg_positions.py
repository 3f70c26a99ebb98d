"""Positions and rule sets of the trading card game as scenario files write them; needs the domain alone."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from fairdeal.domain.tcg.cards import Card, Variation
from fairdeal.domain.tcg.events import MinionLaid, PositionLaid, SideLaid
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from kits.scenarios import only

PLAYERS = ["A", "B"]
PRINTED = {definition.id: definition for definition in STARTER}


def options_of(rules: dict[str, Any]) -> TcgOptions:
    """An unknown knob is an error of the scenario; an unknown variation is the rules' business."""
    known = {variation.value: variation for variation in Variation}
    knobs: dict[str, Any] = dict(rules)
    knobs["variations"] = tuple(known.get(name, name) for name in rules.get("variations", ()))
    return TcgOptions(**knobs)


def position_of(state: dict[str, Any]) -> PositionLaid:
    only(state, "active", "turn", *PLAYERS)
    numbers = count()
    sides = tuple(side_of(state.get(player, {}), numbers) for player in PLAYERS)
    return PositionLaid(STARTER, state.get("turn", 9), PLAYERS.index(state["active"]), sides)


def side_of(side: dict[str, Any], numbers: Iterator[int]) -> SideLaid:
    only(side, "health", "slots", "mana", "hand", "board", "deck", "discard")
    return SideLaid(
        health=side.get("health", 30),
        slots=side.get("slots", 0),
        mana=side.get("mana", 0),
        hand=cards(side.get("hand", []), numbers),
        board=tuple(minion_of(minion, numbers) for minion in side.get("board", [])),
        deck=cards(side.get("deck", ["d0"] * 5), numbers),
        discard=cards(side.get("discard", []), numbers),
    )


def cards(names: list[str], numbers: Iterator[int]) -> tuple[Card, ...]:
    return tuple(Card(next(numbers), name) for name in names)


def minion_of(minion: dict[str, Any], numbers: Iterator[int]) -> MinionLaid:
    only(minion, "card", "attack", "health", "asleep", "attacked")
    stats = PRINTED[minion["card"]].stats
    assert stats is not None
    return MinionLaid(
        card=Card(next(numbers), minion["card"]),
        attack=minion.get("attack", stats.attack),
        health=minion.get("health", stats.health),
        asleep=minion.get("asleep", False),
        attacked=minion.get("attacked", False),
    )
