"""Games are audited as everybody reads them, by game; here each is compared with a walk over the ledger by position."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from fairdeal.application.audit.sealing import SealingTally
from fairdeal.application.audit.verdicts import NO_GAME, Grade, Report, Verdict, bad_at
from fairdeal.application.checkpoints import ledger_walk
from fairdeal.application.checkpoints.ledger_walk import Gap, Head, LedgerWalk, Watch
from fairdeal.application.errors import TamperedLedger
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.ports import Ledger


def by_position_too(ledger: Ledger, codec: Codec, reports: Iterator[Report], watch: Watch) -> Iterator[Report]:
    """The reports, in the order of the ids, each `untouched` only if the game is the same by position.
    Beside their verdicts stands what only the other tables tell.

    Games that only the walk by position knows are told of, too. So are positions without a record: by the first game
    that was touched, whose records they may be, or else in the end by a report on the ledger itself. TamperedLedger in
    the end if the ledger cannot be walked, or if something is known by game alone.
    """
    tally = SealingTally(ledger, codec)
    try:
        walk = LedgerWalk(ledger, codec, ledger.head(), watch, note=tally.note).run()
    except TamperedLedger as error:  # also of rows that belong to no game, which hide none of the games
        yield from reports
        raise error from None
    ahead, gap = GamesAhead(ledger, codec, walk.up_to), walk.gap
    for report in reports:
        while walk.last is not None and report.game_id > walk.last:
            yield from _hidden(walk)
            walk = walk.after().run()
        head = walk.games.pop(report.game_id, None) or Head()
        if isinstance(head, Head) and not report.bad and report.records > head.version:
            ahead.add(report, head)
        compared = tally.beside(_compared(report, head))
        if gap is not None and compared.untouched.bad:
            compared, gap = _with_gap(compared, gap), None
        yield compared
    yield from _hidden(walk)
    while walk.last is not None:
        walk = walk.after().run()
        yield from _hidden(walk)
    if gap is not None:
        nothing = Verdict(Grade.NOT_CHECKED, "it is not known what is missing")
        yield Report(NO_GAME, "", 0, Verdict(Grade.NO, str(gap)), nothing, nothing, missing_position=gap.first)
    ahead.must_be_stored_since()


def _compared(report: Report, head: Head | Fault) -> Report:
    if report.untouched.bad:
        return report
    if isinstance(head, Fault):
        return replace(report, untouched=bad_at(head))
    if report.records < head.version:
        why = "the ledger holds another record of this version, which is not found by game"
        return replace(report, untouched=bad_at(Fault(report.records + 1, why)))
    if report.records == head.version and report.link != head.link.hex():
        return replace(report, untouched=bad_at(Fault(report.records, "by position the ledger holds another record")))
    return report


def _with_gap(report: Report, gap: Gap) -> Report:
    untouched = replace(report.untouched, why=f"{report.untouched.why}; {gap}")
    return replace(report, untouched=untouched, missing_position=gap.first)


def _hidden(walk: LedgerWalk) -> Iterator[Report]:
    """What is to be said of games that nobody finds by their ids."""
    for game_id in sorted(walk.games):
        gone = bad_at(Fault(1, "the ledger holds records of this game by position, but not by game"))
        nothing = Verdict(Grade.NOT_CHECKED, "the game is not found by its id")
        yield Report(game_id, "", 0, gone, nothing, nothing)


class GamesAhead:
    """Games that were longer than the walk by position had found them: somebody must have played meanwhile."""

    def __init__(self, ledger: Ledger, codec: Codec, position: int) -> None:
        self._ledger = ledger
        self._codec = codec
        self._position = position
        self._games: dict[UUID, tuple[Head, int, str]] = {}

    def add(self, report: Report, head: Head) -> None:
        self._games[report.game_id] = head, report.records, report.link
        if len(self._games) > ledger_walk.MOST_GAMES:
            self.must_be_stored_since()

    def must_be_stored_since(self) -> None:
        """Follows what was stored after the walk until each game has come to where it was audited."""
        position = self._position
        while self._games and (chunk := self._ledger.since(position, ledger_walk.CHUNK)):
            position = chunk[-1][0]
            for _, record in chunk:
                head, version, link = self._games.get(record.game_id, (None, 0, ""))
                if head is None:
                    continue
                try:
                    head.follow(record, self._codec)
                except Fault as fault:
                    raise self._two_histories(record.game_id, fault.record) from None
                if head.version == version:
                    if head.link.hex() != link:
                        raise self._two_histories(record.game_id, version)
                    del self._games[record.game_id]
        for game_id, (head, _, _) in self._games.items():
            raise self._two_histories(game_id, head.version + 1)

    def _two_histories(self, game_id: UUID, version: int) -> TamperedLedger:
        return TamperedLedger(
            f"The ledger holds two histories of game {game_id}: record {version} by game is not the one by position."
        )
