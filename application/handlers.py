"""The command handlers: load the game, let its rules decide, store, answer."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from fairdeal.application import border
from fairdeal.application.commands import (
    NAMES,
    AbandonGame,
    Command,
    GameCommand,
    JoinGame,
    LeaveGame,
    MakeMove,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StartGame,
)
from fairdeal.application.errors import Busy, CommandIdReused, FieldFault, InvalidCommand, StaleVersion, UnknownKind
from fairdeal.application.errors import VersionConflict as Conflict
from fairdeal.application.ports import Batch, Codec, Ledger
from fairdeal.application.records import Receipt, Record, link_batch
from fairdeal.application.shelf import Shelf, WarmGame, digest_of
from fairdeal.domain.kernel.errors import IllegalMove
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules

NAMESPACE = UUID("6f0c7a52-5d0e-5bb8-9c39-3f1f6f0d6a11")
"""Game ids are made in this namespace from who opens the game and the command's id."""

MOST_TRIES = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a command: the events as the acting player may see them, and a receipt to keep."""

    game_id: UUID
    version: int
    events: tuple[Any, ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Plan:
    """A command made ready: how it is stored, and what it does to a game."""

    stored: dict[str, Any]
    act: Callable[[Game], None]


Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


class CommandHandlers:
    """All that changes games goes through `handle`; safe to use from several threads."""

    def __init__(
        self,
        ledger: Ledger,
        codec: Codec,
        shelf: Shelf,
        games: Mapping[str, AnyRules],
        *,
        clock: Clock = utc_now,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self._ledger = ledger
        self._codec = codec
        self._shelf = shelf
        self._games = games
        self._clock = clock
        self._new_seed = new_seed

    def handle(self, command: Command) -> Answer:
        """Does it once and durably, or raises and changes nothing; the same id again, the same answer."""
        match command:
            case OpenGame() | QuickStart():
                rules = self._rules(command.kind)
                game_id = game_id_for(command)
                plan = self._plan_opening(rules, command)
                return self._carry_out(game_id, command, lambda _: plan, opens=rules)
            case GameCommand():
                return self._carry_out(command.game_id, command, lambda game: _plan(game.rules, command))
            case _:
                raise TypeError(f"{type(command).__name__} is not a command that can be handled.")

    def _carry_out(
        self, game_id: UUID, command: Command, planned: Callable[[Game], Plan], *, opens: AnyRules | None = None
    ) -> Answer:
        with self._shelf.borrow(game_id) as warm:
            checked = warm.game is None and opens is None and warm.catch_up()
            for _ in range(MOST_TRIES):
                before = Game(game_id, opens) if opens and warm.game is None else warm.known
                plan = planned(before)
                if command.command_id in warm.done:
                    return self._repeat(warm, command, plan)
                try:
                    work = self._decide(before, command, plan, opens)
                except (IllegalMove, StaleVersion):
                    # A game kept warm may be behind the ledger: its refusal counts only after a look there.
                    if checked or not warm.catch_up():
                        raise
                    checked = True
                    continue
                batch = self._batch(warm, command, plan, work)
                written = self._codec.write(work.rules, work.pending, batch)
                records = link_batch(work.seed, warm.link, game_id, before.version, written)
                try:
                    self._ledger.append(records)
                except Conflict:
                    checked = warm.catch_up()
                    continue
                events = tuple(work.pending)
                warm.advance(work, records, batch)
                return answer(work, command.player, events, records[-1])
        raise Busy(f"Game {game_id} is being changed by too many at once; nothing was stored, try again.")

    def _decide(self, before: Game, command: Command, plan: Plan, opens: AnyRules | None) -> Game:
        if opens and before.version:
            # The id of this game follows from the command's id, so somebody used that id for something else.
            raise CommandIdReused
        expected = command.expected_version if isinstance(command, GameCommand) else None
        if expected is not None and expected != before.version:
            raise StaleVersion(before.id, expected, before.version)
        work = before.copy()
        plan.act(work)
        return work

    def _batch(self, warm: WarmGame, command: Command, plan: Plan, work: Game) -> Batch:
        now = self._clock().astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        # Clocks can be set back; the log never goes back in time.
        return Batch(
            at=max(now, warm.at),
            by=command.player,
            id=command.command_id,
            command=plan.stored,
            rules=work.rules.version,
            size=len(work.pending),
        )

    def _repeat(self, warm: WarmGame, command: Command, plan: Plan) -> Answer:
        done = warm.done[command.command_id]
        if done.digest != digest_of(command.player, plan.stored):
            raise CommandIdReused
        records = self._ledger.records(warm.game_id, after=done.first - 1, up_to=done.last)
        return answer(warm.known, command.player, self._codec.events(records), records[-1])

    def _rules(self, kind: str) -> AnyRules:
        if kind not in self._games:
            raise UnknownKind(f"There is no game {kind!r}; there are {', '.join(sorted(self._games))}.")
        return self._games[kind]

    def _plan_opening(self, rules: AnyRules, command: OpenGame | QuickStart) -> Plan:
        options = border.parse_options(rules, command.options)
        stored: dict[str, Any] = {"do": NAMES[type(command)], "kind": rules.kind, "options": border.plain(options)}
        seed = self._new_seed()
        if isinstance(command, OpenGame):
            return Plan(stored, lambda game: game.open(command.player, options, seed))
        strangers = sorted(set(command.brings) - set(command.players))
        if strangers:
            raise InvalidCommand(
                "quick_start", [FieldFault(f"brings.{strangers[0]}", "this player is not at the table")]
            )
        brings = {player: border.parse_brought(rules, brought) for player, brought in command.brings.items()}
        deck, position = border.parse_deck(rules, command.deck), border.parse_position(rules, command.position)
        stored |= _said(
            players=list(command.players), brings=border.plain(brings) or None, deck=deck, position=position
        )

        def act(game: Game) -> None:
            game.open(command.player, options, seed)
            game.gather(command.players, brings)
            game.start(command.player, deck=deck, position=position)

        return Plan(stored, act)


def _plan(rules: AnyRules, command: GameCommand) -> Plan:
    player = command.player
    do = NAMES[type(command)]
    match command:
        case MakeMove():
            move = border.parse_move(rules, command.move)
            return Plan(border.move_to_plain(rules, move), lambda game: game.move(player, move))
        case JoinGame(seal=seal):
            brought = border.parse_brought(rules, command.brings)
            stored = {"do": do, **_said(brings=brought, seal=seal)}
            return Plan(stored, lambda game: game.join(player, brought=brought, seal=seal))
        case StartGame():
            deck, position = border.parse_deck(rules, command.deck), border.parse_position(rules, command.position)
            stored = {"do": do, **_said(deck=deck, position=position)}
            return Plan(stored, lambda game: game.start(player, deck=deck, position=position))
        case RevealEntropy(entropy=entropy):
            return Plan({"do": do, "entropy": entropy}, lambda game: game.reveal(player, bytes.fromhex(entropy)))
        case LeaveGame(reason=reason):
            return Plan({"do": do, "reason": reason}, lambda game: game.leave(player, reason))
        case AbandonGame(reason=reason):
            return Plan({"do": do, "reason": reason}, lambda game: game.abandon(player, reason))
        case _:
            raise TypeError(f"{type(command).__name__} is not a command that can be handled.")


def _said(**fields: Any) -> dict[str, Any]:
    """The fields that were given, as they are stored."""
    return {name: border.plain(value) for name, value in fields.items() if value is not None}


def game_id_for(command: OpenGame | QuickStart) -> UUID:
    """The same opener and command id always give the same game, so that opening twice opens once."""
    return uuid5(NAMESPACE, f"{len(command.player)}:{command.player}:{command.command_id}")


def answer(game: Game, player: str, events: Sequence[Any], last: Record) -> Answer:
    shown = tuple(game.redact(event, player) for event in events)
    return Answer(game.id, last.version, shown, Receipt(game.id, last.version, last.link.hex()))
