"""Runs `scenarios.json` of Pardon."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.pardon.cards import SORTED, as_cards
from fairdeal.domain.pardon.events import FaceDown, PositionLaid
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.rules import PardonOptions
from fairdeal.domain.pardon.state import Pardon
from scenario_kit import Faults, Table, Verdict, only

RESULTS = {"won": "WON", "no_progress": "DRAW"}
UNNAMED = sorted(SORTED, key=lambda card: card.suit)
"""Cards that a deal does not name come in this order: clubs, diamonds, hearts, spades, 2 to ace in each."""


def run(path: Path) -> Iterator[Verdict]:
    for scenario in json.loads(path.read_text(encoding="utf-8")):
        yield check(scenario)


def check(scenario: dict[str, Any]) -> Verdict:
    only(scenario, "id", "title", "source", "given", "when", "then")
    table = Table(PARDON)
    faults = Faults()
    set_up(table, scenario["given"])
    for number, step in enumerate(scenario["when"]):
        if table.refused:
            faults.found.append(f"step {number}: the one before was refused, {table.refused}")
        table.move(step["player"], move_of(step))
    expected: dict[str, Any] = dict(scenario["then"])
    refused = table.refused.upper() if table.refused else None
    faults.compare("error", expected.pop("error", None), refused)
    if table.state is None:
        faults.compare("a game to look at", {}, expected)
    else:
        for what, value in expected.items():
            faults.compare(what, wanted(what, value), found(table, what, value))
    return faults.verdict(scenario["id"])


def set_up(table: Table, given: dict[str, Any]) -> None:
    only(given, "new_game", "deal", "position")
    (way,) = given
    told: dict[str, Any] = given[way]
    players: list[str] = told["players"]
    match way:
        case "new_game":
            only(told, "players")
            table.open(players, options=PardonOptions())
        case "deal":
            only(told, "players", "hands", "face_down", "deck_top")
            table.open(players, options=PardonOptions(), deck=deck_of(told))
        case _:
            only(told, "players", "current", "hands", "face_up", "face_down", "pile", "deck", "no_progress_limit")
            limit = told.get("no_progress_limit", PardonOptions().no_progress_limit)
            table.open(players, options=PardonOptions(limit), position=position_of(told))


def deck_of(deal: dict[str, Any]) -> tuple[Card, ...]:
    players: list[str] = deal["players"]
    for by_player in (deal["hands"], deal["face_down"]):
        only(by_player, *players)
    hands = [name for player in players for name in deal["hands"][player]]
    face_down = [name for player in players for name in deal["face_down"][player]]
    named = cards([*hands, *face_down, *deal.get("deck_top", [])])
    return (*named, *(card for card in UNNAMED if card not in named))


def position_of(told: dict[str, Any]) -> PositionLaid:
    players: list[str] = told["players"]
    for what in ("hands", "face_up", "face_down"):
        only(told.get(what, {}), *players)
    return PositionLaid(
        hands=tuple(cards(told.get("hands", {}).get(player, [])) for player in players),
        face_up=tuple(cards(told.get("face_up", {}).get(player, [])) for player in players),
        face_down=tuple(slots(told.get("face_down", {}).get(player, {})) for player in players),
        table=cards(told.get("pile", [])),
        deck=cards(told.get("deck", [])),
        turn=players.index(told["current"]),
    )


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)


def slots(closed: dict[str, str]) -> tuple[FaceDown, ...]:
    return tuple(FaceDown(int(slot), Card(name)) for slot, name in closed.items())


def move_of(step: dict[str, Any]) -> Move:
    match step["do"]:
        case "choose":
            only(step, "do", "player", "cards")
            return ChooseFaceUp(tuple(step["cards"]))
        case "play":
            only(step, "do", "player", "cards")
            return PlayCards(tuple(step["cards"]))
        case "take":
            only(step, "do", "player")
            return TakeTable()
        case "face_down":
            only(step, "do", "player", "slot")
            return TurnFaceDown(step["slot"])
        case other:
            raise ValueError(f"unknown step: {other}")


def wanted(what: str, value: Any) -> Any:
    return {player: sorted(names) for player, names in value.items()} if what in ("hands", "face_up") else value


def found(table: Table, what: str, value: Any) -> Any:
    state: Pardon = table.state
    outcome = table.game.outcome
    match what:
        case "hands" | "face_up" | "face_down" | "hand_sizes" | "face_up_sizes" | "face_down_sizes":
            return {player: lying(state, what, table.game.players.index(player)) for player in value}
        case "pile":
            return list(state.table)
        case "burned":
            return len(state.burned)
        case "deck_size":
            return state.deck_size
        case "phase":
            return "CHOOSE" if state.choosing else "PLAY"
        case "current":
            return None if state.current is None else table.game.players[state.current]
        case "result":
            return RESULTS[outcome.reason] if outcome else "RUNNING"
        case "winner":
            return table.game.players[outcome.winners[0]] if outcome and outcome.winners else None
        case _:
            raise ValueError(f"unknown expectation: {what}")


def lying(state: Pardon, what: str, seat: int) -> Any:
    match what:
        case "hands":
            return sorted(as_cards(state.hands[seat]))
        case "face_up":
            return sorted(state.face_up[seat])
        case "face_down":
            return {str(slot): card for slot, card in state.face_down[seat].items()}
        case "hand_sizes":
            return state.hands[seat].bit_count()
        case "face_up_sizes":
            return len(state.face_up[seat])
        case _:
            return len(state.face_down[seat])
