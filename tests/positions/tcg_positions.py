"""Positions and rule sets of the trading card game as scenario files write them; needs the domain alone."""

from typing import Any

from fairdeal.domain.tcg.cards import Variation
from fairdeal.domain.tcg.events import PositionLaid
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.testing.positions import TcgMinion, TcgSide, tcg
from kits.scenarios import only

PLAYERS = ["A", "B"]


def options_of(rules: dict[str, Any]) -> TcgOptions:
    """An unknown knob is an error of the scenario; an unknown variation is the rules' business."""
    known = {variation.value: variation for variation in Variation}
    knobs: dict[str, Any] = dict(rules)
    knobs["variations"] = tuple(known.get(name, name) for name in rules.get("variations", ()))
    return TcgOptions(**knobs)


def position_of(state: dict[str, Any]) -> PositionLaid:
    only(state, "active", "turn", *PLAYERS)
    first, second = (side_of(state.get(player, {})) for player in PLAYERS)
    return tcg(first, second, turn=state.get("turn", 9), active=PLAYERS.index(state["active"]))


def side_of(side: dict[str, Any]) -> TcgSide:
    only(side, "health", "slots", "mana", "hand", "board", "deck", "discard")
    places: dict[str, str] = {place: " ".join(side[place]) for place in ("hand", "deck", "discard") if place in side}
    board = tuple(minion_of(minion) for minion in side.get("board", []))
    told: dict[str, Any] = {**side, **places, "board": board}
    return TcgSide(**told)


def minion_of(minion: dict[str, Any]) -> TcgMinion:
    only(minion, "card", "attack", "health", "asleep", "attacked")
    return TcgMinion(**minion)
