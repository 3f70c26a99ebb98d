"""`Fairdeal`: what a service embeds to play, look, replay and audit."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Event, Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from fairdeal.application.audit.ledger import audit_game, audit_ledger
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.ledger_walk import Watch, no_progress
from fairdeal.application.commands.handlers import Answer, utc_now
from fairdeal.application.commands.messages import Command, parse_command
from fairdeal.application.errors import FieldFault, InvalidQuery, UnknownGame
from fairdeal.application.exports.divergence import Divergence, ShownLog, divergence
from fairdeal.application.history.look import Look
from fairdeal.application.history.replay import Replay
from fairdeal.application.live.new_events import NewEvents
from fairdeal.application.log.record import Receipt, Record
from fairdeal.checkpoints import Checkpoints
from fairdeal.domain.kernel.rules import AnyRules, BroughtT, MoveT, OptionsT, Rules, ViewT
from fairdeal.exports import Exports
from fairdeal.infrastructure.bootstrap import assemble
from fairdeal.infrastructure.export_files import records_in, shown_in
from fairdeal.typed import GamesOf

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from fairdeal.infrastructure.readmodels.projections.base import Projection
    from fairdeal.infrastructure.readmodels.read_side import ReadSide

CACHED_GAMES = 1000


class Fairdeal:
    """Card games on one database. Safe to share between threads; several may use one database.

    The address is `sqlite:///games.db` (a file), `postgresql://…` or `memory:`. Read models are kept beside it
    (`games.read.db`, or the same PostgreSQL database) unless `read_models` names another database or an engine.
    With `read_only` the ledger must be there, and nothing is written, neither to it nor beside it.
    """

    def __init__(
        self,
        address: str,
        *,
        kinds: Mapping[str, AnyRules] = KINDS,
        cached_games: int = CACHED_GAMES,
        clock: Callable[[], datetime] = utc_now,
        read_models: "str | Engine | None" = None,
        projections: "Sequence[Projection]" = (),
        read_only: bool = False,
    ) -> None:
        self.address = address
        self.is_read_only = read_only
        self._parts = parts = assemble(
            address, kinds=kinds, cached_games=cached_games, clock=clock, read_only=read_only
        )
        self.ledger = parts.ledger
        self.codec = parts.codec
        self.queries = parts.queries
        self.watcher = parts.watcher
        self.kinds = kinds
        self.exports = Exports(parts, game_id_of)
        """Logs as files, and back."""
        self.checkpoints = Checkpoints(parts, clock)
        """One number over all that is stored, and proofs about it."""
        where = "memory:" if read_only and read_models is None else read_models
        self._read_settings: dict[str, Any] = {"address": address, "where": where, "projections": projections}
        self._read: ReadSide | None = None
        self._read_lock = Lock()

    @property
    def read(self) -> "ReadSide":
        """Questions about all games (docs/projections.md); SQLAlchemy is loaded with the first one."""
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
        if self._read is not None:
            self._read.close()
        self.ledger.close()
        self.watcher.close()

    def handle(self, command: Command | dict[str, Any]) -> Answer:
        """Carries a command out; a dict comes from outside, as `{"command": name, …}`."""
        answer = self._parts.handlers.handle(parse_command(command) if isinstance(command, dict) else command)
        self.watcher.wake(answer.game_id)
        return answer

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
        who = opener if opener is not None else next(iter(players), "")
        asked = {"player": who, "kind": kind, "players": tuple(players), "options": options}
        given = {"brings": brings, "deck": deck, "position": position, "command_id": command_id}
        return self.handle({"command": "quick_start", **asked, **_only_given(given)})

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
        given = _only_given({"command_id": command_id, "expected_version": expected_version})
        return self.handle({"command": "make_move", "game_id": game_id, "player": player, "move": move, **given})

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

        All records are read twice, by position, of which `watch` is told, and by game: what is not the same is found.
        A `memory:` ledger exists in one process only and is always audited there. Close the generator to end early.
        """
        if jobs < 1:
            raise InvalidQuery([FieldFault("jobs", f"expected 1 or more, not {jobs}")])
        if jobs == 1 or self.address == "memory:":
            return audit_ledger(self.ledger, self.codec, receipts, watch)
        from fairdeal.infrastructure.audit_workers.ordered import audit_in_processes

        return audit_in_processes(self.ledger, self.address, self.kinds, receipts, jobs, watch=watch)

    def branch(self, origin: UUID | str, version: int, player: str, *, command_id: str | None = None) -> Answer:
        """Opens a what-if: a finished game goes on from one of its versions as a game of its own."""
        asked = {"player": player, "origin": origin, "version": version}
        return self.handle({"command": "branch_game", **asked, **_only_given({"command_id": command_id})})


def _only_given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def game_id_of(game: UUID | str) -> UUID:
    """An id as it is, or as somebody wrote it; what is none is the id of no game."""
    try:
        return game if isinstance(game, UUID) else UUID(game)
    except (AttributeError, TypeError, ValueError):
        raise UnknownGame(game) from None
