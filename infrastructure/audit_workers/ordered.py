"""Runs of games are handed out to the processes as these have time, and told in the order of the ids."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import islice
from uuid import UUID

from fairdeal.application.audit.ledger import all_games, by_game, missing_games
from fairdeal.application.audit.two_walks import by_position_too
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
MOST_RUNS = 8
"""Under way or waiting to be told in their order, for each process: the others go on while one has a long game."""


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

    try:
        yield from by_position_too(ledger, codec, _in_order(pool, game_ids()), watch)
        pool.stop()
    finally:
        pool.kill()
    # Only now, as with one process: what was found in the games before it has been told.
    for trouble in troubles:
        raise trouble
    yield from missing_games(kept)


def _in_order(pool: WorkerPool, game_ids: Iterator[UUID]) -> Iterator[Report]:
    """Hands out runs as long as somebody has time, and tells what was found in the order of the ids."""
    size, given, told = FIRST_GAMES, 0, 0
    done: dict[int, list[Report]] = {}
    while True:
        while given - told < MOST_RUNS * pool.jobs and pool.has_time() and (run := list(islice(game_ids, size))):
            pool.give(given, run)
            given += 1
        if told in done:
            yield from done.pop(told)
            told += 1
        elif told < given:
            for number, reports in pool.collect():
                done[number] = reports
                size = _size_after(reports)
        else:
            return


def _size_after(reports: list[Report]) -> int:
    """How many games should be in a run, if they are as long as these."""
    records = sum(report.records for report in reports)
    return max(1, min(MOST_GAMES, RECORDS * len(reports) // max(1, records)))
