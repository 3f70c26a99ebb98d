"""How strong the strong bots are: `python -m benchmarks.bots [--games N] [--seeing] [KIND[:PRESET] …]`.

With `--seeing` the strong bot is replaced by one that sees every card, in the other hands and in the deck, and knows
how the rival will go on. What it wins says how much luck leaves to choose, whatever one can find out.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.kings_corners.bots import AHEAD as KINGS_CORNERS
from fairdeal.domain.pardon.bots import AHEAD as PARDON
from fairdeal.domain.red7.bots import AHEAD as RED7
from fairdeal.domain.reviiyot.bots import AHEAD as REVIIYOT
from fairdeal.domain.tcg.bots import AHEAD as TCG
from fairdeal.testing.play import chance_of, play

STRONG, RIVAL = "strong", "careful"
TABLES = ("kings_corners", "pardon", "red7", "red7:actions", "reviiyot", "tcg:kata", "tcg:origin", "tcg:full")
AHEAD: Mapping[str, Lookahead[Any, Any]] = {
    "kings_corners": KINGS_CORNERS,
    "pardon": PARDON,
    "red7": RED7,
    "reviiyot": REVIIYOT,
    "tcg": TCG,
}
WORLD = 64
"""Decisions: who knows the only world needs to try it once."""
TO_THE_END = 2000

Winners = Callable[[AnyRules, Any, int, tuple[str, str]], tuple[Seat, ...]]


def points(rules: AnyRules, options: Any, games: int, winners_of: Winners) -> Iterator[float]:
    """Of each game against the rival, on both seats in turn: 1 for a win, ½ for a shared one, 0 for a loss."""
    for seed in range(games):
        bots = (STRONG, RIVAL) if seed % 2 else (RIVAL, STRONG)
        winners = winners_of(rules, options, seed, bots)
        yield float(bots[winners[0]] == STRONG) if len(winners) == 1 else 0.5


def as_seen(rules: AnyRules, options: Any, seed: int, bots: tuple[str, str]) -> tuple[Seat, ...]:
    return play(rules, options=options, seed=seed, bots=bots, keep_states=False).outcome.winners


def seeing(rules: AnyRules, options: Any, seed: int, bots: tuple[str, str]) -> tuple[Seat, ...]:
    options = next(iter(rules.setup.presets.values())) if options is None else options
    ahead = replace(AHEAD[rules.kind], budget=WORLD, horizon=TO_THE_END, doubt=0)
    chance, rng = chance_of(seed, 2), Random(seed)
    draft = Draft[Any](rules.play.initial_state(2, options, (None, None)), rules.play.evolve)
    rules.play.deal(draft, chance, None)
    while active := rules.play.active(draft.state):
        seat = active[0]
        moves = rules.play.legal(draft.state, seat)
        move = rules.bots[RIVAL](rules.eyes.view(draft.state, seat), moves, rng)
        if bots[seat] == STRONG:
            move = ahead.best(seat, moves, move, lambda _: draft.state.copy(), rng)
        rules.play.decide(draft, seat, move, chance)
    winners: tuple[Seat, ...] = draft.events[-1].winners
    return winners


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
    parser.add_argument("--seeing", action="store_true", help="a bot that sees every card instead of the strong one")
    asked = parser.parse_args()
    for table in asked.tables:
        kind, _, preset = table.partition(":")
        rules = KINDS[kind]
        options = rules.setup.presets[preset] if preset else None
        found: list[float] = []
        started = time.process_time()
        for point in points(rules, options, asked.games, seeing if asked.seeing else as_seen):
            found.append(point)
            print(line(table, found, time.process_time() - started), end="\r", flush=True)
        print()


if __name__ == "__main__":
    main()
