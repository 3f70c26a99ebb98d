"""Where two logs part, as a viewer may see it; and whether a redacted log showed what was opened later."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from fairdeal.application.errors import LedgerError
from fairdeal.application.exports.format import Header, LogFile, LogViewer, RecordLine
from fairdeal.application.exports.redacted import same
from fairdeal.application.exports.writer import lines_for, seen, stored_options
from fairdeal.application.log.canonical import is_same_but_for_new_keys
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import read_log
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.game import unknown_player_error
from fairdeal.domain.kernel.refusals import FairdealError

Shown = Record | RecordLine
"""A record as it was stored, or as a redacted export shows it."""


@dataclass(frozen=True, slots=True)
class ShownLog:
    """A log as far as it is shown: whole, or to one viewer."""

    records: Sequence[Shown]
    viewer: LogViewer | None = None
    """Whom a redacted log was made for."""
    header: Header | None = None
    """The first line of a file; a ledger has none."""


def shown(log: LogFile) -> ShownLog:
    if log.is_whole:
        return ShownLog(log.records(), header=log.header)
    viewer = log.header.viewer if isinstance(log.header.viewer, LogViewer) else None
    return ShownLog(log.lines, viewer, log.header)


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first record in which two logs differ, as each of them shows it; None where one of them has ended."""

    version: int
    """0 for the first lines of files, where all records are the same."""
    one: RecordLine | None
    other: RecordLine | None


def divergence(
    one: ShownLog, other: ShownLog, codec: Codec, viewer: str | None = None, *, everything: bool = False
) -> Divergence | None:
    """Where two logs part, or None if they are the same; a redacted one must have shown what the other one holds.

    Records are shown as the viewer, or a spectator, may see them; with all their secrets only if everything is asked.
    """
    if viewer is not None:
        _must_sit_somewhere((one, other), codec, viewer)
    parts = [_first_difference(one.records, other.records)]
    parts += [first_shown_otherwise(mine, theirs, codec) for mine, theirs in ((one, other), (other, one))]
    version = min((part for part in parts if part is not None), default=None)
    if version is None:
        return _headers_apart(one, other, codec)
    left, right = (_line(log, version, codec, viewer, everything=everything) for log in (one, other))
    return Divergence(version, left, right)


def _must_sit_somewhere(logs: Sequence[ShownLog], codec: Codec, viewer: str) -> None:
    """A stranger's eyes are nobody's; where a log cannot be read, nobody can tell who sits there."""
    for log in logs:
        try:
            _, game = read_log([record for record in log.records if isinstance(record, Record)], codec)
        except FairdealError:
            return
        if game.seat_of(viewer) is not None:
            return
    raise unknown_player_error(viewer)


def _headers_apart(one: ShownLog, other: ShownLog, codec: Codec) -> Divergence | None:
    """What the first lines say of one and the same game, if that is not the same."""
    left, right = (_header_line(log, codec) for log in (one, other))
    if left is None or right is None or same(left.event, right.event):
        return None
    return Divergence(0, left, right)


def _header_line(log: ShownLog, codec: Codec) -> RecordLine | None:
    header = log.header
    if header is not None:
        told = [str(header.game), header.kind, header.rules, header.options, header.players]
    else:
        records = [record for record in log.records if isinstance(record, Record)]
        try:
            decoded, game = read_log(records, codec)
        except FairdealError:
            return None
        batch, options = decoded[0].batch, stored_options(records[0])
        told = [str(game.id), game.rules.kind, batch and batch.rules, options, list(game.players)]
    event = dict(zip(("game", "kind", "rules", "options", "players"), told, strict=True))
    return RecordLine(version=0, name="header", event=event, link="")


def first_shown_otherwise(kept: ShownLog, opened: ShownLog, codec: Codec) -> int | None:
    """The first version at which a redacted log showed something else than its viewer may see in the whole one."""
    lines = [line for line in kept.records if isinstance(line, RecordLine)]
    records = [record for record in opened.records[: len(lines)] if isinstance(record, Record)]
    if kept.viewer is None or not lines or not records:
        return None
    try:
        decoded_records, game = read_log(records, codec)
    except LedgerError:
        return None  # a log that cannot be read says nothing of what was shown
    honest = lines_for(game, kept.viewer.player, records, decoded_records, whole=False)
    for line, wanted in zip(lines, honest, strict=False):
        if not is_same_but_for_new_keys(msgspec.to_builtins(line), wanted):
            return line.version
    return None


def _first_difference(one: Sequence[Shown], other: Sequence[Shown]) -> int | None:
    for version, (left, right) in enumerate(zip_longest(one, other), 1):
        if left is None or right is None or not _is_same(left, right):
            return version
    return None


def _is_same(left: Shown, right: Shown) -> bool:
    """Whether they say the same; that they stand in different games is not a difference by itself."""
    if (left.version, left.name, _link(left)) != (right.version, right.name, _link(right)):
        return False
    payloads = _payload(left), _payload(right)
    return None in payloads or payloads[0] == payloads[1]  # what is closed is proved by the link


def _link(record: Shown) -> str:
    link = record.link
    return link if isinstance(link, str) else link.hex()


def _payload(record: Shown) -> bytes | None:
    payload = record.payload
    return payload.encode() if isinstance(payload, str) else payload


def _line(log: ShownLog, version: int, codec: Codec, viewer: str | None, *, everything: bool) -> RecordLine | None:
    """The record as its file shows it or, of a whole log, as the viewer may see it.

    Only its name and link if nobody can tell how far the game has come.
    """
    record = log.records[version - 1] if version <= len(log.records) else None
    if record is None or isinstance(record, RecordLine):
        return record
    bare = RecordLine(version=record.version, name=record.name, link=record.link.hex())
    if everything:
        return msgspec.structs.replace(bare, payload=record.payload.decode(errors="backslashreplace"))
    try:
        whole = [one for one in log.records if isinstance(one, Record)]
        return msgspec.convert(seen(whole, codec, version, viewer), RecordLine)
    except (FairdealError, msgspec.ValidationError):
        return bare
