"""The audit of one game: untouched, fair, legal, each a verdict of its own that names the first bad record."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from fairdeal.application.deeds import deed
from fairdeal.application.errors import LedgerError, UnknownGame, UnknownKind
from fairdeal.application.ports import Batch, Codec, Ledger, Sheet
from fairdeal.application.records import NO_LINK, Receipt, Record, link_of, salt_of, seal_of
from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import EntropyRevealed, GameOpened, Opening


class Grade(StrEnum):
    """What a verdict says; only `no` is bad."""

    YES = "yes"
    NO = "no"
    NOT_CHECKED = "not_checked"
    NOT_YET = "not_yet"
    SEALED = "sealed"
    OPERATORS_WORD = "operators_word"
    GIVEN_DECK = "given_deck"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A grade, why, and on a `no` the first record that shows it."""

    grade: Grade
    why: str
    record: int | None = None

    @property
    def bad(self) -> bool:
        return self.grade is Grade.NO


@dataclass(frozen=True, slots=True)
class Report:
    """What the audit of one game found."""

    game_id: UUID
    kind: str
    records: int
    untouched: Verdict
    fair: Verdict
    legal: Verdict

    @property
    def good(self) -> bool:
        return not (self.untouched.bad or self.fair.bad or self.legal.bad)


class Fault(Exception):
    """The first record at which something is wrong."""

    def __init__(self, record: int, why: str) -> None:
        super().__init__(why)
        self.record = record
        self.why = why

    def verdict(self) -> Verdict:
        return Verdict(Grade.NO, self.why, self.record)


def audit_game(ledger: Ledger, codec: Codec, game_id: UUID, receipts: Iterable[Receipt] = ()) -> Report:
    """Audits one game of a ledger; receipts show a log that was cut short or rewritten as a whole."""
    records = ledger.records(game_id)
    if not records:
        raise UnknownGame(game_id)
    return audit(records, codec, receipts)


def audit(records: Sequence[Record], codec: Codec, receipts: Iterable[Receipt] = ()) -> Report:
    """Audits the records of one game."""
    game_id = records[0].game_id
    kind = records[0].name.partition(".")[0]

    def report(untouched: Verdict, fair: Verdict, legal: Verdict) -> Report:
        return Report(game_id, kind, len(records), untouched, fair, legal)

    try:
        log = Log(records, codec)
    except Fault as fault:
        unread = Verdict(Grade.NOT_CHECKED, "the log cannot be read")
        return report(fault.verdict(), unread, unread)
    return report(_untouched(log, receipts), *_fair_and_legal(log))


class Log:
    """A log that could be read: records, what they say, and the batches they came in."""

    def __init__(self, records: Sequence[Record], codec: Codec) -> None:
        self.records = records
        self.codec = codec
        self.sheets = list(_read_all(records, codec))
        opened: Any = self.sheets[0].event
        if not isinstance(opened, GameOpened) or opened.seed is None:
            raise Fault(1, "the log does not begin with the opening of a game")
        self.rules = codec.rules_of(records[0])
        self.seed = bytes.fromhex(opened.seed)

    def batches(self) -> Iterator[tuple[int, Batch, list[Any]]]:
        """Version of the first record, where the batch came from, its events; a cut one raises."""
        at = 0
        while at < len(self.sheets):
            batch = self.sheets[at].batch
            if batch is None:
                raise Fault(at + 1, "it belongs to no batch")
            whole = self.sheets[at : at + batch.size]
            for offset, sheet in enumerate(whole[1:], 1):
                if sheet.batch is not None:
                    raise Fault(at + offset + 1, "a batch begins inside another one")
            if len(whole) < batch.size:
                raise Fault(len(self.sheets), f"the batch of {batch.size} records is cut off after it")
            yield at + 1, batch, [sheet.event for sheet in whole]
            at += batch.size


def _read_all(records: Sequence[Record], codec: Codec) -> Iterator[Sheet]:
    for number, record in enumerate(records, 1):
        if record.version != number or record.game_id != records[0].game_id:
            raise Fault(number, f"version {record.version} of game {record.game_id} stands in its place")
        try:
            yield codec.read(record)
        except (LedgerError, UnknownKind) as error:
            raise Fault(number, error.message) from None


def _untouched(log: Log, receipts: Iterable[Receipt]) -> Verdict:
    try:
        _must_be_linked(log)
        checked = _must_fit_receipts(log, receipts)
        _must_be_as_written(log)
    except Fault as fault:
        return fault.verdict()
    return Verdict(Grade.YES, f"{len(log.records)} records, {checked} receipts")


def _must_be_linked(log: Log) -> None:
    previous = NO_LINK
    for record in log.records:
        seal = seal_of(salt_of(log.seed, record.version), record.payload)
        if record.link != link_of(previous, record.game_id, record.version, record.name, seal):
            raise Fault(record.version, "the link does not fit")
        previous = record.link


def _must_fit_receipts(log: Log, receipts: Iterable[Receipt]) -> int:
    checked = 0
    for receipt in receipts:
        if receipt.game_id != log.records[0].game_id:
            continue
        if not 1 <= receipt.version <= len(log.records):
            raise Fault(receipt.version, "a receipt exists for this record, but the record is missing")
        if log.records[receipt.version - 1].link.hex() != receipt.link:
            raise Fault(receipt.version, "a receipt shows another link")
        checked += 1
    return checked


def _must_be_as_written(log: Log) -> None:
    """The bytes are those this program writes for these events, in whole batches, never back in time."""
    time = ""
    for version, batch, events in log.batches():
        if batch.at < time:
            raise Fault(version, "it is older than the one before")
        time = batch.at
        written = log.codec.write(log.rules, events, batch)
        for record, (name, payload) in zip(log.records[version - 1 :], written, strict=False):
            if record.name == name and record.payload != payload:
                raise Fault(record.version, "the payload is not written as Fairdeal writes it")


def _fair_and_legal(log: Log) -> tuple[Verdict, Verdict]:
    game = Game(log.records[0].game_id, log.rules)
    strange = {batch.rules for _, batch, _ in _whole_batches(log)} - {log.rules.version}
    if strange:
        why = f"rules {min(strange)}, here {log.rules.version}"
        return _fairness(log, None, why), Verdict(Grade.NOT_CHECKED, why)
    try:
        for version, batch, events in log.batches():
            _decide_again(log, game, version, batch, events)
    except Fault as fault:
        return _fairness(log, fault, None), fault.verdict()
    return _fairness(log, None, None), Verdict(Grade.YES, "every command, decided again, gives what was recorded")


def _whole_batches(log: Log) -> list[tuple[int, Batch, list[Any]]]:
    try:
        return list(log.batches())
    except Fault:
        return []


class Misdealt(Fault):
    """What chance should have given and what was recorded are two different things."""


def _decide_again(log: Log, game: Game, version: int, batch: Batch, events: list[Any]) -> None:
    try:
        deed(log.rules, batch.by, batch.command, lambda: log.seed)(game)
    except FairdealError as error:
        cheated = Misdealt if any(isinstance(event, EntropyRevealed) for event in events) else Fault
        raise cheated(version, f"the rules refuse it: {error.message} ({error.code})") from None
    except (msgspec.ValidationError, KeyError, ValueError, TypeError) as error:
        raise Fault(version, f"its command cannot be read ({error})") from None
    for offset, (decided, recorded) in enumerate(zip(game.pending, events, strict=False)):
        if decided != recorded:
            cheated = Misdealt if hasattr(decided, "shuffle") or hasattr(recorded, "shuffle") else Fault
            raise cheated(
                version + offset, f"{_name(recorded)} was recorded, but the rules give another {_name(decided)}"
            )
    if len(game.pending) != len(events):
        raise Fault(version + min(len(game.pending), len(events)), "the rules give another number of events")
    game.pending = []


def _name(event: Any) -> str:
    return type(event).__name__


def _fairness(log: Log, fault: Fault | None, unchecked: str | None) -> Verdict:
    opened = log.sheets[0].event
    if digest(log.seed) != opened.commitment:
        return Verdict(Grade.NO, "the seed is not the one that was committed to", 1)
    if isinstance(fault, Misdealt):
        return fault.verdict()
    if unchecked or fault:
        return Verdict(Grade.NOT_CHECKED, unchecked or "the game cannot be decided again up to its end")
    game = Game(log.records[0].game_id, log.rules).replay(sheet.event for sheet in log.sheets)
    if not game.over:
        return Verdict(Grade.NOT_YET, "the game is still running")
    match game.opening:
        case None:
            return Verdict(Grade.NOT_CHECKED, "nothing was dealt")
        case Opening.GIVEN_DECK:
            return Verdict(Grade.GIVEN_DECK, "the deck was given, not shuffled")
        case Opening.POSITION:
            return Verdict(Grade.POSITION, "the game began from a position")
        case Opening.SHUFFLE:
            sealed = [sitter.player for sitter in game.sitters if sitter.seal]
            if sealed:
                return Verdict(Grade.SEALED, f"sealed by {', '.join(sealed)}")
            return Verdict(Grade.OPERATORS_WORD, "nobody sealed entropy: it rests on the operator's word")
