"""Runs `scenarios.json` of Kings Corners."""

from typing import Any

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.cards import PILES, Pile
from fairdeal.domain.kings_corners.events import PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners
from kits.scenarios import GivenWhenThen, Table, only


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


def found(table: Table, what: str, value: Any) -> Any:
    state: KingsCorners = table.state
    players = table.game.players
    match what:
        case "hands":
            return {player: state.hands[players.index(player)] for player in value}
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
        case _:
            raise ValueError(f"unknown expectation: {what}")


run = GivenWhenThen(
    rules=KINGS_CORNERS,
    options_of=lambda _: NoOptions(),
    deal=("hands", "foundations", "deck_top"),
    deck_of=deck_of,
    position=("hands", "piles", "deck"),
    position_of=position_of,
    move_of=move_of,
    results={"won": "WON", "stalemate": "STALEMATE"},
    found=found,
    unordered=("hands",),
).run
