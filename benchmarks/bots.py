"""How strong the strong bots are: `python -m benchmarks.bots [--games N] [--seeing] [KIND[:PRESET[:SEATS]] …]`.

One strong bot sits among careful ones, on every seat in turn; a shared win counts by parts, and games with one winner
are also told for themselves. The share to beat is one by the number of seats.

With `--seeing` the strong bot is replaced by one that sees every card, in the other hands and in the deck, and knows
how the rival will go on. What it wins says how much luck leaves to choose, whatever one can find out.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
TABLES = (
    "kings_corners",
    "pardon",
    "red7:basic",
    "red7:actions",
    "red7:match",
    "red7:match_actions",
    "reviiyot:classic",
    "reviiyot:short",
    "reviiyot:classic:3",
    "tcg:kata",
    "tcg:origin",
    "tcg:full",
)
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

Winners = Callable[[AnyRules, Any, int, Sequence[str]], tuple[Seat, ...]]


def results(rules: AnyRules, options: Any, seats: int, games: int, winners_of: Winners) -> Iterator[tuple[bool, int]]:
    """Of each game against the rivals, on all seats in turn: whether the strong one won, and how many did.

    A game that nobody wins counts as shared by all.
    """
    for seed in range(games):
        strong = seats - 1 - seed % seats
        bots = [STRONG if seat == strong else RIVAL for seat in range(seats)]
        winners = winners_of(rules, options, seed, bots)
        yield (strong in winners, len(winners)) if winners else (True, seats)


def as_seen(rules: AnyRules, options: Any, seed: int, bots: Sequence[str]) -> tuple[Seat, ...]:
    return play(rules, seats=len(bots), options=options, seed=seed, bots=bots, keep_states=False).outcome.winners


def seeing(rules: AnyRules, options: Any, seed: int, bots: Sequence[str]) -> tuple[Seat, ...]:
    options = next(iter(rules.setup.presets.values())) if options is None else options
    assert len(bots) == 2
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


def line(table: str, found: list[tuple[bool, int]], seconds: float) -> str:
    points = [won / winners for won, winners in found]
    alone = [float(won) for won, winners in found if winners == 1]
    shared = sum(winners > 1 for _, winners in found)
    told = f"{table:18} {len(found):5} games: {share(points)}, one winner in {len(alone)}"
    told += f": {share(alone)}" if shared and alone else ""
    return f"{told}, {seconds:.0f} s"


def share(points: list[float]) -> str:
    """The mean, and where 95 % of such estimates hold the truth: by the spread of the points, which is small where
    most games are shared."""
    mean = sum(points) / len(points)
    error = 1.96 * sqrt(sum((point - mean) ** 2 for point in points)) / len(points)
    return f"{mean:.2%} ({mean - error:.2%} to {mean + error:.2%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="KIND[:PRESET[:SEATS]]")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seeing", action="store_true", help="a bot that sees every card instead of the strong one")
    asked = parser.parse_args()
    for table in asked.tables:
        kind, preset, seats = [*table.split(":"), "", ""][:3]
        rules = KINDS[kind]
        options = rules.setup.presets[preset] if preset else None
        found: list[tuple[bool, int]] = []
        started = time.process_time()
        winners_of = seeing if asked.seeing else as_seen
        for result in results(rules, options, int(seats or 2), asked.games, winners_of):
            found.append(result)
            if sys.stdout.isatty():
                print(line(table, found, time.process_time() - started), end="\r", flush=True)
        print(line(table, found, time.process_time() - started))


if __name__ == "__main__":
    main()
