"""Games are audited as everybody reads them, by game; here each is compared with a walk over the ledger by position."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from fairdeal.application.audit.fast_walk import FastWalk, Gap
from fairdeal.application.audit.fingerprint import Fingerprint
from fairdeal.application.audit.sealing import SealingTally
from fairdeal.application.audit.verdicts import NO_GAME, Grade, Report, Verdict, bad_at
from fairdeal.application.checkpoints import ledger_walk
from fairdeal.application.checkpoints.ledger_walk import Head, LedgerWalk, Watch
from fairdeal.application.errors import TamperedLedger
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.ports import Ledger

Audited = tuple[Report, bytes]
"""What the audit of a game found, and the fingerprint of the records in which it found that."""


def by_position_too(ledger: Ledger, codec: Codec, audited: Iterator[Audited], watch: Watch) -> Iterator[Report]:
    """The reports, in the order of the ids, each `untouched` only if the game is the same by position.
    Beside their verdicts stands what only the other tables tell.

    Games that only the walk by position knows are told of, too. So are positions without a record: by the first game
    that was touched, whose records they may be, or else in the end by a report on the ledger itself. TamperedLedger in
    the end if the ledger cannot be walked, or if something is known by game alone.
    """
    tally = SealingTally(ledger, codec)
    try:
        walk = FastWalk(ledger, codec, ledger.head(), watch, note=tally.note).run()
    except TamperedLedger as error:  # also of rows that belong to no game, which hide none of the games
        for report, _ in audited:
            yield report
        raise error from None
    ahead, gap = GamesAhead(ledger, codec, walk.up_to), walk.gap
    plain = PlainComparison(ledger, codec, walk.up_to)
    for report, fingerprint in audited:
        while walk.last is not None and report.game_id > walk.last:
            yield from _hidden(walk)
            walk = walk.after().run()
        met = walk.games.pop(report.game_id, None) or Fingerprint()
        found = report
        if not report.untouched.bad and not met.is_of(report.records, fingerprint):
            if met.records >= report.records or met.broken:
                found = plain.compared(report)
            elif not report.bad:
                ahead.add(report, met, fingerprint)
        if gap is not None and found.untouched.bad:
            found, gap = _with_gap(found, gap), None
        yield tally.beside(found)
    yield from _hidden(walk)
    while walk.last is not None:
        walk = walk.after().run()
        yield from _hidden(walk)
    if gap is not None:
        nothing = Verdict(Grade.NOT_CHECKED, "it is not known what is missing")
        yield Report(NO_GAME, "", 0, Verdict(Grade.NO, str(gap)), nothing, nothing, missing_position=gap.first)
    ahead.must_be_stored_since()


class PlainComparison:
    """Games that are not the same both ways, walked by position once more, link by link, to say where they differ."""

    def __init__(self, ledger: Ledger, codec: Codec, up_to: int) -> None:
        self._walk = LedgerWalk(ledger, codec, up_to)
        self._has_run = False

    def compared(self, report: Report) -> Report:
        """The report of a game, which is not untouched; they come in the order of the ids."""
        if not self._has_run:
            self._walk.run()
            self._has_run = True
        while self._walk.last is not None and report.game_id > self._walk.last:
            self._walk = self._walk.after().run()
        found = compared(report, self._walk.games.get(report.game_id) or Head())
        # Their records were not the same before, whatever somebody has made of them since.
        return found if found.untouched.bad else replace(report, untouched=bad_at(_another(report)))


def compared(report: Report, head: Head | Fault) -> Report:
    """The report of a game, `untouched` only if the plain walk by position came to the same head."""
    if report.untouched.bad:
        return report
    if isinstance(head, Fault):
        return replace(report, untouched=bad_at(head))
    if report.records < head.version:
        why = "the ledger holds another record of this version, which is not found by game"
        return replace(report, untouched=bad_at(Fault(report.records + 1, why)))
    if report.records == head.version and report.link != head.link.hex():
        return replace(report, untouched=bad_at(_another(report)))
    return report


def _with_gap(report: Report, gap: Gap) -> Report:
    untouched = replace(report.untouched, why=f"{report.untouched.why}; {gap}")
    return replace(report, untouched=untouched, missing_position=gap.first)


def _another(report: Report) -> Fault:
    return Fault(report.records, "by position the ledger holds another record")


def _hidden(walk: FastWalk) -> Iterator[Report]:
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
        self._games: dict[UUID, tuple[Fingerprint, int, bytes]] = {}

    def add(self, report: Report, met: Fingerprint, fingerprint: bytes) -> None:
        self._games[report.game_id] = met, report.records, fingerprint
        if len(self._games) > ledger_walk.MOST_GAMES:
            self.must_be_stored_since()

    def must_be_stored_since(self) -> None:
        """Follows what was stored after the walk until each game has come to where it was audited."""
        position, game = self._position, None
        while self._games and (chunk := self._ledger.since(position, ledger_walk.CHUNK)):
            for at, record in chunk:
                goes_on = at == position + 1 and record.game_id == game
                position, game = at, record.game_id
                if game not in self._games:
                    continue
                met, records, fingerprint = self._games[game]
                if not goes_on and not self._codec.begins_batch(record):
                    raise self._two_histories(game, met.records + 1)
                met.add((record,))
                if met.records == records or met.broken:
                    if not met.is_of(records, fingerprint):
                        raise self._two_histories(game, records)
                    del self._games[game]
        for game_id, (met, _, _) in self._games.items():
            raise self._two_histories(game_id, met.records + 1)

    def _two_histories(self, game_id: UUID, version: int) -> TamperedLedger:
        return TamperedLedger(
            f"The ledger holds two histories of game {game_id}: record {version} by game is not the one by position."
        )
