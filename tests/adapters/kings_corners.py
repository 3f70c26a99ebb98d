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
from scenario_kit import Faults, Table, Verdict, only

RESULTS = {"won": "WON", "stalemate": "STALEMATE"}


def run(path: Path) -> Iterator[Verdict]:
    for scenario in json.loads(path.read_text(encoding="utf-8")):
        yield check(scenario)


def check(scenario: dict[str, Any]) -> Verdict:
    only(scenario, "id", "title", "source", "given", "when", "then")
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
            table.open(players, options=NoOptions())
        case "deal":
            only(told, "players", "hands", "foundations", "deck_top")
            table.open(players, options=NoOptions(), deck=deck_of(told))
        case _:
            only(told, "players", "current", "hands", "piles", "deck")
            table.open(players, options=NoOptions(), position=position_of(told))


def deck_of(deal: dict[str, Any]) -> tuple[Card, ...]:
    only(deal["hands"], *deal["players"])
    hands = [card for player in deal["players"] for card in deal["hands"][player]]
    if len(hands) != 7 * len(deal["players"]) or len(deal["foundations"]) != 4:
        raise ValueError("a deal names seven cards per player and four foundations")
    named = cards([*hands, *deal["foundations"], *deal.get("deck_top", [])])
    return (*named, *(card for card in DECK if card not in named))


def position_of(position: dict[str, Any]) -> PositionLaid:
    players: list[str] = position["players"]
    hands: dict[str, list[str]] = position.get("hands", {})
    piles: dict[str, list[str]] = position.get("piles", {})
    only(hands, *players)
    only(piles, *PILES)
    return PositionLaid(
        hands=tuple(cards(hands.get(player, [])) for player in players),
        piles=tuple(cards(piles.get(pile, [])) for pile in PILES),
        deck=cards(position.get("deck", [])),
        turn=players.index(position["current"]),
    )


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)


def move_of(step: dict[str, Any]) -> Move:
    match step["do"]:
        case "play":
            only(step, "do", "player", "card", "to")
            return PlayCard(step["card"], step["to"])
        case "move":
            only(step, "do", "player", "from", "to")
            return MovePile(step["from"], step["to"])
        case "end":
            only(step, "do", "player")
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
            return state.deck[state.gone] if state.deck_size else None
        case "current":
            return players[state.turn]
        case "result":
            return RESULTS[outcome.reason] if outcome else "RUNNING"
        case "winner":
            return players[outcome.winners[0]] if outcome and outcome.winners else None
        case _:
            raise ValueError(f"unknown expectation: {what}")
