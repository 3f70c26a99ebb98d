"""Commands as they are stored, and what they do to a game: the same for handlers and for the audit."""

import types
from dataclasses import replace
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import msgspec

from fairdeal.application.commands import validation
from fairdeal.application.commands.messages import (
    COMMAND_NAMES,
    COMMANDS,
    LONGEST_TEXT,
    AbandonGame,
    AddBot,
    BranchGame,
    ClaimTimeout,
    Command,
    GameCommand,
    JoinGame,
    LeaveGame,
    MakeMove,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StartGame,
    VoidGame,
)
from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.application.log.canonical import is_same_but_for_new_keys
from fairdeal.application.log.origin import Origin
from fairdeal.application.log.reader import note_time
from fairdeal.application.log.record import Batch
from fairdeal.domain.kernel.game import WHAT_IF, Game
from fairdeal.domain.kernel.lifecycle import FIRST_HOUSE, HOUSE_RULES, Spectators, TableClock, Terms
from fairdeal.domain.kernel.rules import AnyRules

Stored = dict[str, Any]
A_MOVE: Stored = {"move": ""}
"""For clocks, which ask no more of a move than that it is one."""
_SOME_GAME = UUID(int=0)
"""Which game a command was for stands elsewhere in the log."""


def to_stored(rules: AnyRules, command: Command) -> Stored:
    """What the log keeps of a command: everything that decides what it does, checked at the validation."""
    match command:
        case MakeMove():
            return validation.move_to_plain(rules, validation.parse_move(rules, command.move))
        case OpenGame():
            return _said(
                command,
                kind=rules.kind,
                options=validation.parse_options(rules, command.options),
                clock=validation.parse_clock(command.clock),
                rated=command.rated,
                spectators=command.spectators,
            )
        case QuickStart():
            return _said(
                command,
                kind=rules.kind,
                options=validation.parse_options(rules, command.options),
                players=list(command.players),
                brings=_brought_by_each(rules, command) or None,
                deck=validation.parse_deck(rules, command.deck),
                position=validation.parse_position(rules, command.position),
                clock=validation.parse_clock(command.clock),
                rated=command.rated,
                spectators=command.spectators,
            )
        case BranchGame():
            return _said(command, origin=str(command.origin), version=command.version)
        case JoinGame():
            return _said(command, brings=validation.parse_brought(rules, command.brings), seal=command.seal)
        case AddBot():
            return _said(command, bot=command.bot, brings=validation.parse_brought(rules, command.brings))
        case StartGame():
            deck = validation.parse_deck(rules, command.deck)
            return _said(command, deck=deck, position=validation.parse_position(rules, command.position))
        case RevealEntropy():
            return _said(command, entropy=command.entropy)
        case ClaimTimeout():
            return _said(command, seat=command.seat)
        case LeaveGame() | AbandonGame() | VoidGame():
            return _said(command, reason=command.reason)
        case _:
            raise TypeError(f"{type(command).__name__} is not a command that can be handled.")


class ExecutionContext(Protocol):
    """What commands need that no player gives: seeds for new games, and games to branch from."""

    def seed(self) -> bytes: ...

    def origin(self, game_id: UUID, version: int) -> Origin: ...


class Opening(NamedTuple):
    """What has to be known to open a game, besides who wants what."""

    game_id: UUID
    rules: AnyRules
    at: str
    """When: the time that the record of the command has."""
    house: int = HOUSE_RULES
    """By which house rules: the newest, unless the audit decides again what was decided by others."""


def opened_game(opening: Opening, player: str, stored: Stored, context: ExecutionContext) -> Game:
    """The game that comes of a stored command to open one."""
    match stored["do"]:
        case "open_game":
            return _open(opening, player, stored, context, _terms(opening, stored, rated=stored.get("rated", True)))
        case "quick_start":
            return _quick_start(opening, player, stored, context)
        case "branch_game":
            origin = context.origin(UUID(stored["origin"]), stored["version"])
            terms = branch_terms(opening.house)
            seed = context.seed()
            told, link = origin.told, origin.link
            return Game.branch(opening.game_id, player, seed, origin.game, link=link, told=told, terms=terms)
        case other:
            raise ValueError(f"{other!r} opens no game")


def branch_terms(house: int) -> Terms:
    """What is agreed at the table of a branch, by these house rules."""
    return FIRST_HOUSE if house == FIRST_HOUSE.house else replace(WHAT_IF, house=house)


def _terms(opening: Opening, stored: Stored, *, rated: bool) -> Terms:
    if opening.house == FIRST_HOUSE.house:
        if {"clock", "rated", "spectators"} & stored.keys():
            raise ValueError("the first house rules had no terms to agree on")
        return FIRST_HOUSE
    clock: TableClock | None = _read(TableClock, stored, "clock")
    return Terms(opening.house, clock, rated, Spectators(stored.get("spectators", Spectators.OPEN)))


def _open(opening: Opening, player: str, stored: Stored, context: ExecutionContext, terms: Terms) -> Game:
    options = _read(opening.rules.setup.options, stored, "options")
    game = Game.open(opening.game_id, opening.rules, player, options, context.seed(), terms=terms)
    note_time(game, opening.at, player, stored)
    return game


def execute(game: Game, player: str, stored: Stored, at: str) -> None:
    """What a stored command that came at this time does to a game, in place."""
    rules = game.rules
    name = stored.get("move")
    if name is not None:
        make_move(game, player, msgspec.convert(stored, rules.stored.moves[name]), at)
        return
    note_time(game, at, player, stored)
    match stored["do"]:
        case "join_game":
            game.join(player, brought=_read(rules.setup.brings, stored, "brings"), seal=stored.get("seal"))
        case "add_bot":
            game.add_bot(player, stored["bot"], brought=_read(rules.setup.brings, stored, "brings"))
        case "start_game":
            _start(game, player, stored)
        case "reveal_entropy":
            game.reveal(player, bytes.fromhex(stored["entropy"]))
        case "leave_game":
            game.leave(player, stored["reason"])
        case "abandon_game":
            game.abandon(player, stored["reason"])
        case "claim_timeout":
            game.claim_timeout(player, stored["seat"])
        case "void_game":
            game.void(player, stored["reason"])
        case other:
            raise ValueError(f"unknown command {other!r}")


def make_move(game: Game, player: str, move: Any, at: str) -> None:
    """What a move that came at this time does to a game, in place."""
    if game.lobby.clocks is not None:
        note_time(game, at, player, A_MOVE)
    game.move(player, move)


def must_be_canonical(rules: AnyRules, batch: Batch) -> None:
    """Raises an error if nobody can have sent this, or if it is not stored so: a log has no notes on the margin."""
    stored = batch.command
    name = stored.get("move")
    if name is not None:
        good = [*stored] == ["move", *rules.stored.moves[name].__dataclass_fields__] or _is_older(rules, stored)
        good = good and 0 < len(batch.id) <= LONGEST_TEXT
    else:
        good = _is_as_sent(rules, batch) or (
            _is_older(rules, stored)
            and _is_as_sent(rules, msgspec.structs.replace(batch, command=in_full(rules, stored)))
        )
    if not good:
        raise ValueError("a command that is not stored like this")


def in_full(rules: AnyRules, stored: Stored) -> Stored:
    """A stored command as it would be stored today, with the fields that were added since; their defaults fit it."""
    name = stored.get("move")
    if name is not None:
        return validation.move_to_plain(rules, msgspec.convert(stored, rules.stored.moves[name]))
    full = dict(stored)
    wanted = {"options": rules.setup.options, "deck": rules.setup.given_deck, "position": rules.setup.position}
    if stored.get("do") == "quick_start":
        wanted["brings"] = types.GenericAlias(dict, (str, rules.setup.brings))
    else:
        wanted["brings"] = rules.setup.brings
    for field in stored.keys() & wanted.keys():
        full[field] = validation.plain(msgspec.convert(stored[field], wanted[field]))
    return full


def is_sent_again(rules: AnyRules, old: Stored, new: Stored) -> bool:
    """Whether a command is the one that was stored before, perhaps by a program that knew fewer fields."""
    if _exactly(old) == _exactly(new):
        return True
    try:
        return _exactly(in_full(rules, old)) == _exactly(new)
    except (KeyError, msgspec.ValidationError):  # these rules do not know it any more
        return False


def _exactly(stored: Stored) -> bytes:
    """So that nothing passes for the same that only compares equal, as 1 and true do."""
    return msgspec.json.encode(stored, order="deterministic")


def _is_as_sent(rules: AnyRules, batch: Batch) -> bool:
    return msgspec.json.encode(to_stored(rules, _sent(batch))) == msgspec.json.encode(batch.command)


def _is_older(rules: AnyRules, stored: Stored) -> bool:
    """Whether a program that knew fewer fields has stored it."""
    return is_same_but_for_new_keys(stored, in_full(rules, stored))


def _sent(batch: Batch) -> Command:
    """A stored command as it came from outside."""
    fields = {"player": batch.by, "command_id": batch.id, **batch.command}
    command = COMMANDS[fields.pop("do")]
    if issubclass(command, GameCommand):
        fields["game_id"] = _SOME_GAME
    return command.model_validate(fields)


def _quick_start(opening: Opening, player: str, stored: Stored, context: ExecutionContext) -> Game:
    brings: Stored = stored.get("brings", {})
    brought = {who: msgspec.convert(things, opening.rules.setup.brings) for who, things in brings.items()}
    # Nobody's rating is at stake at a table where somebody else has put them.
    rated = stored.get("rated", True) and stored["players"] == [player]
    terms = _terms(opening, stored, rated=rated)
    game = _open(opening, player, stored, context, terms)
    game.seat_all(stored["players"], brought)
    _start(game, player, stored, brought_all=True)
    return game


def _start(game: Game, player: str, stored: Stored, *, brought_all: bool = False) -> None:
    setup = game.rules.setup
    deck, position = _read(setup.given_deck, stored, "deck"), _read(setup.position, stored, "position")
    game.start(player, deck=deck, position=position, brought_all=brought_all)


def _said(command: Command, **fields: Any) -> Stored:
    given = {name: validation.plain(value) for name, value in fields.items() if value is not None}
    return {"do": COMMAND_NAMES[type(command)], **given}


def _read(wanted: Any, stored: Stored, field: str) -> Any:
    return None if field not in stored else msgspec.convert(stored[field], wanted)


def _brought_by_each(rules: AnyRules, command: QuickStart) -> dict[str, Any]:
    strangers = sorted(set(command.brings) - set(command.players))
    if strangers:
        raise InvalidCommand("brings", [FieldFault(strangers[0], "this player does not sit at the table")])
    brought = {player: validation.parse_brought(rules, things) for player, things in command.brings.items()}
    return {player: things for player, things in brought.items() if things is not None}
