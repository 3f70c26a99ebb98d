"""Takes exported games into a ledger: everything is checked before anything is stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from fairdeal.application.errors import GameDiffers, ImportRefused, VersionConflict
from fairdeal.application.logfile import LogFile, read_logs
from fairdeal.application.ports import Codec, Ledger
from fairdeal.application.records import Record
from fairdeal.application.verification import verify
from fairdeal.domain.kernel.rules import AnyRules

Source = Callable[[], Iterable[bytes]]
"""Opens the lines of a file, as often as it is called."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was taken in, or was there already with the same contents."""

    game_id: UUID
    records: int
    is_new: bool


class Importer:
    """Reads a file twice: once to check every game in it, once to store them; one game is in memory at a time."""

    def __init__(self, ledger: Ledger, codec: Codec, games: Mapping[str, AnyRules]) -> None:
        self._ledger = ledger
        self._codec = codec
        self._games = games

    def check(self, source: Source) -> Iterator[UUID]:
        """Each game that could be taken in; raises at the first one that cannot."""
        for log in read_logs(source()):
            self._must_be_good(log)
            self._must_not_differ(log.records())
            yield log.header.game

    def store(self, source: Source) -> Iterator[Imported]:
        """Stores each game whole; call `check` first."""
        for log in read_logs(source()):
            yield self._store(log.records())

    def _must_be_good(self, log: LogFile) -> None:
        game = f"The log of game {log.header.game}"
        if log.fault is None and log.lines and not log.is_whole:
            raise ImportRefused(f"{game} shows only what one viewer may see; an operator's export is needed.")
        if log.header.kind not in self._games:
            raise ImportRefused(f"{game} is of a {log.header.kind!r}, which is not registered here.")
        report = verify(log, self._codec, others=self._ledger.records)
        for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
            if verdict.bad:
                raise ImportRefused(f"{game} is not {name}: record {verdict.record}, {verdict.why}.")

    def _must_not_differ(self, records: list[Record]) -> bool:
        """Whether the game is there already; raises if it is another one."""
        known = self._ledger.records(records[0].game_id)
        if known and list(known) != records:
            raise GameDiffers(f"Game {records[0].game_id} is in this ledger already, with other contents.")
        return bool(known)

    def _store(self, records: list[Record]) -> Imported:
        game_id = records[0].game_id
        if self._must_not_differ(records):
            return Imported(game_id, len(records), is_new=False)
        try:
            self._ledger.append(records)
        except VersionConflict:
            self._must_not_differ(records)  # Somebody was faster: that is fine if it is the same game.
            return Imported(game_id, len(records), is_new=False)
        return Imported(game_id, len(records), is_new=True)
