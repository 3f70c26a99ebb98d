"""Looks while another process holds the database, beside looks without: `python -m benchmarks.waiting`."""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from fairdeal import Fairdeal, FairdealError

LOOKS = 2000
ROUNDS = 9
WRITERS = 3
BAR = 2.0

HOLD = """
import sys
address = sys.argv[1]
if address.startswith("sqlite:"):
    import sqlite3
    other = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
else:
    import psycopg
    other = psycopg.connect(address)
    other.execute("LOCK TABLE fairdeal_events IN SHARE MODE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(address: str) -> Generator[None]:
    """Another process keeps everybody from writing."""
    command = [sys.executable, "-c", HOLD, address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield
        other.kill()


def p99(fairdeal: Fairdeal, game: object, looks: int) -> float:
    """Of so many looks, in milliseconds."""
    times: list[float] = []
    for _ in range(looks):
        began = time.perf_counter()
        fairdeal.look(str(game), "ann")
        times.append(time.perf_counter() - began)
    return sorted(times)[int(looks * 0.99)] * 1000


def measure(address: str, looks: int, rounds: int) -> tuple[float, float]:
    """Without and with the lock held elsewhere, while moves in the same game wait; medians of some rounds."""
    free: list[float] = []
    waiting: list[float] = []
    with Fairdeal(address, patience=600) as fairdeal, ThreadPoolExecutor(WRITERS) as pool:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        p99(fairdeal, game, looks // 10)
        for _ in range(rounds):
            free.append(p99(fairdeal, game, looks))
            with held(address):
                player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
                moves = [pool.submit(fairdeal.move, game, player, {"move": "end_turn"}) for _ in range(WRITERS)]
                time.sleep(0.2)
                assert not any(move.done() for move in moves)
                waiting.append(p99(fairdeal, game, looks))
            assert all(isinstance(move.exception(), FairdealError | None) for move in moves)
    return median(free), median(waiting)


def main() -> None:
    from benchmarks.__main__ import server

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL", help="a database to measure on; its ledger is added to")
    parser.add_argument("--looks", type=int, default=LOOKS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server(given.postgres) as postgres:
        addresses = {f"SQLite {sqlite3.sqlite_version}": f"sqlite:///{Path(folder) / 'games.db'}"}
        if postgres:
            addresses["PostgreSQL"] = postgres
        for name, address in addresses.items():
            free, waiting = measure(address, given.looks, given.rounds)
            ratio = waiting / free
            print(
                f"{name}: look p99 {free:.2f} ms; {waiting:.2f} ms while another process holds the write lock and "
                f"{WRITERS} moves wait: {ratio:.2f} × (bar {BAR:g} ×, {'met' if ratio <= BAR else 'NOT met'})"
            )


if __name__ == "__main__":
    main()
