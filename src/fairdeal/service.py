"""`Fairdeal`: what a service embeds to play, look, replay and audit."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from threading import Event, Lock
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from fairdeal.application.audit.ledger import audit_game, audit_ledger
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.bots import expiry_of, is_deserted
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.ledger_walk import Watch, no_progress
from fairdeal.application.commands.handlers import MOMENT_SECONDS, Answer, Asked, Outcome, Sent, utc_now
from fairdeal.application.commands.messages import Command, parse_command
from fairdeal.application.commands.observing import (
    DONE,
    UNFORESEEN,
    CommandObserved,
    Observe,
    Observers,
    by_whom,
    name_of,
)
from fairdeal.application.commands.policy import STAFF, STRICT, TRUSTING, Caller, Policy
from fairdeal.application.errors import FieldFault, InvalidQuery, UnknownGame, must_be_a_number
from fairdeal.application.exports.divergence import Divergence, ShownLog, divergence
from fairdeal.application.health import Health, checked
from fairdeal.application.history.look import Look
from fairdeal.application.history.replay import Replay
from fairdeal.application.live.new_events import NewEvents
from fairdeal.application.log.record import Receipt, Record
from fairdeal.application.one_process import OneProcess
from fairdeal.application.time_limit import TimeLimit
from fairdeal.checkpoints import Checkpoints
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.refusals import FairdealError, quoted
from fairdeal.domain.kernel.rules import AnyRules, BroughtT, MoveT, OptionsT, Rules, ViewT
from fairdeal.exports import Exports
from fairdeal.infrastructure.bootstrap import assemble
from fairdeal.infrastructure.export_files import records_in, shown_in
from fairdeal.infrastructure.ledger.addresses import PATIENCE_SECONDS
from fairdeal.typed import GamesOf
from fairdeal.visitor import Visitor

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from fairdeal.infrastructure.readmodels.projections.base import Projection
    from fairdeal.infrastructure.readmodels.read_side import ReadSide

CACHE_MEGABYTES = 256.0


class Fairdeal:
    """Card games on one database. Safe to share between threads; several may use one database.

    The address is `sqlite:///games.db` (a file), `postgresql://…` or `memory:`. Read models are kept beside it
    (`games.read.db`, or the same PostgreSQL database) unless `read_models` names another database or an engine.
    With `read_only` the ledger must be there, and nothing is written, neither to it nor beside it. `patience` is how
    many seconds a command waits, from when it comes in, for others who write and for a database that is locked or away.
    `policy` says who may do what (docs/embedding.md): code that embeds us is trusted. `operators` are the names under
    which games can be made void. `observe` is told of every command, for metrics. Games are kept in memory up to about
    `cache_megabytes`, and up to `cached_games` if that is given. With `large_tables` options are taken that no usual
    table needs, such as a Reviiyot deck of a hundred thousand numbers.
    """

    def __init__(
        self,
        address: str,
        *,
        kinds: Mapping[str, AnyRules] = KINDS,
        cache_megabytes: float = CACHE_MEGABYTES,
        cached_games: int | None = None,
        large_tables: bool = False,
        clock: Callable[[], datetime] = utc_now,
        read_models: "str | Engine | None" = None,
        projections: "Sequence[Projection]" = (),
        read_only: bool = False,
        patience: float = PATIENCE_SECONDS,
        policy: Policy = TRUSTING,
        operators: Collection[str] = (),
        observe: Observe | None = None,
    ) -> None:
        _must_be_settings(patience=patience, cache_megabytes=cache_megabytes, cached_games=cached_games)
        self.address = address
        self.is_read_only = read_only
        self.patience = patience
        self.policy = policy
        self._clock = clock
        self._parts = parts = assemble(
            address,
            kinds=kinds,
            cache_megabytes=cache_megabytes,
            cached_games=cached_games,
            large_tables=large_tables,
            clock=clock,
            read_only=read_only,
            patience=patience,
            policy=policy,
            operators=frozenset(operators),
        )
        self.ledger = parts.ledger
        self.codec = parts.codec
        self.queries = parts.queries
        self.watcher = parts.watcher
        self.observers = Observers()
        """Who is told of every command."""
        if observe is not None:
            self.observers.add(observe)
        self.kinds = kinds
        self.exports = Exports(parts, game_id_of)
        """Logs as files, and back."""
        self.checkpoints = Checkpoints(parts, clock)
        """One number over all that is stored, and proofs about it."""
        where = "memory:" if read_only and read_models is None else read_models
        self._read_settings: dict[str, Any] = {"address": address, "where": where, "projections": projections}
        self._read: ReadSide | None = None
        self._read_lock = Lock()
        self._process = OneProcess()

    @property
    def read(self) -> "ReadSide":
        """Questions about all games (docs/projections.md); SQLAlchemy is loaded with the first one."""
        self._process.must_be_ours()
        with self._read_lock:
            if self._read is None:
                from fairdeal.infrastructure.readmodels.read_side import ReadSide

                self._read = ReadSide(self.ledger, self.codec, self.kinds, **self._read_settings)
            return self._read

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._read is not None and self._process.is_ours:
            self._read.close()
        self.ledger.close()
        self.watcher.close()

    def handle(
        self,
        command: Command | dict[str, Any],
        *,
        who: Caller | None = None,
        policy: Policy | None = None,
        patience: float | None = None,
    ) -> Answer:
        """Carries a command out; a dict comes from outside, as `{"command": name, …}`.

        Who asks is the acting player unless `who` says otherwise, and `policy` stands in for the policy of the service.
        `patience` is how many seconds this one may wait, if not as many as this Fairdeal was opened with.
        """
        began = perf_counter()
        message: Command | None = None
        try:
            message = parse_command(command)
            answer = self._parts.handlers.handle(message, who=who, policy=policy, patience=patience)
        except Exception as error:
            self._observe(command, message, None, _code_of(error), perf_counter() - began)
            raise
        self._observe(command, message, answer, DONE, perf_counter() - began)
        self.watcher.wake(answer.game_id)
        return answer

    def handle_all(self, sent: Sequence[Sent], done: Callable[[int, Outcome], object]) -> Sequence[tuple[int, Sent]]:
        """What `handle` does, for many commands with as few transactions as it takes; says of each what came of it.

        None is left over.
        """
        for number, one in self._handle_together(sent, done, self._parts.handlers.handle_all, None):
            try:
                done(number, self.handle(one.command, who=one.who, policy=one.policy, patience=one.limit.left))
            except Exception as error:
                done(number, error)
        return ()

    def handle_at_once(
        self, sent: Sequence[Sent], done: Callable[[int, Outcome], object]
    ) -> Sequence[tuple[int, Sent]]:
        """What `handle_all` does, for an event loop that must not wait; answers with those that are left over, and
        their numbers."""
        return self._handle_together(sent, done, self._parts.handlers.handle_at_once, TimeLimit(MOMENT_SECONDS))

    def _handle_together(
        self,
        sent: Sequence[Sent],
        done: Callable[[int, Outcome], object],
        handle: Callable[[Sequence[Asked], Callable[[int, Outcome], object]], Sequence[int]],
        limit: TimeLimit | None,
    ) -> list[tuple[int, Sent]]:
        began = perf_counter()
        asked_for: list[tuple[int, Asked]] = []
        finished: list[UUID] = []

        def tell(number: int, message: Command | None, outcome: Outcome) -> None:
            answer = outcome if isinstance(outcome, Answer) else None
            self._observe(sent[number].command, message, answer, _code_of(outcome), perf_counter() - began)
            if answer is not None:
                finished.append(answer.game_id)
            done(number, outcome)

        for number, (command, who, policy, its_own) in enumerate(sent):
            try:
                message = parse_command(command)
                asked = self._parts.handlers.asked(message, who=who, policy=policy, limit=limit or its_own)
            except Exception as error:
                tell(number, None, error)
            else:
                asked_for.append((number, asked))
        left_over = handle(
            [asked for _, asked in asked_for],
            lambda at, outcome: tell(asked_for[at][0], asked_for[at][1].command, outcome),
        )
        for game in finished:
            self.watcher.wake(game)
        rest = [asked_for[at] for at in left_over]
        return [(number, sent[number]._replace(command=asked.command)) for number, asked in rest]

    def _observe(
        self, sent: Command | dict[str, Any], message: Command | None, answer: Answer | None, code: str, seconds: float
    ) -> None:
        if not self.observers.are_there:
            return
        game = answer.game_id if answer is not None else getattr(message, "game_id", None)
        observed = CommandObserved(
            command=name_of(sent),
            kind=self._parts.cache.kind_of(game),
            game=game,
            by=by_whom(getattr(message, "player", None)),
            code=code,
            before=None if answer is None else answer.version - len(answer.seen),
            version=None if answer is None else answer.version,
            milliseconds=round(seconds * 1000, 3),
        )
        self.observers.tell(observed)

    def health(self) -> Health:
        """Whether everything that a service needs from here works; it says what does not and raises nothing."""
        checks = [checked("ledger", self.ledger.head)]
        if self._read is not None:
            checks.append(checked("read_models", self._read.progress))
        return Health(tuple(checks))

    def visitor(self, who: Caller | str | None, *, policy: Policy = STRICT) -> Visitor:
        """The same calls for an outsider, None for somebody unknown: what they may not is refused."""
        if not isinstance(who, Caller | str | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidQuery([FieldFault("who", f"expected a player's name or a Caller, not {quoted(who)}")])
        return Visitor(self, Caller(who) if isinstance(who, str) else who, policy)

    def game(self, game_id: UUID | str) -> Game:
        """The game itself with all its secrets, as the ledger holds it: to be read, never changed or handed on."""
        return self.queries.fresh(game_id_of(game_id), None)[0]

    def of(self, rules: Rules[Any, MoveT, OptionsT, BroughtT, ViewT]) -> GamesOf[MoveT, OptionsT, BroughtT, ViewT]:
        """The same for one kind of game, with its own types: `fairdeal.of(RED7).look(game, "ann").view.hand`."""
        return GamesOf(self, rules)

    def start_game(
        self,
        kind: str,
        players: Sequence[str],
        options: Any = None,
        *,
        opener: str | None = None,
        brings: Mapping[str, Any] | None = None,
        deck: Any = None,
        position: Any = None,
        command_id: str | None = None,
    ) -> Answer:
        """Seats the players and deals, in one call: from a shuffle, a given deck or a position."""
        given = {"brings": brings, "deck": deck, "position": position, "command_id": command_id}
        return self.handle(start_command(kind, players, options, opener, **given))

    def move(
        self,
        game_id: UUID | str,
        player: str,
        move: Any,
        *,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Makes a move: the game's own move object, or `{"move": name, …}`."""
        given = {"command_id": command_id, "expected_version": expected_version}
        return self.handle(move_command(game_id, player, move, **given))

    def look(self, game_id: UUID | str, player: str | None = None) -> Look[Any, Any]:
        """The game as this player, or a spectator, may see it now, with their legal moves."""
        return self.queries.look(game_id_of(game_id), player)

    def story(self, game_id: UUID | str, player: str | None = None) -> tuple[str, ...]:
        """What happened, in English, one line per event."""
        return self.queries.story(game_id_of(game_id), player)

    def events(self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0) -> NewEvents:
        """What this viewer may see of all that happened after a version; it costs what is new, not what is old."""
        return self._parts.live.events(game_id_of(game_id), viewer, after)

    def follow(
        self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0, patience: float | None = None
    ) -> Iterator[NewEvents]:
        """What happens after a version, as it happens, until the game is over.

        The first message comes at once, perhaps without events; each goes on where the one before ended. Whoever was
        cut off, or is slow, follows again after the last version they have. With `patience` it ends, too, when
        nothing has happened for so many seconds.
        """
        game, woken = game_id_of(game_id), Event()
        with self.watcher.watching(game, woken.set):
            new = self.events(game, viewer, after=after)
            yield new
            while not new.over and woken.wait(patience):
                # First this, then a look: what is stored meanwhile wakes it again.
                woken.clear()
                latest = self.events(game, viewer, after=new.version)
                if latest.events:
                    yield latest
                new = latest

    def records(self, log: UUID | str | Path) -> Sequence[Record]:
        """The records of a game by its id, or of an exported file that holds one whole game."""
        if isinstance(log, Path):
            return records_in(log, self.codec)
        records = self.ledger.records(game_id_of(log))
        if not records:
            raise UnknownGame(log)
        return records

    def replay(self, log: UUID | str | Path, viewer: str | None = None, *, open_cards: bool = False) -> Replay:
        """The game under the finger, to step through as a player, a spectator or, after the end, with open cards."""
        return Replay(self.records(log), self.codec, viewer, open_cards=open_cards)

    def divergence(
        self, one: UUID | str | Path, other: UUID | str | Path, viewer: str | None = None, *, everything: bool = False
    ) -> Divergence | None:
        """The first record in which two logs differ, as the viewer, or a spectator, may see it; None if there is none.

        With `everything` it has all its secrets. A redacted export can be compared, too: it must have shown what the
        other log holds.
        """
        return divergence(self._shown(one), self._shown(other), self.codec, viewer, everything=everything)

    def _shown(self, log: UUID | str | Path) -> ShownLog:
        return shown_in(log) if isinstance(log, Path) else ShownLog(self.records(log))

    def audit(self, game_id: UUID | str, receipts: Iterable[Receipt] = ()) -> Report:
        """Whether the log is untouched, the shuffle fair and every move legal."""
        return audit_game(self.ledger, self.codec, game_id_of(game_id), receipts)

    def audit_all(
        self, receipts: Iterable[Receipt] = (), *, jobs: int = 1, watch: Watch = no_progress
    ) -> Generator[Report]:
        """The audit of every game in the ledger, one after the other, by as many processes as there are `jobs`.

        All records are read twice, by position, of which `watch` is told, and by game: what is not the same is found,
        and so are positions without a record, if need be by a last report that is about no game (`is_of_ledger`).
        A `memory:` ledger exists in one process only and is always audited there. Close the generator to end early.
        """
        must_be_a_number("jobs", jobs, least=1)
        if jobs == 1 or self.address == "memory:":
            return audit_ledger(self.ledger, self.codec, receipts, watch)
        from fairdeal.infrastructure.audit_workers.ordered import audit_in_processes

        return audit_in_processes(self.ledger, self.address, self.kinds, receipts, jobs, watch=watch)

    def now(self) -> datetime:
        """The time by which commands are recorded."""
        return self._clock()

    def expire_lobbies(self, after: timedelta) -> tuple[UUID, ...]:
        """Makes lobbies void that nobody has joined for so long; says which."""
        try:
            until = self.now() - after
        except (OverflowError, TypeError):
            raise InvalidQuery(
                [FieldFault("after", "expected a length of time that is not longer than time")]
            ) from None
        found, cursor = list[UUID](), None
        while True:
            page = self.read.games(phase=Phase.LOBBY, limit=500, cursor=cursor)
            for game in page.items:
                if game.opened_at <= until and is_deserted(game.opener, game.players):
                    command = expiry_of(self.look(game.id))
                    if command is not None:
                        self.handle(command, who=Caller(command.player, frozenset({STAFF})))
                        found.append(game.id)
            cursor = page.next
            if cursor is None:
                return tuple(found)

    def branch(self, origin: UUID | str, version: int, player: str, *, command_id: str | None = None) -> Answer:
        """Opens a what-if: a finished game goes on from one of its versions as a game of its own."""
        return self.handle(branch_command(origin, version, player, command_id=command_id))


def _code_of(outcome: Outcome) -> str:
    if isinstance(outcome, Answer):
        return DONE
    return outcome.code if isinstance(outcome, FairdealError) else UNFORESEEN


def _must_be_settings(*, patience: object, cache_megabytes: object, cached_games: object) -> None:
    for name, value in (("patience", patience), ("cache_megabytes", cache_megabytes)):
        if not isinstance(value, int | float) or not 0 <= value < inf:
            raise InvalidQuery([FieldFault(name, f"expected a number, 0 or more, not {quoted(value)}")])
    if cached_games is not None:
        must_be_a_number("cached_games", cached_games)


def start_command(kind: str, players: Sequence[str], options: Any, opener: str | None, **given: Any) -> dict[str, Any]:
    # What is not a list of names is told so by the command.
    is_list = isinstance(players, Iterable) and not isinstance(players, str)  # pyright: ignore[reportUnnecessaryIsInstance]
    names: Any = tuple(players) if is_list else players
    who: Any = opener if opener is not None else next(iter(names), "") if is_list else ""
    asked = {"player": who, "kind": kind, "players": names, "options": options}
    return {"command": "quick_start", **asked, **_only_given(given)}


def move_command(game_id: UUID | str, player: str, move: Any, **given: Any) -> dict[str, Any]:
    return {"command": "make_move", "game_id": game_id, "player": player, "move": move, **_only_given(given)}


def branch_command(origin: UUID | str, version: int, player: str, **given: Any) -> dict[str, Any]:
    return {"command": "branch_game", "player": player, "origin": origin, "version": version, **_only_given(given)}


def _only_given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def game_id_of(game: UUID | str) -> UUID:
    """An id as it is, or as somebody wrote it; what is not an id belongs to no game."""
    try:
        return game if isinstance(game, UUID) else UUID(game)
    except (AttributeError, TypeError, ValueError):
        raise UnknownGame(game) from None
