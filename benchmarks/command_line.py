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
TURNS = 3
"""The same for simulations, which take longer: so often one job and two in turns."""
MANY_GAMES = 20_000
"""So many that starting the processes does not show."""


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


def sooner(game: str, bots: str, games: int, tries: int) -> str:
    """How much sooner two processes have simulated than one, both in turns."""
    asked = ("simulate", game, "--bots", bots, "--games", str(games), "--jobs")
    alone, together = zip(*((typed(*asked, "1")[0], typed(*asked, "2")[0]) for _ in range(tries)), strict=True)
    one, two = min(alone), min(together)
    return f"simulate {game}, {games:,} games: one job {one:.2f} s, two {two:.2f} s: {one / two:.2f} times (bar 1.8)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=4000)
    asked = parser.parse_args()
    print(f"fairdeal --help: {best('--help')[1]:.2f} s of processor time (bar 0.25)")
    for games, tries in ((asked.games, TURNS), (MANY_GAMES, 1)):
        for game, bots in (("kings_corners", "careful,random"), ("red7", "careful,careful")):
            print(sooner(game, bots, games, tries))
    with tempfile.TemporaryDirectory() as folder:
        ledger = f"sqlite:///{Path(folder) / 'games.db'}"
        with Fairdeal(ledger) as fairdeal:
            stored = fill(fairdeal.ledger, fairdeal.codec, asked.events)
            fairdeal.read.catch_up()
        waited, spent = best("games", "--limit", "50", "--ledger", ledger)
    print(f"games, a page of {stored:,} events: {waited:.2f} s, {spent:.2f} s of processor time (bar 0.5)")


if __name__ == "__main__":
    main()
