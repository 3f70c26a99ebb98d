"""Runs of games are handed out to the processes as these have time, and told in the order of the ids."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import islice
from uuid import UUID

from fairdeal.application.audit.ledger import all_games, by_game, missing_games
from fairdeal.application.audit.two_walks import Audited, by_position_too
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.checkpoints.ledger_walk import Watch, no_progress
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.audit_workers.worker import WorkerTask, packed
from fairdeal.infrastructure.audit_workers.worker_pool import MOST_GAMES, WorkerPool

FIRST_GAMES = 8
"""In a run, before anything is known about how long games are here."""
RECORDS = 5_000
"""In a run, about: some 50 ms of work, so that handing it over costs little and a progress bar moves smoothly."""
MOST_RUNS = 32
"""Under way or waiting to be told in their order, for each process: the others go on while one has a long game, or
while this one walks by position."""


def audit_in_processes(
    ledger: Ledger,
    address: str,
    games: Mapping[str, AnyRules],
    receipts: Iterable[Receipt],
    jobs: int,
    *,
    watch: Watch = no_progress,
) -> Generator[Report]:
    """The same reports in the same order as `audit_ledger` gives; whoever closes it early ends the processes."""
    kept = by_game(receipts)
    pool = WorkerPool(jobs, WorkerTask(address, packed(games), dict(kept)))
    return _audit(ledger, Codec(games), pool, kept, watch)


def _audit(
    ledger: Ledger, codec: Codec, pool: WorkerPool, kept: dict[UUID, list[Receipt]], watch: Watch
) -> Generator[Report]:
    troubles: list[LedgerError] = []

    def game_ids() -> Iterator[UUID]:
        """The processes have the receipts; here remain those of games that never come."""
        try:
            for game_id in all_games(ledger):
                kept.pop(game_id, None)
                yield game_id
        except LedgerError as error:
            troubles.append(error)

    runs = Runs(pool, game_ids())

    def go_on(position: int) -> None:
        """The processes need not wait until this one has walked by position."""
        watch(position)
        runs.hand_out()

    try:
        yield from by_position_too(ledger, codec, runs.in_order(), go_on)
        pool.stop()
    finally:
        pool.kill()
    # Only now, as with one process: what was found in the games before it has been told.
    for trouble in troubles:
        raise trouble
    yield from missing_games(kept)


class Runs:
    """Hands out runs of games as long as somebody has time, and tells what was found in the order of the ids."""

    def __init__(self, pool: WorkerPool, game_ids: Iterator[UUID]) -> None:
        self._pool = pool
        self._game_ids = game_ids
        self._size = FIRST_GAMES
        self._given = self._told = 0
        self._done: dict[int, list[Audited]] = {}
        self._trouble: LedgerError | None = None

    def hand_out(self) -> None:
        """To whoever has time now, without waiting for anybody; what went wrong is told when the runs are."""
        if self._trouble is None:
            try:
                self._collect(wait=False)
                self._give()
            except LedgerError as error:
                self._trouble = error

    def in_order(self) -> Iterator[Audited]:
        while True:
            if self._trouble is not None:
                raise self._trouble
            self._give()
            if self._told in self._done:
                yield from self._done.pop(self._told)
                self._told += 1
            elif self._told < self._given:
                self._collect(wait=True)
            else:
                return

    def _give(self) -> None:
        pool = self._pool
        while self._given - self._told < MOST_RUNS * pool.jobs and pool.has_time():
            run = list(islice(self._game_ids, self._size))
            if not run:
                return
            pool.give(self._given, run)
            self._given += 1

    def _collect(self, *, wait: bool) -> None:
        for number, audited in self._pool.collect(wait=wait):
            self._done[number] = audited
            self._size = _size_after(audited)


def _size_after(audited: list[Audited]) -> int:
    """How many games should be in a run, if they are as long as these."""
    records = sum(report.records for report, _ in audited)
    return max(1, min(MOST_GAMES, RECORDS * len(audited) // max(1, records)))
