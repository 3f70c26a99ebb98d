"""Decisions per second of random play, stored bytes per move, and the time it takes to import Fairdeal."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.bare import file_size
from benchmarks.figures import Figure, Sizes, best_of, seconds_of
from benchmarks.games import Script
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.play import race

LEAST_DECISIONS, AIM = 35_000, 190_000
MOST_BYTES = 300
MOST_IMPORT = 0.3


def decisions(rules: AnyRules, sizes: Sizes) -> Iterator[Figure]:
    """Whole random games at a table of four (or as many as can play): deal, active, legal, decide, evolve."""
    seats = min(4, rules.seats[-1])
    options = next(iter(rules.presets.values()))

    def rate() -> float:
        decided, seed, rng = 0, 0, Random(0)
        started = time.perf_counter()
        while not decided or time.perf_counter() - started < sizes.seconds:
            decided += race(rules, seats=seats, options=options, seed=seed, rng=rng)
            seed += 1
        return decided / (time.perf_counter() - started)

    best = best_of(sizes.rounds, rate)
    yield Figure(
        what="random play",
        game=rules.kind,
        value=best,
        unit="decisions/s",
        bar=f"≥ {LEAST_DECISIONS:,}, aim {AIM:,}",
        met=best >= LEAST_DECISIONS,
    )


def stored_bytes(rules: AnyRules, found: Sequence[Script], folder: Path) -> Iterator[Figure]:
    """The mean over whole games, their openings included."""
    batches = [batch for script in found for batch in script.batches]
    moves = sum(len(script.moves) for script in found)
    state = sum(len(record.link) + len(record.payload) for batch in batches for record in batch)
    size = file_size(batches, folder)
    yield Figure(
        what="stored state per move",
        game=rules.kind,
        value=state / moves,
        unit="bytes",
        bar=f"≤ {MOST_BYTES}",
        met=state / moves <= MOST_BYTES,
        note=f"in the file {size / moves:,.0f} bytes per move, {state / len(found):,.0f} bytes per game",
    )


def import_time(sizes: Sizes) -> Iterator[Figure]:
    """What importing adds to the start of Python."""

    def seconds(code: str) -> float:
        command = [sys.executable, "-c", code]
        return min(seconds_of(lambda: subprocess.run(command, check=True)) for _ in range(2 * sizes.rounds))

    nothing = seconds("pass")
    # A difference of two small times may come out below nothing on a busy machine.
    bare, whole = (max(0.0, seconds(code) - nothing) for code in ("import fairdeal", "from fairdeal import Fairdeal"))
    yield Figure(
        what="import fairdeal",
        game="",
        value=bare,
        unit="s",
        bar=f"≤ {MOST_IMPORT} s",
        met=bare <= MOST_IMPORT,
        note=f"from fairdeal import Fairdeal: {whole:.2f} s",
    )
