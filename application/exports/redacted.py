"""What can be checked of a log with redacted records: what its viewer sees is whole, linked and of one piece."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from fairdeal.application.errors import LedgerError, UnknownEvent, UnknownKind
from fairdeal.application.exports.format import LogFile, LogViewer, RecordLine
from fairdeal.application.log.canonical import bytes_of, is_canonical
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NO_LINK, SALT_SIZE, link_of, seal_of
from fairdeal.application.log.reader import going_forward, must_be_version, whole_batches
from fairdeal.application.log.record import Batch, Record, is_moment
from fairdeal.domain.kernel.chance import is_digest
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE_EVENTS,
    GameAbandoned,
    GameFinished,
    GameOpened,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
)

UNREADABLE = (AttributeError, OverflowError, RecursionError, TypeError, ValueError)


class ShownRecord(msgspec.Struct):
    """What can be seen of a record, whatever kind of game it is."""

    event: dict[str, Any]
    rules: int | None = None


def must_be_sound(log: LogFile, codec: Codec) -> None:
    """Raises the first fault that the viewer of a redacted log can find."""
    lines_must_be_linked(log)
    for _ in going_forward(whole_batches(_heads(log, codec))):
        pass
    _must_be_one_viewers(log)
    _must_fit_header(log)


def lines_must_be_linked(log: LogFile) -> None:
    previous = NO_LINK
    for number, line in enumerate(log.lines, 1):
        must_be_version(line.version, number)
        try:
            previous = link_of(previous, log.header.game, number, line.name, _seal(line))
        except UNREADABLE:
            raise Fault(number, "its seal cannot be read") from None
        if previous.hex() != line.link:
            raise Fault(number, "the link does not fit")


def _seal(line: RecordLine) -> bytes:
    if line.payload is None:
        seal = bytes_of(line.seal or "")
        if len(seal) != len(NO_LINK):
            raise ValueError("a seal of another size")
        return seal
    salt = bytes_of(line.salt or "")
    # Bytes of the payload could stand in the salt, and the seal would be the same.
    if len(salt) != SALT_SIZE:
        raise ValueError("a salt of another size")
    return seal_of(salt, line.payload.encode())


class ShownHead(NamedTuple):
    """What a redacted record shows of the batch that it begins."""

    size: int
    at: str


def _heads(log: LogFile, codec: Codec) -> Iterator[ShownHead | Batch | None]:
    """For each record the head of the batch that it begins, if it begins one; what is open must be readable."""
    for number, line in enumerate(log.lines, 1):
        if line.payload is None:
            yield _shown_head(number, line)
            continue
        record = Record(log.header.game, number, line.name, line.payload.encode(), b"")
        try:
            batch = codec.batch(record)
            if not is_canonical(record.payload):
                raise Fault(number, "the payload is not written as Fairdeal writes it")
        except LedgerError as error:
            raise Fault(number, error.message) from None
        yield batch


def _shown_head(number: int, line: RecordLine) -> ShownHead | None:
    if (line.at, line.by, line.rules, line.size) == (None, None, None, None):
        return None
    if not line.at or not line.by or not (line.rules or 0) > 0 or line.size is None or line.size < 1:
        raise Fault(number, "it does not say where it came from")
    if not is_moment(line.at):
        raise Fault(number, "its time is not written as Fairdeal writes it")
    return ShownHead(line.size, line.at)


def must_be_understood(log: LogFile, codec: Codec) -> None:
    """Open records of rules that this program has say nothing that it does not know."""
    rules = 0
    for number, line in enumerate(log.lines, 1):
        record = Record(log.header.game, number, line.name, (line.payload or "").encode(), b"")
        batch = None if line.payload is None else codec.batch(record)
        rules = line.rules or (rules if batch is None else batch.rules)
        try:
            if line.payload is None or codec.rules_of(record).version != rules:
                continue
            if not codec.is_understood(record):
                raise Fault(number, "it says more than these rules know")
        except (UnknownEvent, UnknownKind):
            continue  # a newer program knows it
        except LedgerError as error:
            raise Fault(number, error.message) from None


def _must_be_one_viewers(log: LogFile) -> None:
    """Records are redacted only for somebody and only while the game goes on; the links prove their names."""
    if log.footer is None or log.footer.seed is not None or not isinstance(log.header.viewer, LogViewer):
        raise Fault(0, "records are redacted, but the log does not say for whom, or shows the seed")
    for line in log.lines:
        if line.name.partition(".")[0] != log.header.kind:
            raise Fault(line.version, "it is of another kind of game than the first line says")
    if any(_class_of(line) in (GameFinished, GameAbandoned) for line in log.lines):
        redacted = next(line.version for line in log.lines if line.payload is None)
        raise Fault(redacted, "it is redacted although the game is over")


def _class_of(line: RecordLine) -> type | None:
    """The shared event that a record holds, if it is one of those."""
    return LIFECYCLE_EVENTS.get(line.name.partition(".")[2])


def _must_fit_header(log: LogFile) -> None:
    """What the first line says of the game is what can be seen of it."""
    header, viewer, opened = log.header, log.header.viewer, _opened(log)
    players = _seated(log)
    told, known = [header.rules, header.options, header.players], [opened.rules, opened.event["options"], players]
    is_outsider = isinstance(viewer, LogViewer) and viewer.player is not None and viewer.player not in players
    if is_outsider or not same(told, known):
        raise Fault(0, "the first line of the log does not fit its records")


def _opened(log: LogFile) -> ShownRecord:
    """The first record, which alone opens a game and hides its seed."""
    for line in log.lines:
        if (_class_of(line) is GameOpened) != (line.version == 1):
            raise Fault(line.version, "the game does not begin with its opening, or begins twice")
    opened = _shown_record(log.lines[0])
    event = opened.event
    commitment = event.get("commitment")
    if not (isinstance(commitment, str) and is_digest(commitment)) or event.get("seed") is not None:
        raise Fault(1, "it does not commit to a seed, or shows it")
    if not isinstance(event.get("options"), dict):
        raise Fault(1, "it does not say by which options")
    return opened


def _seated(log: LogFile) -> list[Any]:
    """Who sits there, as far as the records tell; nobody sits down when the seats are closed."""
    players: list[Any] = []
    started = False
    for line in log.lines:
        event, kind = _shown_record(line).event, _class_of(line)
        if kind in (PlayerSeated, PlayerLeft) and started:
            raise Fault(line.version, "somebody comes or goes after the seats were closed")
        if kind is PlayerSeated:
            players.append(event.get("player"))
        elif kind is PlayerLeft:
            players = [player for player in players if player != event.get("player")]
        started = started or kind is GameStarted
    return players


def _shown_record(line: RecordLine) -> ShownRecord:
    try:
        if line.payload is None:
            return ShownRecord(msgspec.convert(line.event, dict[str, Any]), line.rules)
        return msgspec.json.decode(line.payload, type=ShownRecord)
    except (msgspec.MsgspecError, RecursionError):
        raise Fault(line.version, "it does not show its event") from None


def same(told: Any, known: Any) -> bool:
    """Whether they are written alike: to Python, `true` is also 1."""
    try:
        return msgspec.json.encode(told) == msgspec.json.encode(known)
    except RecursionError:
        return False
