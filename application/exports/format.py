"""Reads exported logs, one game after the other, however many stand in a file."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

import msgspec

from fairdeal.application.errors import NotAnExport, RedactedLog
from fairdeal.application.exports.writer import FORMAT
from fairdeal.application.log.canonical import bytes_of
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.record import Record

HEADER, FOOTER = b'{"fairdeal":', b'{"records":'
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class LogViewer(msgspec.Struct, forbid_unknown_fields=True):
    """Whose eyes: a player's, or a spectator's without a name."""

    player: str | None


class Header(msgspec.Struct, forbid_unknown_fields=True):
    fairdeal: int
    game: UUID
    kind: str
    rules: int
    options: Any
    players: list[str]
    viewer: LogViewer | Literal["operator"] | None


class RecordLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A record: an open one has payload and salt, a redacted one its seal and what may be seen."""

    version: int
    name: str
    payload: str | None = None
    salt: str | None = None
    seal: str | None = None
    at: str | None = None
    by: str | None = None
    rules: int | None = None
    size: int | None = None
    event: Any = None
    link: str

    @property
    def is_one_or_the_other(self) -> bool:
        redacted = (self.seal, self.at, self.by, self.rules, self.size, self.event)
        if self.payload is None:
            return self.salt is None and self.seal is not None and self.event is not None
        return self.salt is not None and redacted == (None,) * len(redacted)


class Footer(msgspec.Struct, forbid_unknown_fields=True):
    records: int
    link: str
    seed: str | None
    digest: str


_HEADER = msgspec.json.Decoder(Header)
_LINE = msgspec.json.Decoder(RecordLine)
_FOOTER = msgspec.json.Decoder(Footer)
_ENCODE = msgspec.json.Encoder().encode


@dataclass(slots=True)
class LogFile:
    """One game of a file; `fault` says where it could not be read."""

    header: Header
    lines: list[RecordLine] = field(default_factory=list[RecordLine])
    footer: Footer | None = None
    digest: str = ""
    fault: Fault | None = None
    _records: list[Record] = field(default_factory=list[Record])

    @property
    def is_whole(self) -> bool:
        """Whether there are records, and none of them is redacted."""
        return bool(self.lines) and all(line.payload is not None for line in self.lines)

    @property
    def viewer(self) -> str:
        """Whose eyes the log was written for, as one says it."""
        viewer = self.header.viewer
        return (viewer.player or "a spectator") if isinstance(viewer, LogViewer) else "one viewer"

    def records(self) -> list[Record]:
        """The records as they were stored; whether they are what they should be is for the audit to say."""
        if not self.lines:
            raise NotAnExport(f"The log of game {self.header.game} holds no records.")
        if not self.is_whole:
            raise RedactedLog(self.header.game, self.viewer)
        if not self._records:
            self._records = [
                Record(self.header.game, line.version, line.name, (line.payload or "").encode(), _link(line.link))
                for line in self.lines
            ]
        return self._records


def is_export(beginning: bytes) -> bool:
    """Whether a file that begins so means to be an exported log; proofs say in words what they are."""
    return re.match(rb'\{"fairdeal":\s*\d', beginning) is not None


def read_logs(lines: Iterable[bytes]) -> Iterator[LogFile]:
    """The games of a file in order; only one of them is in memory."""
    log: LogFile | None = None
    digest = hashlib.sha256()
    for number, line in enumerate(lines, 1):
        if line.startswith(HEADER):
            if log is not None:
                yield _unfinished(log)
            log, digest = _begun(_header(line, number), line), hashlib.sha256(line)
        elif log is None:
            raise NotAnExport(f"Line {number} is not the beginning of an exported log.")
        elif line.startswith(FOOTER):
            log.digest = digest.hexdigest()
            _read_footer(log, line)
            yield log
            log = None
        else:
            digest.update(line)
            _read_line(log, line)
    if log is not None:
        yield _unfinished(log)


def count_logs(lines: Iterable[bytes]) -> int:
    """How many games begin in a file, whatever there is in them."""
    return sum(line.startswith(HEADER) for line in lines)


def read_export(text: str) -> list[Record]:
    """The records of a file that holds one whole game."""
    (log,) = read_logs(text.encode().splitlines(keepends=True))
    return log.records()


def _header(line: bytes, number: int) -> Header:
    try:
        header = _HEADER.decode(line)
    except UNREADABLE as error:
        raise NotAnExport(f"Line {number} is not the beginning of an exported log: {error}.") from None
    if header.fairdeal != FORMAT:
        raise NotAnExport(f"Line {number} begins a log of format {header.fairdeal}; this program knows {FORMAT}.")
    return header


def _begun(header: Header, line: bytes) -> LogFile:
    return LogFile(header, fault=_oddity(0, header, line))


def _read_line(log: LogFile, line: bytes) -> None:
    if log.fault is not None:
        return
    number = len(log.lines) + 1
    try:
        found = _LINE.decode(line)
    except UNREADABLE as error:
        log.fault = Fault(number, f"its line cannot be read ({error})")
        return
    log.lines.append(found)
    log.fault = _oddity(number, found, line)
    if not found.is_one_or_the_other:
        log.fault = Fault(number, "its line is neither open nor redacted")


def _read_footer(log: LogFile, line: bytes) -> None:
    number = len(log.lines)
    try:
        log.footer = _FOOTER.decode(line)
    except UNREADABLE as error:
        log.fault = log.fault or Fault(number, f"the last line of the log cannot be read ({error})")
    else:
        log.fault = log.fault or _oddity(number, log.footer, line)


def _oddity(number: int, read: msgspec.Struct, line: bytes) -> Fault | None:
    """Other readers might take another of two keys, or stumble over a space: there is one way to write a line."""
    return None if _ENCODE(read) + b"\n" == line else Fault(number, "a line is not written as Fairdeal writes it")


def _unfinished(log: LogFile) -> LogFile:
    log.fault = log.fault or Fault(len(log.lines), "the log ends without its last line")
    return log


def _link(text: str) -> bytes:
    try:
        return bytes_of(text)
    except ValueError:
        return b""
