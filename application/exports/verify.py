"""Verifies an exported log: the audit of a whole one, and of a redacted one as much as its viewer can check."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fairdeal.application.audit.game import audit, must_fit_receipts
from fairdeal.application.audit.verdicts import Grade, Report, Verdict, bad_at
from fairdeal.application.exports.divergence import first_shown_otherwise, shown
from fairdeal.application.exports.format import LogFile
from fairdeal.application.exports.redacted import lines_must_be_linked, must_be_sound, must_be_understood, same
from fairdeal.application.exports.writer import OPERATOR, stored_options
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import Linker
from fairdeal.application.log.origin import Lookup, nobody_else
from fairdeal.application.log.reader import read_log
from fairdeal.application.log.record import Receipt
from fairdeal.domain.kernel.refusals import FairdealError


def verify(
    log: LogFile,
    codec: Codec,
    receipts: Iterable[Receipt] = (),
    others: Lookup = nobody_else,
    *,
    opened: LogFile | None = None,
) -> Report:
    """The verdicts on one exported game; `opened` is the whole log of a redacted one, given out after the end."""
    kept = [receipt for receipt in receipts if receipt.game_id == log.header.game]
    if log.fault is not None or not log.lines:
        return _report(log, bad_at(_first_fault(log)), "the log cannot be read")
    if not log.is_whole:
        return _verify_redacted(log, codec, kept, opened)
    report = audit(log.records(), codec, kept, others)
    if report.bad:
        return report  # a table that was not laid by the rules is not laid to compare it with the first line
    try:
        _must_have_its_salts(log, codec)
        _must_fit_header(log, codec)
        _must_fit_footer(log)
    except Fault as fault:
        return replace(report, untouched=bad_at(fault))
    return report


def _first_fault(log: LogFile) -> Fault:
    """A file that cannot be read to its end may be touched before."""
    found = log.fault or Fault(0, "the log holds no records")
    try:
        lines_must_be_linked(log)
    except Fault as fault:
        return min(fault, found, key=lambda one: one.record)
    return found


def _verify_redacted(log: LogFile, codec: Codec, receipts: Sequence[Receipt], opened: LogFile | None) -> Report:
    try:
        must_be_sound(log, codec)
        _must_fit_footer(log)
        must_fit_receipts(receipts, len(log.lines), lambda version: log.lines[version - 1].link)
        if opened is not None:
            _must_have_shown(log, opened, codec)
    except Fault as fault:
        return _report(log, bad_at(fault), "the log cannot be read")
    seen = "" if opened is None else "; they showed what was opened"
    untouched = Verdict(
        Grade.YES, f"{len(log.lines)} records, {len(receipts)} receipts; redacted ones by their seals{seen}"
    )
    closed = "the game is still running: some records are redacted"
    legal = Verdict(Grade.NOT_CHECKED, closed)
    try:
        must_be_understood(log, codec)
    except Fault as fault:
        legal = bad_at(fault)
    return Report(
        log.header.game,
        log.header.kind,
        len(log.lines),
        untouched,
        Verdict(Grade.NOT_YET, closed),
        legal,
    )


def _must_have_shown(log: LogFile, opened: LogFile, codec: Codec) -> None:
    """What was shown to the viewer while the game ran is what they may see in the log that was opened."""
    links = [line.link for line in opened.lines]
    for line in log.lines:
        if line.version > len(links) or links[line.version - 1] != line.link:
            raise Fault(line.version, "the log that was opened has another link")
    version = first_shown_otherwise(shown(log), shown(opened), codec)
    if version is not None:
        raise Fault(version, "what it showed is not what was opened")


def _report(log: LogFile, untouched: Verdict, why: str) -> Report:
    unread = Verdict(Grade.NOT_CHECKED, why)
    return Report(log.header.game, log.header.kind, len(log.lines), untouched, unread, unread)


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
    known = [game.rules.kind, batch and batch.rules, stored_options(records[0]), list(game.players)]
    if not same(told, known) or header.viewer != (None if game.over else OPERATOR):
        raise Fault(0, "the first line of the log does not fit its records")
