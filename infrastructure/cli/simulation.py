"""Many games between bots by the bare rules, in as many processes as wanted: the same seeds give the same figures."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from typing import Any

from fairdeal.infrastructure.cli.kinds import name_kinds, named_kinds, rules_of
from fairdeal.testing.play import play

BUNDLES = 16
"""For each process: enough that none waits long for another at the end."""
LARGEST_BUNDLE = 200
APART = 10**9
"""Between the seeds of two simulations, so that they share no game."""
Z = 1.959964
"""Standard deviations on each side of which 95 % of a normal distribution lie."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which bots play which game; the order is that of the first game, and turns by one seat with every game."""

    kind: str
    options: Any
    bots: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """How one game ended: the numbers of the bots that won, and how many decisions it took."""

    number: int
    winners: tuple[int, ...]
    decisions: int
    reason: str


def simulate(match: Match, games: int, jobs: int) -> Iterator[Played]:
    """The games in their order, whoever played them."""
    if jobs == 1:
        yield from _bundle(match, 0, games)
        return
    size = max(1, min(LARGEST_BUNDLE, games // (jobs * BUNDLES)))
    starts = range(0, games, size)
    with ProcessPoolExecutor(jobs, get_context("spawn"), name_kinds, (named_kinds(),)) as pool:
        waiting = [pool.submit(bundle, match, start, min(start + size, games)) for start in starts]
        try:
            for done in waiting:
                yield from done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def bundle(match: Match, start: int, end: int) -> list[Played]:
    return list(_bundle(match, start, end))


def _bundle(match: Match, start: int, end: int) -> Iterator[Played]:
    rules = rules_of(match.kind)
    seats = len(match.bots)
    for number in range(start, end):
        turned = [(seat + number) % seats for seat in range(seats)]
        names = [match.bots[bot] for bot in turned]
        seed = match.seed * APART + number
        game = play(rules, seats=seats, options=match.options, seed=seed, bots=names, keep_states=False)
        winners = tuple(sorted(turned[seat] for seat in game.outcome.winners))
        yield Played(number, winners, len(game.steps), game.outcome.reason)


@dataclass(frozen=True, slots=True)
class Share:
    """How often somebody won, a shared win by parts, and where 95 % of such estimates hold the truth (Wilson)."""

    won: float
    games: int

    @property
    def rate(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        n, p = self.games, self.rate
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        reach = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%}  ({low:.1%} to {high:.1%})"


def shares(played: Sequence[Played], bots: int) -> list[Share]:
    won = [0.0] * bots
    for game in played:
        for bot in game.winners:
            won[bot] += 1 / len(game.winners)
    return [Share(one, len(played)) for one in won]
