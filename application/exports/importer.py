"""Takes exported games into a ledger: everything is checked before anything is stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from uuid import UUID

from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.errors import GameDiffers, ImportRefused, LedgerError, VersionConflict
from fairdeal.application.exports.format import HEADER, LogFile, read_logs
from fairdeal.application.exports.verify import verify
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import read_log
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.rules import AnyRules

OpenLines = Callable[[], Iterable[bytes]]
"""Opens the lines of a file, as often as it is called."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was taken in, or was there already with the same contents."""

    game_id: UUID
    records: int
    is_new: bool


class Importer:
    """Reads a file twice: once to check every game in it, once to store them.

    One game is in memory at a time, and of each one that was checked its digest: nothing else is stored.
    """

    def __init__(self, ledger: Ledger, codec: Codec, games: Mapping[str, AnyRules]) -> None:
        self._ledger = ledger
        self._codec = codec
        self._games = games
        self._checked: dict[bytes, bytes] = {}
        """Ids to digests, as bytes: 200 of them for each game of the file."""

    def check(self, source: OpenLines) -> Iterator[UUID]:
        """Each game that could be taken in; raises at the first one that cannot."""
        self._checked.clear()
        for log in read_logs(source()):
            self._must_be_good(log, source)
            self._must_not_differ(log.records())
            game_id = log.header.game
            digest = bytes.fromhex(log.digest)
            if self._checked.setdefault(game_id.bytes, digest) != digest:
                raise ImportRefused(f"Game {game_id} stands twice in the file, with different contents.")
            yield game_id

    def go_on_from(self, other: "Importer") -> None:
        """What another one has checked need not be checked again, for a ledger that was not there then."""
        self._checked = other._checked

    def store(self, source: OpenLines) -> Iterator[Imported]:
        """Stores each game whole; `check` comes first."""
        for log in read_logs(source()):
            if self._checked.get(log.header.game.bytes) != bytes.fromhex(log.digest):
                raise ImportRefused(f"The log of game {log.header.game} is not what was checked.")
            yield self._store(log.records())

    def _must_be_good(self, log: LogFile, source: OpenLines) -> None:
        game = f"The log of game {log.header.game}"
        if log.fault is None and log.lines and not log.is_whole:
            raise ImportRefused(f"{game} shows only what one viewer may see; an operator's export is needed.")
        if log.header.kind not in self._games:
            raise ImportRefused(f"{game} is of a {log.header.kind!r}, which is not registered here.")
        report = verify(log, self._codec, others=lambda game_id: self._find(game_id, source))
        for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
            if verdict.bad:
                raise ImportRefused(f"{game} is not {name}: record {verdict.record}, {verdict.why}.")
        if report.legal.grade is Grade.NOT_CHECKED:
            self._must_not_be_newer(log)
            self._must_be_readable(log)

    def _must_not_be_newer(self, log: LogFile) -> None:
        """Older rules may be gone, but those of a newer program can be asked for: nothing is stored on trust."""
        here = self._games[log.header.kind].version
        for record in log.records():
            batch = self._codec.batch(record)
            if batch is not None and batch.rules > here:
                which = f"was decided by rules {batch.rules}, and this program knows {here}"
                raise ImportRefused(f"The log of game {log.header.game} {which}: import it with a newer one.")

    def _must_be_readable(self, log: LogFile) -> None:
        """Other rules may have decided it, but what they left must be a game to this program."""
        try:
            read_log(log.records(), self._codec)
        except LedgerError as error:
            raise ImportRefused(f"The log of game {log.header.game} cannot be read here: {error.message}") from None

    def _find(self, game_id: UUID, source: OpenLines) -> Sequence[Record]:
        """The game that a branch came from: in the ledger, or in the same file."""
        known = self._ledger.records(game_id)
        if known:
            return known
        wanted = f'"game":"{game_id}"'.encode()
        lines = dropwhile(lambda line: not (line.startswith(HEADER) and wanted in line), source())
        log = next(read_logs(lines), None)
        return log.records() if log is not None and log.fault is None and log.is_whole else ()

    def _must_not_differ(self, records: list[Record]) -> bool:
        """Whether the game is there already; raises if it is another one."""
        known = self._ledger.records(records[0].game_id)
        if known and list(known) != records:
            raise GameDiffers(f"Game {records[0].game_id} is in this ledger already, with other contents.")
        return bool(known)

    def _store(self, records: list[Record]) -> Imported:
        game_id = records[0].game_id
        is_there = self._must_not_differ(records)
        if not is_there:
            try:
                self._ledger.append(records)
            except VersionConflict:
                is_there = self._must_not_differ(records)  # Somebody was faster: that is fine if it is the same game.
                if not is_there:
                    raise
        if is_there:
            self._ledger.confirm()
        return Imported(game_id, len(records), is_new=not is_there)
