"""What can be checked of a log in which records are closed: what its viewer sees is whole, linked and of one piece."""

from collections.abc import Iterator
from typing import Any

import msgspec

from fairdeal.application.errors import LedgerError, UnknownEvent
from fairdeal.application.logfile import Line, LogFile, Viewer, bytes_of
from fairdeal.application.ports import Codec
from fairdeal.application.reading import is_moment
from fairdeal.application.records import NO_LINK, SALT_SIZE, Record, link_of, seal_of
from fairdeal.application.verdicts import Fault
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE_EVENTS,
    GameAbandoned,
    GameFinished,
    GameOpened,
    PlayerLeft,
    PlayerSeated,
)

UNREADABLE = (AttributeError, OverflowError, RecursionError, TypeError, ValueError)


class Said(msgspec.Struct):
    """What can be seen of a record, whatever kind of game it is."""

    event: dict[str, Any]
    rules: int | None = None


def must_be_sound(log: LogFile, codec: Codec) -> None:
    """Raises the first fault that the viewer of a redacted log can find."""
    must_be_linked(log)
    _must_be_whole_batches(log, codec)
    _must_be_one_viewers(log)
    _must_fit_header(log)


def must_be_linked(log: LogFile) -> None:
    previous = NO_LINK
    for number, line in enumerate(log.lines, 1):
        if line.version != number:
            raise Fault(number, f"version {line.version} stands in its place")
        try:
            previous = link_of(previous, log.header.game, number, line.name, _seal(line))
        except UNREADABLE:
            raise Fault(number, "its seal cannot be read") from None
        if previous.hex() != line.link:
            raise Fault(number, "the link does not fit")


def _seal(line: Line) -> bytes:
    if line.payload is None:
        return bytes_of(line.seal or "")
    salt = bytes_of(line.salt or "")
    # Bytes of the payload could stand in the salt, and the seal would be the same.
    if len(salt) != SALT_SIZE:
        raise ValueError("a salt of another size")
    return seal_of(salt, line.payload.encode())


def _must_be_whole_batches(log: LogFile, codec: Codec) -> None:
    left, time = 0, ""
    for number, (size, at) in enumerate(_heads(log, codec), 1):
        if (size is None) == (left == 0):
            raise Fault(number, "a batch begins or goes on where it must not")
        left = (left if size is None else size) - 1
        if size is not None and (at is None or not is_moment(at) or at < time):
            raise Fault(number, "its time is none, or before that of the one before")
        time = at or time
    if left:
        raise Fault(len(log.lines), "the last batch is cut off")


def _heads(log: LogFile, codec: Codec) -> Iterator[tuple[int | None, str | None]]:
    """The size and the time of the batch that begins with a record; what is open must be readable."""
    for number, line in enumerate(log.lines, 1):
        if line.payload is None:
            said = (line.at, line.by, line.rules, line.size)
            if None in said and any(part is not None for part in said):
                raise Fault(number, "it does not say where it came from")
            yield line.size, line.at
            continue
        record = Record(log.header.game, number, line.name, line.payload.encode(), b"")
        try:
            batch = codec.batch(record)
            codec.read(record)
        except UnknownEvent:
            batch = codec.batch(record)  # a newer program knows it
        except LedgerError as error:
            raise Fault(number, error.message) from None
        yield (None, None) if batch is None else (batch.size, batch.at)


def _must_be_one_viewers(log: LogFile) -> None:
    """Records are closed only for somebody and only while the game goes on; the links prove their names."""
    if log.footer is None or log.footer.seed is not None or not isinstance(log.header.viewer, Viewer):
        raise Fault(0, "records are closed, but the log does not say for whom, or shows the seed")
    for line in log.lines:
        if line.name.partition(".")[0] != log.header.kind:
            raise Fault(line.version, "it is of another kind of game than the first line says")
    if any(_class_of(line) in (GameFinished, GameAbandoned) for line in log.lines):
        closed = next(line.version for line in log.lines if line.payload is None)
        raise Fault(closed, "it is closed although the game is over")


def _class_of(line: Line) -> type | None:
    """The shared event that a record holds, if it is one of those."""
    return LIFECYCLE_EVENTS.get(line.name.partition(".")[2])


def _must_fit_header(log: LogFile) -> None:
    """What the first line says of the game is what can be seen of it."""
    options: Any = None
    players: list[Any] = []
    for line in log.lines:
        event, kind = _said(line).event, _class_of(line)
        if kind is GameOpened:
            options = event.get("options")
        elif kind is PlayerSeated:
            players.append(event.get("player"))
        elif kind is PlayerLeft:
            players = [player for player in players if player != event.get("player")]
    header = log.header
    if not same([header.rules, header.options, header.players], [_said(log.lines[0]).rules, options, players]):
        raise Fault(0, "the first line of the log does not fit its records")


def _said(line: Line) -> Said:
    try:
        if line.payload is None:
            return Said(msgspec.convert(line.event, dict[str, Any]), line.rules)
        return msgspec.json.decode(line.payload, type=Said)
    except (msgspec.MsgspecError, RecursionError):
        raise Fault(line.version, "it does not show its event") from None


def same(told: Any, known: Any) -> bool:
    """Whether they are written alike: to Python, `true` is also 1."""
    try:
        return msgspec.json.encode(told) == msgspec.json.encode(known)
    except RecursionError:
        return False
