"""Runs `scenarios.json` of Kings Corners."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.cards import PILES, Pile
from fairdeal.domain.kings_corners.events import PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners
from scenario_kit import Faults, Table, Verdict

RESULTS = {"won": "WON", "stalemate": "STALEMATE"}


def run(path: Path) -> Iterator[Verdict]:
    for scenario in json.loads(path.read_text(encoding="utf-8")):
        yield check(scenario)


def check(scenario: dict[str, Any]) -> Verdict:
    table = Table(KINGS_CORNERS)
    faults = Faults()
    set_up(table, scenario["given"])
    for number, step in enumerate(scenario["when"]):
        if table.refused:
            faults.found.append(f"step {number}: the one before was refused, {table.refused}")
        table.move(step["player"], move_of(step))
    expected: dict[str, Any] = dict(scenario["then"])
    refused = table.refused.upper() if table.refused else None
    faults.compare("error", expected.pop("error", None), refused)
    if table.state is not None:
        for what, value in expected.items():
            faults.compare(what, wanted(what, value), found(table, what, value))
    return faults.verdict(scenario["id"])


def set_up(table: Table, given: dict[str, Any]) -> None:
    match given:
        case {"new_game": {"players": players}}:
            table.open(players, options=NoOptions())
        case {"deal": deal}:
            table.open(deal["players"], options=NoOptions(), deck=deck_of(deal))
        case {"position": position}:
            table.open(position["players"], options=NoOptions(), position=position_of(position))
        case _:
            raise ValueError(f"unknown given: {sorted(given)}")


def deck_of(deal: dict[str, Any]) -> tuple[Card, ...]:
    hands = [card for player in deal["players"] for card in deal["hands"][player]]
    named = [Card(card) for card in (*hands, *deal["foundations"], *deal.get("deck_top", []))]
    return (*named, *(card for card in DECK if card not in named))


def position_of(position: dict[str, Any]) -> PositionLaid:
    players: list[str] = position["players"]
    return PositionLaid(
        hands=tuple(cards(position["hands"].get(player, [])) for player in players),
        piles=tuple(cards(position["piles"].get(pile.value, [])) for pile in PILES),
        deck=cards(position.get("deck", [])),
        turn=players.index(position["current"]),
    )


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)


def move_of(step: dict[str, Any]) -> Move:
    match step["do"]:
        case "play":
            return PlayCard(step["card"], step["to"])
        case "move":
            return MovePile(step["from"], step["to"])
        case "end":
            return EndTurn()
        case other:
            raise ValueError(f"unknown step: {other}")


def wanted(what: str, value: Any) -> Any:
    return {player: sorted(hand) for player, hand in value.items()} if what == "hands" else value


def found(table: Table, what: str, value: Any) -> Any:
    state: KingsCorners = table.state
    players = table.game.players
    outcome = table.game.outcome
    match what:
        case "hands":
            return {player: sorted(state.hands[players.index(player)]) for player in value}
        case "hand_sizes":
            return {player: len(state.hands[players.index(player)]) for player in value}
        case "piles":
            return {pile: list(state.piles[Pile(pile)]) for pile in value}
        case "deck_size":
            return state.deck_size
        case "deck_top":
            return state.deck[state.gone]
        case "current":
            return players[state.turn]
        case "result":
            return RESULTS[outcome.reason] if outcome else "RUNNING"
        case "winner":
            return players[outcome.winners[0]] if outcome and outcome.winners else None
        case _:
            raise ValueError(f"unknown expectation: {what}")
