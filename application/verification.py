"""Verifies an exported log: the audit of a whole one, and of a redacted one as much as its viewer can check."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fairdeal.application import border
from fairdeal.application.audit import audit
from fairdeal.application.errors import LedgerError
from fairdeal.application.export import OPERATOR
from fairdeal.application.log import Lookup, nobody_else
from fairdeal.application.logfile import LogFile, Viewer, bytes_of
from fairdeal.application.ports import Codec
from fairdeal.application.reading import is_moment, read_log
from fairdeal.application.records import NO_LINK, Linker, Receipt, Record, link_of, seal_of
from fairdeal.application.verdicts import Fault, Grade, Report, Verdict
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.domain.kernel.lifecycle import LIFECYCLE_EVENTS, GameAbandoned, GameFinished

UNREADABLE = (AttributeError, OverflowError, RecursionError, TypeError, ValueError)

ENDINGS = {name for name, cls in LIFECYCLE_EVENTS.items() if cls in (GameFinished, GameAbandoned)}


def verify(log: LogFile, codec: Codec, receipts: Iterable[Receipt] = (), others: Lookup = nobody_else) -> Report:
    """The verdicts on one exported game."""
    kept = [receipt for receipt in receipts if receipt.game_id == log.header.game]
    if log.fault is not None or not log.lines:
        fault = log.fault or Fault(0, "the log holds no records")
        return _report(log, fault.verdict(), "the log cannot be read")
    if not log.is_whole:
        return _verify_closed(log, codec, kept)
    report = audit(log.records(), codec, kept, others)
    if report.untouched.bad:
        return report
    try:
        _must_have_its_salts(log, codec)
        _must_fit_header(log, codec)
        _must_fit_footer(log)
    except Fault as fault:
        return replace(report, untouched=fault.verdict())
    return report


def _verify_closed(log: LogFile, codec: Codec, receipts: Sequence[Receipt]) -> Report:
    try:
        _must_be_linked(log)
        _must_be_whole_batches(log, codec)
        _must_be_one_viewers(log)
        _must_fit_footer(log)
        for receipt in receipts:
            if not 1 <= receipt.version <= len(log.lines):
                raise Fault(receipt.version, "a receipt exists for this record, but the record is missing")
            if log.lines[receipt.version - 1].link != receipt.link:
                raise Fault(receipt.version, "a receipt shows another link")
    except Fault as fault:
        return _report(log, fault.verdict(), "the log cannot be read")
    untouched = Verdict(Grade.YES, f"{len(log.lines)} records, {len(receipts)} receipts; closed ones by their seals")
    closed = "the game is still running: some records are closed"
    return Report(
        log.header.game,
        log.header.kind,
        len(log.lines),
        untouched,
        Verdict(Grade.NOT_YET, closed),
        Verdict(Grade.NOT_CHECKED, closed),
    )


def _report(log: LogFile, untouched: Verdict, why: str) -> Report:
    unread = Verdict(Grade.NOT_CHECKED, why)
    return Report(log.header.game, log.header.kind, len(log.lines), untouched, unread, unread)


def _must_be_linked(log: LogFile) -> None:
    previous = NO_LINK
    for number, line in enumerate(log.lines, 1):
        if line.version != number:
            raise Fault(number, f"version {line.version} stands in its place")
        try:
            seal = bytes_of(line.seal or "")
            if line.payload is not None:
                seal = seal_of(bytes_of(line.salt or ""), line.payload.encode())
            previous = link_of(previous, log.header.game, number, line.name, seal)
        except UNREADABLE:
            raise Fault(number, "its seal cannot be read") from None
        if previous.hex() != line.link:
            raise Fault(number, "the link does not fit")


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
    """The size and the time of the batch that begins with a record."""
    for number, line in enumerate(log.lines, 1):
        if line.payload is None:
            yield line.size, line.at
            continue
        try:
            batch = codec.batch(Record(log.header.game, number, line.name, line.payload.encode(), b""))
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
    if any(line.name.partition(".")[2] in ENDINGS for line in log.lines):
        closed = next(line.version for line in log.lines if line.payload is None)
        raise Fault(closed, "it is closed although the game is over")


def _must_have_its_salts(log: LogFile, codec: Codec) -> None:
    assert log.footer is not None
    seed = codec.seed_of(log.records()[0])
    if log.footer.seed != seed.hex():
        raise Fault(len(log.lines), "the seed in the last line is not the one of the game")
    linker = Linker(seed, log.header.game)
    for line in log.lines:
        if line.salt != linker.salt(line.version).hex():
            raise Fault(line.version, "the salt is not the one of the seed")


def _must_fit_footer(log: LogFile) -> None:
    footer = log.footer
    assert footer is not None
    if (footer.records, footer.link) != (len(log.lines), log.lines[-1].link):
        raise Fault(len(log.lines), "the last line of the log does not fit")
    if footer.digest != log.digest:
        raise Fault(0, "the file's digest does not fit: something beside the records was changed")


def _must_fit_header(log: LogFile, codec: Codec) -> None:
    """What the first line says of the game is what its records say."""
    records = log.records()
    try:
        _, game = read_log(records, codec)
    except FairdealError:
        return  # The audit has said already what this program does not know.
    header = log.header
    batch = codec.batch(records[0])
    told = [header.kind, header.rules, header.options, header.players]
    known = [game.rules.kind, batch and batch.rules, border.plain(game.options), list(game.players)]
    if json.dumps(told) != json.dumps(known) or header.viewer != (None if game.over else OPERATOR):
        raise Fault(0, "the first line of the log does not fit its records")
