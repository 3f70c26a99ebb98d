"""Files of exported games, line by line and never whole in memory."""

import os
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import ENAMETOOLONG
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from fairdeal.application.audit.ledger import by_game, missing_games
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import NotAnExport, TouchedLog
from fairdeal.application.exports.divergence import ShownLog, shown
from fairdeal.application.exports.format import LogFile, read_logs
from fairdeal.application.exports.importer import OpenLines
from fairdeal.application.exports.verify import verify
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt, Record
from fairdeal.domain.kernel.refusals import quoted
from fairdeal.domain.kernel.rules import AnyRules


def lines_of(name: str | Path) -> OpenLines:
    """The lines of a file, read anew each time they are asked for."""
    if not name or not isinstance(name, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise NotAnExport(f"{quoted(name)} is not the name of a file.")
    path = Path(name)

    def lines() -> Iterator[bytes]:
        try:
            file = path.open("rb")
        except ValueError as error:
            raise NotAnExport(f"{quoted(str(path))} cannot be the name of a file: {error}.") from None
        except OSError as error:
            if error.errno != ENAMETOOLONG:
                raise
            raise NotAnExport(f"{quoted(str(path))} cannot be the name of a file: it is too long.") from None
        with file:
            yield from file

    return lines


def logs_in(path: Path) -> Iterator[LogFile]:
    """The games of an exported file; a file without any is not an export."""
    games = 0
    for games, log in enumerate(read_logs(lines_of(path)()), 1):  # noqa: B007 – counted for what comes after the loop
        yield log
    if not games:
        raise NotAnExport(f"{path} holds no game.")


def records_in(path: Path, codec: Codec) -> Sequence[Record]:
    """The records of an exported file that holds one whole game, if they are what was exported."""
    log = _only_log_in(path)
    if log.fault is None:
        log.records()  # a redacted log is not touched, but cannot be given
    found = verify(log, codec).untouched
    if found.bad:
        raise TouchedLog(f"{path} was touched at record {found.record} ({found.why}); it can be verified and compared.")
    return log.records()


def shown_in(path: Path) -> ShownLog:
    """The records of an exported file that holds one game, as far as it shows them, touched or not."""
    log = _only_log_in(path)
    if log.fault is not None:
        raise TouchedLog(f"{path} cannot be read at record {log.fault.record}: {log.fault.why}.")
    return shown(log)


def _only_log_in(path: Path) -> LogFile:
    found = list(islice(logs_in(path), 2))
    if len(found) > 1:
        raise NotAnExport(f"{path} holds more than one game; one is needed.")
    return found[0]


def verify_file(
    path: Path, receipts: Iterable[Receipt] = (), *, games: Mapping[str, AnyRules] = KINDS, opened: Path | None = None
) -> Iterator[Report]:
    """The verdicts on each game of an exported file; no ledger is needed.

    A receipt whose game is not in the file is a finding. Redacted logs are compared with `opened`, a file with the
    whole logs that were given out after the end.
    """
    codec, kept = Codec(games), by_game(receipts)
    whole_logs = WholeLogs([] if opened is None else [opened])
    for log in logs_in(path):
        yield verify_log(log, codec, kept.pop(log.header.game, ()), whole_logs)
    yield from missing_games(kept)


class WholeLogs:
    """Logs that were opened after the end, in files that are not read before somebody asks."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._found: dict[UUID, Path] | None = None

    def of(self, game_id: UUID) -> LogFile | None:
        if self._found is None:
            self._found = {log.header.game: file for file in self._files for log in _whole_logs(file)}
        if game_id not in self._found:
            return None
        return next((log for log in _whole_logs(self._found[game_id]) if log.header.game == game_id), None)


def _whole_logs(file: Path) -> Iterator[LogFile]:
    return (log for log in read_logs(lines_of(file)()) if log.fault is None and log.is_whole)


def verify_log(log: LogFile, codec: Codec, receipts: Iterable[Receipt], opened: WholeLogs) -> Report:
    """The verdicts on one game; a redacted one is compared with its whole log, if that was opened."""
    if log.is_whole or log.fault is not None:
        return verify(log, codec, receipts)
    return verify(log, codec, receipts, opened=opened.of(log.header.game))


@contextmanager
def whole_file(path: Path, *, private: bool = False) -> Generator[BinaryIO]:
    """A file to write that is there when it is whole; until then, and if it fails, what stood there stays.

    A private one can be read by nobody else.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:  # a pipe or a device
            yield stream
        return
    path = path.resolve()  # a link stays one, and what it leads to is written
    try:
        with _beside(path) as part:
            with part.open("wb") as file:
                yield file
            if not private:
                part.chmod(0o666 & ~_umask())
            part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def _beside(path: Path) -> Generator[Path]:
    """A file of its own in the same folder, which only its owner can read and which does not outlive its use."""
    handle, name = tempfile.mkstemp(prefix=".fairdeal-", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    """What people have taken away from the rights of new files; it can only be asked for by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
