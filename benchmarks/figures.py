"""What is measured: figures, their baselines and the bars they should reach."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured; ratios hardly depend on it, the noise does."""

    seconds: float
    """Of random play, for each game and round."""
    rounds: int
    commands: int
    """Durable ones by one caller, for each game and database; thirty-two callers send four times as many."""
    events: int
    """Replayed from SQLite, for each game."""
    audited: int
    """Events of all games in one large ledger; enough that the start of processes is a small part of its audit."""
    load_games: int
    load_moves: int
    games: int | None = None
    """How many kinds of game, if not all of them."""


# The load is ten minutes of an ordinary service: 2,000 games, a move every 30 seconds in each.
FULL = Sizes(seconds=1.0, rounds=3, commands=1500, events=30_000, audited=1_000_000, load_games=2000, load_moves=40_000)
QUICK = Sizes(seconds=0.1, rounds=2, commands=100, events=4_000, audited=20_000, load_games=200, load_moves=1_000)
TINY = Sizes(seconds=0.01, rounds=1, commands=5, events=200, audited=400, load_games=4, load_moves=20, games=1)


COMPILED = ", compiled build"
"""Behind the name of what was measured there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the report."""

    what: str
    game: str
    value: float
    unit: str
    baseline: float | None = None
    against: str = ""
    """What the baseline is."""
    ratio: float | None = None
    bar: str = ""
    met: bool | None = None
    """Whether the bar was reached; None if there is none."""
    note: str = ""
    spread: float | None = None
    """How far the rounds lie apart, as a part of the best; None if there was one round only."""


def best_of(rounds: int, measure: Callable[[], float]) -> float:
    """The highest of several: the machine may be busy with other things."""
    return rounds_of(rounds, measure).best


class Rounds(NamedTuple):
    """The best of several rounds, and how far they lie apart as a part of it."""

    best: float
    spread: float


def rounds_of(rounds: int, measure: Callable[[], float]) -> Rounds:
    found = [measure() for _ in range(rounds)]
    best = max(found)
    return Rounds(best, (best - min(found)) / best)


def seconds_of(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


@dataclass(frozen=True, slots=True)
class Latencies:
    """How long single calls took, in seconds."""

    p50: float
    p95: float
    p99: float
    most: float

    def __str__(self) -> str:
        return f"p50 {self.p50 * 1e3:.2f}  p95 {self.p95 * 1e3:.2f}  p99 {self.p99 * 1e3:.2f} ms"


def latencies(times: Sequence[float]) -> Latencies:
    ordered = sorted(times)

    def at(part: float) -> float:
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]

    return Latencies(at(0.5), at(0.95), at(0.99), ordered[-1])
