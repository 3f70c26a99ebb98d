"""The audit: untouched, fair, legal, each a verdict of its own that names the first bad record."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from fairdeal.application.audit.checked_log import CheckedLog
from fairdeal.application.audit.redecide import Redecision
from fairdeal.application.audit.sealing import sealing_of, why_undealt
from fairdeal.application.audit.verdicts import Grade, Report, Sealing, Verdict, bad_at
from fairdeal.application.errors import UnknownKind
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.origin import Lookup, nobody_else
from fairdeal.application.log.record import Receipt, Record
from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import DealtFrom

# Said of nearly every good game.
LEGAL = Verdict(Grade.YES, "every command, decided again, gives what was recorded")
STILL_RUNNING = Verdict(Grade.NOT_YET, "the game is still running")
NOBODY_SEALED = Verdict(Grade.OPERATORS_WORD, "nobody sealed entropy: it rests on the operator's word")


def audit(
    records: Sequence[Record], codec: Codec, receipts: Iterable[Receipt] = (), others: Lookup = nobody_else
) -> Report:
    """Audits the records of one game; `others` finds the game that a branch came from."""
    game_id = records[0].game_id
    kind = records[0].name.partition(".")[0]

    def report(
        untouched: Verdict, fair: Verdict, legal: Verdict, *, rules_at_hand: bool = True, sealing: Sealing | None = None
    ) -> Report:
        link = records[-1].link.hex()
        return Report(game_id, kind, len(records), untouched, fair, legal, link, rules_at_hand, sealing)

    try:
        log = CheckedLog(records, codec, others)
    except Fault as fault:
        unread = Verdict(Grade.NOT_CHECKED, "the log cannot be read")
        return report(bad_at(fault), unread, unread)
    try:
        decided = Redecision(log)
    except UnknownKind as error:
        unread = Verdict(Grade.NOT_CHECKED, error.message)
        log.find_batches()
        return report(_untouched(log, log.first_unwritten(), receipts), unread, unread, rules_at_hand=False)
    sealing = None if decided.game is None else sealing_of(decided.game)
    if decided.is_plain and decided.game is not None:
        untouched = bad_at(log.unlinked) if log.unlinked is not None else _receipts_fit(log, receipts)
        return report(untouched, _grade(decided.game), LEGAL, sealing=sealing)
    untouched = _untouched(log, decided.unwritten, receipts)
    known = decided.unchecked is None and not decided.without_origin
    return report(untouched, _fair(log, decided), _legal(log, decided), rules_at_hand=known, sealing=sealing)


def _untouched(log: CheckedLog, unwritten: Fault | None, receipts: Iterable[Receipt]) -> Verdict:
    faults = [fault for fault in (log.unlinked, log.broken, unwritten, log.going_back_in_time()) if fault is not None]
    return bad_at(min(faults, key=lambda fault: fault.record)) if faults else _receipts_fit(log, receipts)


def _receipts_fit(log: CheckedLog, receipts: Iterable[Receipt]) -> Verdict:
    """What is to be said of a log in which nothing was found."""
    mine = [receipt for receipt in receipts if receipt.game_id == log.game_id]
    if not mine:
        return _untouched_with(len(log.records), 0)
    try:
        must_fit_receipts(mine, len(log.records), lambda version: log.records[version - 1].link.hex())
    except Fault as fault:
        return bad_at(fault)
    return _untouched_with(len(log.records), len(mine))


@lru_cache(maxsize=1024)
def _untouched_with(records: int, receipts: int) -> Verdict:
    return Verdict(Grade.YES, f"{records} records, {receipts} receipts")


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


def _legal(log: CheckedLog, decided: Redecision) -> Verdict:
    if decided.illegal is not None:
        return bad_at(decided.illegal)
    if log.broken is not None or decided.lost:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked or f"only up to record {decided.reached}")
    if decided.unchecked is not None:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked)
    if decided.without_origin:
        return Verdict(Grade.NOT_CHECKED, "all but its beginning: the game that it was branched from is not at hand")
    return LEGAL


def _fair(log: CheckedLog, decided: Redecision) -> Verdict:
    if decided.commitment not in (None, digest(log.seed())):
        return Verdict(Grade.NO, "the seed is not the one that was committed to", 1)
    if decided.misdealt is not None:
        return bad_at(decided.misdealt)
    if decided.lost or log.broken is not None:
        return Verdict(Grade.NOT_CHECKED, "the game cannot be followed to the end of its log")
    if decided.unchecked is not None:
        return Verdict(Grade.NOT_CHECKED, decided.unchecked)
    assert decided.game is not None, "a log that could be followed has an opening"
    return _grade(decided.game)


def _grade(game: Game) -> Verdict:
    if not game.over:
        return STILL_RUNNING
    if game.state is None:
        return Verdict(Grade.NOT_CHECKED, f"nothing was dealt{why_undealt(sealing_of(game))}")
    if game.lobby.branched is not None:
        return Verdict(
            Grade.BRANCHED, f"it goes on from version {game.lobby.branched.version} of {game.lobby.branched.origin}"
        )
    if game.lobby.opening is DealtFrom.GIVEN_DECK:
        return Verdict(Grade.GIVEN_DECK, "the deck was given, not shuffled")
    if game.lobby.opening is DealtFrom.POSITION:
        return Verdict(Grade.POSITION, "the game began from a position")
    sealed = [seated.player for seated in game.lobby.seated_players if seated.seal]
    if sealed:
        return Verdict(Grade.SEALED, f"sealed by {', '.join(sealed)}")
    return NOBODY_SEALED
