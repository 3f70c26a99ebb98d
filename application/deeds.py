"""Commands as they are stored, and what they do to a game: the same for handlers and for the audit."""

from collections.abc import Callable
from typing import Any

import msgspec

from fairdeal.application import border
from fairdeal.application.commands import (
    NAMES,
    AbandonGame,
    Command,
    JoinGame,
    LeaveGame,
    MakeMove,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StartGame,
)
from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules

Deed = Callable[[Game], None]
Stored = dict[str, Any]


def stored_form(rules: AnyRules, command: Command) -> Stored:
    """What the log keeps of a command: everything that decides what it does, checked at the border."""
    match command:
        case MakeMove():
            return border.move_to_plain(rules, border.parse_move(rules, command.move))
        case OpenGame():
            return _said(command, kind=rules.kind, options=border.parse_options(rules, command.options))
        case QuickStart():
            return _said(
                command,
                kind=rules.kind,
                options=border.parse_options(rules, command.options),
                players=list(command.players),
                brings=_brought_by_each(rules, command) or None,
                deck=border.parse_deck(rules, command.deck),
                position=border.parse_position(rules, command.position),
            )
        case JoinGame():
            return _said(command, brings=border.parse_brought(rules, command.brings), seal=command.seal)
        case StartGame():
            deck = border.parse_deck(rules, command.deck)
            return _said(command, deck=deck, position=border.parse_position(rules, command.position))
        case RevealEntropy():
            return _said(command, entropy=command.entropy)
        case LeaveGame() | AbandonGame():
            return _said(command, reason=command.reason)
        case _:
            raise TypeError(f"{type(command).__name__} is not a command that can be handled.")


def deed(rules: AnyRules, player: str, stored: Stored, new_seed: Callable[[], bytes]) -> Deed:
    """What a stored command does to a game; only those that open one take a seed."""
    name = stored.get("move")
    if name is not None:
        fields = {key: value for key, value in stored.items() if key != "move"}
        move = msgspec.convert(fields, rules.moves[name])
        return lambda game: game.move(player, move)
    deck, position = _read(rules.given_deck, stored, "deck"), _read(rules.position, stored, "position")
    match stored["do"]:
        case "open_game":
            return lambda game: game.open(player, _read(rules.options, stored, "options"), new_seed())
        case "quick_start":
            brings: dict[str, Any] = stored.get("brings", {})
            brought = {who: msgspec.convert(things, rules.brings) for who, things in brings.items()}

            def quick_start(game: Game) -> None:
                game.open(player, _read(rules.options, stored, "options"), new_seed())
                game.gather(stored["players"], brought)
                game.start(player, deck=deck, position=position)

            return quick_start
        case "join_game":
            brought = _read(rules.brings, stored, "brings")
            return lambda game: game.join(player, brought=brought, seal=stored.get("seal"))
        case "start_game":
            return lambda game: game.start(player, deck=deck, position=position)
        case "reveal_entropy":
            return lambda game: game.reveal(player, bytes.fromhex(stored["entropy"]))
        case "leave_game":
            return lambda game: game.leave(player, stored["reason"])
        case "abandon_game":
            return lambda game: game.abandon(player, stored["reason"])
        case other:
            raise ValueError(f"unknown command {other!r}")


def _said(command: Command, **fields: Any) -> Stored:
    given = {name: border.plain(value) for name, value in fields.items() if value is not None}
    return {"do": NAMES[type(command)], **given}


def _read(wanted: Any, stored: Stored, field: str) -> Any:
    return None if field not in stored else msgspec.convert(stored[field], wanted)


def _brought_by_each(rules: AnyRules, command: QuickStart) -> dict[str, Any]:
    strangers = sorted(set(command.brings) - set(command.players))
    if strangers:
        raise InvalidCommand("brings", [FieldFault(strangers[0], "this player does not sit at the table")])
    return {player: border.parse_brought(rules, things) for player, things in command.brings.items()}
