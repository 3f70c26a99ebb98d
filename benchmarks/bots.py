"""How strong the strong bots are: `python -m benchmarks.bots [--games N] [KIND[:PRESET] …]`."""

import argparse
import time
from collections.abc import Iterator
from math import sqrt
from typing import Any

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.play import play

STRONG, RIVAL = "strong", "careful"
TABLES = ("kings_corners", "pardon", "red7", "red7:actions", "reviiyot", "tcg:kata", "tcg:origin", "tcg:full")


def points(rules: AnyRules, options: Any, games: int) -> Iterator[float]:
    """Of each game against the rival, on both seats in turn: 1 for a win, ½ for a shared one, 0 for a loss."""
    for seed in range(games):
        bots = (STRONG, RIVAL) if seed % 2 else (RIVAL, STRONG)
        winners = play(rules, options=options, seed=seed, bots=bots, keep_states=False).outcome.winners
        yield float(bots[winners[0]] == STRONG) if len(winners) == 1 else 0.5


def line(table: str, found: list[float], seconds: float) -> str:
    count = len(found)
    mean = sum(found) / count
    error = 1.96 * sqrt(sum((point - mean) ** 2 for point in found) / count / count)
    won, shared, lost = found.count(1.0), found.count(0.5), found.count(0.0)
    interval = f"{mean:6.1%} ({mean - error:.1%} to {mean + error:.1%})"
    return f"{table:14} {count:5} games: {interval}, won {won}, shared {shared}, lost {lost}, {seconds:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="KIND[:PRESET]")
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    for table in asked.tables:
        kind, _, preset = table.partition(":")
        rules = KINDS[kind]
        options = rules.presets[preset] if preset else None
        found: list[float] = []
        started = time.process_time()
        for point in points(rules, options, asked.games):
            found.append(point)
            print(line(table, found, time.process_time() - started), end="\r", flush=True)
        print()


if __name__ == "__main__":
    main()
