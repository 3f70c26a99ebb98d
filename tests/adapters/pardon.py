"""Runs `scenarios.json` of Pardon."""

from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.pardon.cards import SORTED, as_cards
from fairdeal.domain.pardon.events import FaceDown, PositionLaid
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.options import PardonOptions
from fairdeal.domain.pardon.state import Pardon
from kits.scenarios import GivenWhenThen, Table, only

UNNAMED = sorted(SORTED, key=lambda card: card.suit)
"""Cards that a deal does not name come in this order: clubs, diamonds, hearts, spades, 2 to ace in each."""


def options_of(told: dict[str, Any]) -> PardonOptions:
    return PardonOptions(told.get("no_progress_limit", PardonOptions().no_progress_limit))


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


def found(table: Table, what: str, value: Any) -> Any:
    state: Pardon = table.state
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
        case _:
            raise ValueError(f"unknown expectation: {what}")


def lying(state: Pardon, what: str, seat: int) -> Any:
    match what:
        case "hands":
            return as_cards(state.hands[seat])
        case "face_up":
            return state.face_up[seat]
        case "face_down":
            return {str(slot): card for slot, card in state.face_down[seat].items()}
        case "hand_sizes":
            return state.hands[seat].bit_count()
        case "face_up_sizes":
            return len(state.face_up[seat])
        case _:
            return len(state.face_down[seat])


run = GivenWhenThen(
    rules=PARDON,
    options_of=options_of,
    deal=("hands", "face_down", "deck_top"),
    deck_of=deck_of,
    position=("hands", "face_up", "face_down", "pile", "deck", "no_progress_limit"),
    position_of=position_of,
    move_of=move_of,
    results={"won": "WON", "no_progress": "DRAW"},
    found=found,
    unordered=("hands", "face_up"),
).run
