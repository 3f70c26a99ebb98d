"""The audit: untouched, fair, legal, each a verdict of its own that names the first bad record."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from fairdeal.application.deciding import DecidedAgain
from fairdeal.application.errors import UnknownGame, UnknownKind
from fairdeal.application.log import Log, Lookup, nobody_else
from fairdeal.application.ports import Codec, Ledger
from fairdeal.application.records import Receipt, Record
from fairdeal.application.verdicts import Fault, Grade, Report, Verdict
from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import Opening

PAGE = 500
"""Game ids read at once when a whole ledger is audited."""


def audit_game(ledger: Ledger, codec: Codec, game_id: UUID, receipts: Iterable[Receipt] = ()) -> Report:
    """Audits one game of a ledger; receipts show a log that was cut short, rewritten as a whole, or is gone."""
    records, kept = ledger.records(game_id), by_game(receipts).get(game_id, [])
    if records:
        return audit(records, codec, kept, ledger.records)
    if kept:
        return next(missing_games({game_id: kept}))
    raise UnknownGame(game_id)


def audit_ledger(ledger: Ledger, codec: Codec, receipts: Iterable[Receipt] = ()) -> Generator[Report]:
    """Audits every game of which anything is stored, one after the other, also those that only receipts know."""
    kept = by_game(receipts)
    yield from audit_games(ledger, codec, all_games(ledger), kept)
    yield from missing_games(kept)


def by_game(receipts: Iterable[Receipt]) -> dict[UUID, list[Receipt]]:
    kept: dict[UUID, list[Receipt]] = {}
    for receipt in receipts:
        kept.setdefault(receipt.game_id, []).append(receipt)
    return kept


def audit_games(
    ledger: Ledger, codec: Codec, game_ids: Iterable[UUID], kept: dict[UUID, list[Receipt]]
) -> Iterator[Report]:
    """Audits these games of a ledger; their receipts are taken out of those that were kept."""
    for game_id in game_ids:
        yield audit(ledger.records(game_id), codec, kept.pop(game_id, ()), ledger.records)


def missing_games(kept: Mapping[UUID, Sequence[Receipt]]) -> Iterator[Report]:
    """What is to be said of games that only receipts know."""
    for game_id, lost in kept.items():
        gone = Fault(lost[0].version, "a receipt exists for this game, but the game is missing").verdict()
        nothing = Verdict(Grade.NOT_CHECKED, "the game is missing")
        yield Report(game_id, "", 0, gone, nothing, nothing)


def all_games(ledger: Ledger) -> Iterator[UUID]:
    """The ids of all games, in their order; only a page of them is in memory."""
    last: UUID | None = None
    while page := ledger.game_ids(last, PAGE):
        yield from page
        last = page[-1]


def audit(
    records: Sequence[Record], codec: Codec, receipts: Iterable[Receipt] = (), others: Lookup = nobody_else
) -> Report:
    """Audits the records of one game; `others` finds the game that a branch came from."""
    game_id = records[0].game_id
    kind = records[0].name.partition(".")[0]

    def report(untouched: Verdict, fair: Verdict, legal: Verdict) -> Report:
        return Report(game_id, kind, len(records), untouched, fair, legal)

    try:
        log = Log(records, codec, others)
    except Fault as fault:
        unread = Verdict(Grade.NOT_CHECKED, "the log cannot be read")
        return report(fault.verdict(), unread, unread)
    try:
        decided = DecidedAgain(log)
    except UnknownKind as error:
        unread = Verdict(Grade.NOT_CHECKED, error.message)
        log.find_batches()
        return report(_untouched(log, None, receipts), unread, unread)
    return report(_untouched(log, decided.unwritten, receipts), _fair(log, decided), _legal(log, decided))


def _untouched(log: Log, unwritten: Fault | None, receipts: Iterable[Receipt]) -> Verdict:
    faults = [fault for fault in (log.unlinked, log.broken, unwritten, _going_back_in_time(log)) if fault is not None]
    if faults:
        return min(faults, key=lambda fault: fault.record).verdict()
    try:
        mine = (receipt for receipt in receipts if receipt.game_id == log.game_id)
        checked = must_fit_receipts(mine, len(log.records), lambda version: log.records[version - 1].link.hex())
    except Fault as fault:
        return fault.verdict()
    return Verdict(Grade.YES, f"{len(log.records)} records, {checked} receipts")


def _going_back_in_time(log: Log) -> Fault | None:
    time = ""
    for first, batch in log.batches:
        if batch.at < time:
            return Fault(first + 1, "it is older than the one before")
        time = batch.at
    return None


def must_fit_receipts(receipts: Iterable[Receipt], head: int, link_at: Callable[[int], str]) -> int:
    """How many receipts of one game fit its records; raises at the first that does not."""
    checked = 0
    for receipt in receipts:
        if not 1 <= receipt.version <= head:
            raise Fault(receipt.version, "a receipt exists for this record, but the record is missing")
        if link_at(receipt.version) != receipt.link:
            raise Fault(receipt.version, "a receipt shows another link")
        checked += 1
    return checked


def _legal(log: Log, decided: DecidedAgain) -> Verdict:
    if decided.illegal is not None:
        return decided.illegal.verdict()
    if log.broken is not None or decided.lost:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked or f"only up to record {decided.game.version}")
    if decided.unchecked is not None:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked)
    if decided.without_origin:
        return Verdict(Grade.NOT_CHECKED, "all but its beginning: the game that it was branched from is not at hand")
    return Verdict(Grade.YES, "every command, decided again, gives what was recorded")


def _fair(log: Log, decided: DecidedAgain) -> Verdict:
    game = decided.game
    if decided.commitment not in (None, digest(log.seed())):
        return Verdict(Grade.NO, "the seed is not the one that was committed to", 1)
    if decided.misdealt is not None:
        return decided.misdealt.verdict()
    if decided.lost or log.broken is not None:
        return Verdict(Grade.NOT_CHECKED, "the game cannot be followed to the end of its log")
    if decided.unchecked is not None:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked)
    return _grade(game)


def _grade(game: Game) -> Verdict:
    if not game.over:
        return Verdict(Grade.NOT_YET, "the game is still running")
    if game.state is None:
        return Verdict(Grade.NOT_CHECKED, "nothing was dealt")
    if game.branched is not None:
        return Verdict(Grade.BRANCHED, f"it goes on from version {game.branched.version} of {game.branched.origin}")
    if game.opening is Opening.GIVEN_DECK:
        return Verdict(Grade.GIVEN_DECK, "the deck was given, not shuffled")
    if game.opening is Opening.POSITION:
        return Verdict(Grade.POSITION, "the game began from a position")
    sealed = [sitter.player for sitter in game.sitters if sitter.seal]
    if sealed:
        return Verdict(Grade.SEALED, f"sealed by {', '.join(sealed)}")
    return Verdict(Grade.OPERATORS_WORD, "nobody sealed entropy: it rests on the operator's word")
