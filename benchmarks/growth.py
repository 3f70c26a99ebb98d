"""What things cost on small and on large ledgers: `python -m benchmarks.growth [--events 1000 …] [--plot FILE]`.

Each figure is the median of many calls. What is looked for is the shape: a line that stays level as the ledger grows.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

from benchmarks.__main__ import server
from benchmarks.commands import CALLERS
from benchmarks.load import resident
from benchmarks.noise import measured
from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.options import ReviiyotOptions
from fairdeal.testing.play import chance_of
from fairdeal.testing.recorded import recorded_games

SIZES = (1_000, 100_000, 1_000_000)
CALLS = 200
MOVES_EACH = 3
"""In each of the many games that one process serves."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The median of one kind of call, in microseconds, on a ledger with so many events."""

    database: str
    what: str
    events: int
    microseconds: float


def timed(calls: Sequence[Callable[[], object]]) -> float:
    times: list[float] = []
    for call in calls:
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return median(times) * 1e6


def costs(database: str, address: str, sizes: Sequence[int]) -> Iterator[Cost]:
    """Of commands, looks, questions and projections, each time the ledger has reached a size."""
    games = recorded_games(max(sizes))
    with Fairdeal(address) as fairdeal:
        for size in sizes:
            while fairdeal.ledger.head() < size and (records := next(games, None)):
                fairdeal.ledger.append(records)
            fairdeal.read.catch_up()
            print(f"{database}: {fairdeal.ledger.head():,} events", file=sys.stderr, flush=True)
            for what, microseconds in costs_now(fairdeal):
                yield Cost(database, what, size, microseconds)


def costs_now(fairdeal: Fairdeal) -> Iterator[tuple[str, float]]:
    rng = Random(1)
    before = fairdeal.ledger.head()
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    moves: list[float] = []
    while len(moves) < CALLS:
        look = fairdeal.look(game)
        if not look.active:
            game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
            continue
        player = look.players[look.active[0]]
        move = rng.choice(fairdeal.look(game, player).legal)
        moves.append(timed([partial(fairdeal.move, game, player, move)]))
    yield "command", median(moves)
    yield "look", timed([lambda: fairdeal.look(game, "ann")] * CALLS)
    some = fairdeal.ledger.game_ids(None, CALLS)
    yield "look at a game that is not cached", timed([partial(fairdeal.look, one) for one in some])
    started = time.perf_counter()
    fairdeal.read.catch_up()
    spent = time.perf_counter() - started
    yield "projection step, per event", spent / (fairdeal.ledger.head() - before) * 1e6
    read = fairdeal.read
    yield "question: a page of games", timed([lambda: read.games(limit=20)] * (CALLS // 4))
    yield "question: a player", timed([lambda: read.player("ann")] * (CALLS // 4))
    yield "question: a page of ratings", timed([lambda: read.ratings("pardon", limit=20)] * (CALLS // 4))


def long_game(folder: Path, events: int) -> None:
    """A game of many events costs the same per move at its end as at its start."""
    with Fairdeal(f"sqlite:///{folder / 'long.db'}", kinds=KINDS) as fairdeal:
        game = fairdeal.start_game("reviiyot", [f"p{seat}" for seat in range(10)], {"n": 1000}).game_id
        rng, times, worked = Random(1), list[float](), list[float]()
        while (look := fairdeal.look(game)).active and look.version < events:
            player = look.players[look.active[0]]
            move = rng.choice(fairdeal.look(game, player).legal)
            started, busy = time.perf_counter(), time.thread_time()
            fairdeal.move(game, player, move)
            times.append(time.perf_counter() - started)
            worked.append(time.thread_time() - busy)
        tenth = len(times) // 10
        first, last = (
            f"{median(times[part]) * 1e6:,.0f} µs per move, {median(worked[part]) * 1e6:,.0f} of them processor time,"
            for part in (slice(tenth), slice(-tenth, None))
        )
        print(f"a game of {look.version:,} events: {first} at its start; {last} at its end")


def large_tables() -> None:
    """Tables of Reviiyot are dealt and played at a cost in proportion to their cards."""
    for seats in (10, 100, 1000):
        options = ReviiyotOptions(n=7 * seats)
        play = REVIIYOT.play
        started = time.process_time()
        draft: Draft[Any] = Draft(play.initial_state(seats, options, (None,) * seats), play.evolve)
        play.deal(draft, chance_of(1, seats), None)
        dealt = time.process_time() - started
        cards, rng = len(draft.state.deck), Random(1)
        started, moves = time.process_time(), 0
        while moves < 2000 and (active := play.active(draft.state)):
            legal = play.legal(draft.state, active[0])
            play.decide(draft, active[0], legal[int(rng.random() * len(legal))], chance_of(1, seats))
            moves += 1
        played = time.process_time() - started
        each = f"{dealt / cards * 1e6:.2f} µs per card to deal, {played / max(1, moves) * 1e6:,.0f} µs per move"
        print(f"a Reviiyot table of {seats:,} seats and {cards:,} cards: {each}")


def many_games(folder: Path, games: int) -> None:
    """The memory of a process that has served so many games is bounded."""
    with Fairdeal(f"sqlite:///{folder / 'many.db'}") as fairdeal, ThreadPoolExecutor(CALLERS) as pool:
        served = [list[UUID]() for _ in range(CALLERS)]
        print(f"a process that serves games: {resident():,.0f} MB before the first one")
        for tenth in range(1, 11):
            goal = max(1, games * tenth // 10 // CALLERS)
            list(pool.map(partial(serve, fairdeal, goal), range(CALLERS), served))
            done, events = sum(map(len, served)), fairdeal.ledger.head()
            print(f"  {done:>9,} games served, {events:>11,} events stored: {resident():,.0f} MB")


def serve(fairdeal: Fairdeal, goal: int, seed: int, served: list[UUID]) -> None:
    """One caller starts games of all kinds, makes a few moves in each, and looks at an older one in between."""
    rng, kinds = Random(f"{seed} {len(served)}"), list(KINDS.values())
    while len(served) < goal:
        rules = kinds[len(served) % len(kinds)]
        players = [f"player{seat}" for seat in range(rules.seats[0])]
        game = fairdeal.start_game(rules.kind, players).game_id
        served.append(game)
        for _ in range(MOVES_EACH):
            seat = next(iter(fairdeal.look(game).active), None)
            if seat is not None:
                fairdeal.move(game, players[seat], rng.choice(fairdeal.look(game, players[seat]).legal))
        fairdeal.look(rng.choice(served))


def draw(found: Sequence[Cost], path: Path) -> None:
    """One small plot for each kind of call; all have the same logarithmic axes, so that a level line looks level."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "fairdeal"
    from matplotlib import pyplot

    names = list(dict.fromkeys(cost.what for cost in found))
    figure: Any
    axes: Any
    how: Any = {"sharex": True, "sharey": True, "layout": "constrained"}
    figure, axes = pyplot.subplots(2, (len(names) + 1) // 2, figsize=(12, 5.5), **how)
    for axis, name in zip(axes.flat, names, strict=False):
        for database, style in (("SQLite", "o-"), ("PostgreSQL", "s--")):
            line = [cost for cost in found if (cost.database, cost.what) == (database, name)]
            if line:
                sizes, times = [cost.events for cost in line], [cost.microseconds for cost in line]
                axis.plot(sizes, times, style, label=database)
        axis.set(title=name, xscale="log", yscale="log")
        axis.grid(alpha=0.3)
    for axis in list(axes.flat)[len(names) :]:
        axis.set_visible(False)
    axes[0][0].legend()
    figure.supxlabel("stored events")
    figure.supylabel("microseconds (median)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=SIZES, help="sizes of the ledger, ascending")
    parser.add_argument("--postgres", metavar="URL", help="an empty database to measure on")
    parser.add_argument("--games", type=int, default=100_000, help="how many games one process serves")
    parser.add_argument("--long", type=int, default=20_000, help="how many events one long game has")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the costs as a picture")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    found: list[Cost] = []
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as name:
        folder = Path(name)
        found += costs("SQLite", f"sqlite:///{folder / 'growth.db'}", given.events)
        with server(given.postgres) as postgres:
            if postgres is not None:
                found += costs("PostgreSQL", postgres, given.events)
        for database in dict.fromkeys(cost.database for cost in found):
            print(f"\n{database}, microseconds (median)   " + "".join(f"{size:>14,}" for size in given.events))
            for what in dict.fromkeys(cost.what for cost in found):
                line = [cost.microseconds for cost in found if (cost.database, cost.what) == (database, what)]
                print(f"  {what:<36}" + "".join(f"{value:>14,.0f}" for value in line))
        print()
        large_tables()
        long_game(folder, given.long)
        many_games(folder, given.games)
    print(measured())
    if given.plot is not None:
        draw(found, given.plot)
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(cost) for cost in found], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
