"""Durable commands per second, by one caller and by thirty-two, beside bare transactions with the same bytes."""

import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from typing import Any

from benchmarks.bare import Bare
from benchmarks.figures import Figure, Latencies, latencies
from benchmarks.games import Script, open_all
from fairdeal import Fairdeal, MakeMove
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger

CALLERS = 32
SLOW_COMMIT = 0.002
MOST_RATIO = {"SQLite": 1.35, "PostgreSQL": 1.15}
LEAST_GAIN, LEAST_PART = 5.0, 0.6


def durable_commands(database: str, game: str, address: str, bare: Bare, found: Sequence[Script]) -> Iterator[Figure]:
    """One caller sends a fifth of the commands, thirty-two callers the rest."""
    alone, together = split(found)
    with Fairdeal(address, cached_games=10_000) as fairdeal:
        open_all(fairdeal, found)
        calls, bares = one_caller(fairdeal, alone, bare)
        rate, many = many_callers(fairdeal, together)
    one, commit, alone_rate = latencies(calls), median(bares), len(calls) / sum(calls)
    ratio = one.p50 / commit
    yield Figure(
        what=f"durable command, one caller, {database}",
        game=game,
        value=alone_rate,
        unit="/s",
        baseline=len(bares) / sum(bares),
        against="bare transaction (ratio of the medians)",
        ratio=ratio,
        bar=f"≤ {MOST_RATIO[database]} × bare",
        met=ratio <= MOST_RATIO[database],
        note=str(one),
    )
    # Where the disk is slow, callers share its commits; where it is fast, the processor is what they share.
    is_slow = commit >= SLOW_COMMIT
    baseline = alone_rate if is_slow else piled_up(together, bare)
    least = LEAST_GAIN if is_slow else LEAST_PART
    yield Figure(
        what=f"durable commands, {CALLERS} callers, {database}",
        game=game,
        value=rate,
        unit="/s",
        baseline=baseline,
        against="one caller" if is_slow else f"one caller who stores {CALLERS} commands in one transaction",
        ratio=rate / baseline,
        bar=f"≥ {LEAST_GAIN:g} × one caller if a commit takes {SLOW_COMMIT * 1e3:g} ms, else ≥ {LEAST_PART:.0%}",
        met=rate >= least * baseline,
        note=f"{many}; {rate / alone_rate:.1f} × one caller; bare commit {commit * 1e3:.2f} ms",
    )


def split(found: Sequence[Script]) -> tuple[list[Script], list[Script]]:
    total = sum(len(script.moves) for script in found)
    alone: list[Script] = []
    for script in found:
        if sum(len(one.moves) for one in alone) * 5 >= total:
            break
        alone.append(script)
    return alone, list(found[len(alone) :])


def one_caller(fairdeal: Fairdeal, found: Sequence[Script], bare: Bare) -> tuple[list[float], list[float]]:
    """Seconds of each command, and of a bare transaction with the same bytes right after it."""
    calls: list[float] = []
    bares: list[float] = []
    for script in found:
        bare.write(script.batches[:1])
        for move, batch in zip(script.moves, script.batches[1:], strict=True):
            started = time.perf_counter()
            fairdeal.handle(move)
            calls.append(time.perf_counter() - started)
            bares.append(bare.write([batch]))
    return calls, bares


def many_callers(fairdeal: Fairdeal, found: Sequence[Script]) -> tuple[float, Latencies]:
    """Commands per second, and how long each one took."""
    shares = [[move for script in found[at::CALLERS] for move in script.moves] for at in range(CALLERS)]

    def call(moves: Sequence[MakeMove]) -> list[float]:
        times: list[float] = []
        for move in moves:
            started = time.perf_counter()
            fairdeal.handle(move)
            times.append(time.perf_counter() - started)
        return times

    with ThreadPoolExecutor(CALLERS) as pool:
        started = time.perf_counter()
        times = [spent for share in pool.map(call, shares) for spent in share]
        return len(times) / (time.perf_counter() - started), latencies(times)


class Pile:
    """A ledger that only collects what it is given, for somebody else to store."""

    def __init__(self, ledger: Ledger) -> None:
        self.batches: list[Sequence[Record]] = []
        self._ledger = ledger

    def append(self, records: Sequence[Record], **_: object) -> None:
        self.batches.append(records)

    def __getattr__(self, name: str) -> object:
        return getattr(self._ledger, name)


def piled_up(found: Sequence[Script], bare: Bare) -> float:
    """Commands per second if one caller decides thirty-two and stores them in one bare transaction."""
    with Fairdeal("memory:") as memory:
        pile = Pile(memory.ledger)
        open_all(memory, found)
        handlers = memory._parts.handlers  # pyright: ignore[reportPrivateUsage]
        with standing_in(handlers, pile):
            moves = [move for script in found for move in script.moves]
            moves = moves[: max(CALLERS, len(moves) // CALLERS * CALLERS)]
            started = time.perf_counter()
            for at in range(0, len(moves), CALLERS):
                for move in moves[at : at + CALLERS]:
                    memory.handle(move)
                bare.write(pile.batches)
                pile.batches.clear()
            return len(moves) / (time.perf_counter() - started)


@contextmanager
def standing_in(handlers: Any, pile: Pile) -> Generator[None]:
    """The pile in the place of the ledger; at the end `mock` would delete it, which a compiled class refuses."""
    ledger, handlers._ledger = handlers._ledger, pile
    try:
        yield
    finally:
        handlers._ledger = ledger
