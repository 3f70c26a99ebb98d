"""The bars of the command line: `python -m benchmarks.command_line [--events N] [--games N]`.

Prints the processor time of `fairdeal --help`, the time of a page of `fairdeal games` on a large ledger, and how much
sooner two processes have simulated than one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairdeal.service import Fairdeal
from fairdeal.testing.workload import fill

TRIES = 5
"""The best of so many counts: what disturbs only makes it slower."""


def typed(*arguments: str) -> tuple[float, float]:
    """Seconds that somebody waits for a command, and seconds of processor time it takes."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "fairdeal", *arguments], stdout=subprocess.DEVNULL, check=True)
    waited, after = time.perf_counter() - begun, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return waited, spent


def best(*arguments: str) -> tuple[float, float]:
    tries = [typed(*arguments) for _ in range(TRIES)]
    return min(waited for waited, _ in tries), min(spent for _, spent in tries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=4000)
    asked = parser.parse_args()
    print(f"fairdeal --help: {best('--help')[1]:.2f} s of processor time (bar 0.25)")
    for game, bots in (("kings_corners", "careful,random"), ("red7", "careful,careful")):
        alone, together = (
            typed("simulate", game, "--bots", bots, "--games", str(asked.games), "--jobs", jobs)[0] for jobs in "12"
        )
        print(f"simulate {game}: one job {alone:.1f} s, two {together:.1f} s: {alone / together:.2f} times (bar 1.8)")
    with tempfile.TemporaryDirectory() as folder:
        ledger = f"sqlite:///{Path(folder) / 'games.db'}"
        with Fairdeal(ledger) as fairdeal:
            stored = fill(fairdeal.ledger, fairdeal.codec, asked.events)
            fairdeal.read.catch_up()
        waited, spent = best("games", "--limit", "50", "--ledger", ledger)
    print(f"games, a page of {stored:,} events: {waited:.2f} s, {spent:.2f} s of processor time (bar 0.5)")


if __name__ == "__main__":
    main()
