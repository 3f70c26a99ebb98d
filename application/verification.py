"""Verifies an exported log: the audit of a whole one, and of a redacted one as much as its viewer can check."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fairdeal.application import border
from fairdeal.application.audit import audit
from fairdeal.application.export import OPERATOR
from fairdeal.application.log import Lookup, nobody_else
from fairdeal.application.logfile import Line, LogFile
from fairdeal.application.ports import Codec
from fairdeal.application.records import NO_LINK, Linker, Receipt, Record, link_of, seal_of
from fairdeal.application.verdicts import Fault, Grade, Report, Verdict
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.domain.kernel.game import Game

UNREADABLE = (AttributeError, OverflowError, TypeError, ValueError)


def verify(log: LogFile, codec: Codec, receipts: Iterable[Receipt] = (), others: Lookup = nobody_else) -> Report:
    """The verdicts on one exported game."""
    kept = [receipt for receipt in receipts if receipt.game_id == log.header.game]
    if log.fault is not None or not log.lines:
        fault = log.fault or Fault(0, "the log holds no records")
        return _report(log, fault.verdict(), "the log cannot be read")
    if not log.is_whole:
        return _verify_closed(log, kept)
    report = audit(log.records(), codec, kept, others)
    if report.untouched.bad:
        return report
    try:
        _must_have_its_salts(log)
        _must_fit_header(log, codec)
        _must_fit_footer(log)
    except Fault as fault:
        return replace(report, untouched=fault.verdict())
    return report


def _verify_closed(log: LogFile, receipts: Sequence[Receipt]) -> Report:
    try:
        _must_be_linked(log)
        _must_be_whole_batches(log.lines)
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
            seal = bytes.fromhex(line.seal or "")
            if line.payload is not None:
                seal = seal_of(bytes.fromhex(line.salt or ""), line.payload.encode())
            previous = link_of(previous, log.header.game, number, line.name, seal)
        except UNREADABLE:
            raise Fault(number, "its seal cannot be read") from None
        if previous.hex() != line.link:
            raise Fault(number, "the link does not fit")


def _must_be_whole_batches(lines: Sequence[Line]) -> None:
    left = 0
    for number, size in enumerate(_sizes(lines), 1):
        if (size is None) == (left == 0):
            raise Fault(number, "a batch begins or goes on where it must not")
        left = (left if size is None else size) - 1
    if left:
        raise Fault(len(lines), "the last batch is cut off")


def _sizes(lines: Sequence[Line]) -> Iterator[int | None]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.size if line.payload is None else json.loads(line.payload).get("size")
        except UNREADABLE:
            raise Fault(number, "its payload cannot be read") from None


def _must_have_its_salts(log: LogFile) -> None:
    assert log.footer is not None
    try:
        linker = Linker(bytes.fromhex(log.footer.seed or ""), log.header.game)
    except ValueError:
        raise Fault(len(log.lines), "the seed in the last line cannot be read") from None
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
        game = _game(records, codec)
    except FairdealError:
        return  # The audit has said already what this program does not know.
    header = log.header
    told = [header.kind, header.options, header.players, header.viewer]
    known = [game.rules.kind, border.plain(game.options), list(game.players), None if game.over else OPERATOR]
    if json.dumps(told) != json.dumps(known):
        raise Fault(0, "the first line of the log does not fit its records")


def _game(records: Sequence[Record], codec: Codec) -> Game:
    return Game(records[0].game_id, codec.rules_of(records[0])).replay(codec.events(records))
