"""Live games: new events of long games, followers, and async callers: `python -m benchmarks.live [--quick|--tiny]`."""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, sleep
from typing import Any
from uuid import UUID

from benchmarks.commands import CALLERS
from benchmarks.figures import Figure, latencies
from benchmarks.games import Script, open_all, scripts
from benchmarks.report import FigureReport
from fairdeal import AsyncFairdeal, Fairdeal
from fairdeal.application.commands.observing import CommandObserved
from fairdeal.games import KINGS_CORNERS, ReviiyotOptions

SAME = 1.25
"""What costs the same differs by no more than so much, and by the noise of the machine."""
HERE_MS, FROM_ELSEWHERE_MS = 5.0, 15.0
MOST_BYTES = 30_000
LEAST_PART = 0.8
LONG_TABLE = [f"player{seat}" for seat in range(8)]
"""So many ask each other long enough."""
END = {"move": "end_turn"}
Times = dict[tuple[UUID, int], float]
"""When a version was stored, or when a follower had it, by the clock that all processes of a machine share."""


@dataclass(frozen=True, slots=True)
class LiveSizes:
    early: int
    late: int
    """The versions of a long game at which new events are asked for."""
    asked: int
    games: int
    followers: int
    moves: int
    """So many are stored while followers wait."""
    commands: int
    """For each round of 32 callers."""
    rounds: int


FULL = LiveSizes(100, 10_000, 200, games=500, followers=1000, moves=300, commands=2000, rounds=3)
QUICK = LiveSizes(100, 2_000, 50, games=100, followers=200, moves=60, commands=400, rounds=2)
TINY = LiveSizes(100, 150, 5, games=4, followers=8, moves=6, commands=64, rounds=1)


def live(sizes: LiveSizes, folder: Path, postgres: str | None) -> Iterator[Figure]:
    """Every figure as soon as it is known."""
    yield long_game(sizes, f"sqlite:///{folder / 'long.db'}")
    here = f"sqlite:///{folder / 'followed.db'}"
    alone, _ = asyncio.run(followed(here, sizes, games=1, followers=1))
    together, memory = asyncio.run(followed(here, sizes, games=sizes.games, followers=sizes.followers))
    many = f"{sizes.followers} followers of {sizes.games} games"
    yield _delay("commit to follower, same process, SQLite", many, alone, together, HERE_MS)
    yield Figure(
        what="memory of a follower",
        game=many,
        value=memory,
        unit="bytes",
        bar=f"≤ {MOST_BYTES} bytes",
        met=memory <= MOST_BYTES,
        note="growth of the process while they begin to follow, for each of them",
    )
    if postgres is not None:
        alone, _ = asyncio.run(followed(postgres, sizes, games=1, followers=1, elsewhere=True))
        together, _ = asyncio.run(
            followed(postgres, sizes, games=sizes.games, followers=sizes.followers, elsewhere=True)
        )
        what = "commit to follower, from another process, PostgreSQL"
        yield _delay(what, many, alone, together, FROM_ELSEWHERE_MS)
    yield async_callers(sizes, folder)


# -- new events of a long game ---------------------------------------------------------------------------------------


def long_game(sizes: LiveSizes, address: str) -> Figure:
    """Each question is asked once, right after a move, so that nothing is answered from what was made before."""
    with Fairdeal(address) as fairdeal:
        rng = Random(1)
        game = fairdeal.start_game("reviiyot", LONG_TABLE, ReviiyotOptions(max(20, sizes.late // 10))).game_id
        early = _asked(fairdeal, game, rng, sizes.early, sizes.asked)
        late = _asked(fairdeal, game, rng, sizes.late, sizes.asked)
    ratio = median(late) / median(early)
    return Figure(
        what="events(after=head-1) of a long game",
        game=f"version {sizes.late}",
        value=median(late) * 1e6,
        unit="µs",
        baseline=median(early) * 1e6,
        against=f"version {sizes.early}",
        ratio=ratio,
        bar=f"≤ {SAME:g} × version {sizes.early}",
        met=ratio <= SAME,
    )


def _asked(fairdeal: Fairdeal, game: UUID, rng: Random, version: int, times: int) -> list[float]:
    """Plays to a version, then so many moves more, asking after each; seconds."""
    found: list[float] = []
    while len(found) < times:
        head = _move(fairdeal, game, rng)
        if head >= version:
            for viewer in (None, *LONG_TABLE[:2]):
                began = perf_counter()
                fairdeal.events(game, viewer, after=head - 1)
                found.append(perf_counter() - began)
    return found


def _move(fairdeal: Fairdeal, game: UUID, rng: Random) -> int:
    active = fairdeal.look(game).active
    assert active, "the game is over too soon"
    player = LONG_TABLE[active[0]]
    legal = fairdeal.look(game, player).legal
    return fairdeal.move(game, player, legal[int(rng.random() * len(legal))]).version


# -- followers -------------------------------------------------------------------------------------------------------


async def followed(
    address: str, sizes: LiveSizes, *, games: int, followers: int, elsewhere: bool = False
) -> tuple[list[float], float]:
    """Seconds from each commit to each of its followers, and bytes for each follower."""
    stored: Times = {}

    def note(observed: CommandObserved) -> None:
        # Told right after the commit, before anybody is woken.
        if observed.game is not None and observed.version is not None:
            stored[observed.game, observed.version] = perf_counter()

    with Fairdeal(address, observe=None if elsewhere else note) as fairdeal:
        async with AsyncFairdeal(fairdeal) as service:
            tables = [fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(games)]
            heads = {game: fairdeal.look(game).version for game in tables}
            seen: dict[tuple[UUID, int], list[float]] = {}
            gc.collect()
            before = _resident()
            tasks = [
                asyncio.create_task(_follow(service, tables[at % games], heads[tables[at % games]], seen))
                for at in range(followers)
            ]
            while len(seen) < games or sum(map(len, seen.values())) < followers:
                await asyncio.sleep(0.01)
            gc.collect()
            memory = max(1, _resident() - before) / followers
            seen.clear()
            plan = [tables[at % games] for at in range(sizes.moves)]
            if elsewhere:
                stored = await asyncio.to_thread(_elsewhere, address, plan)
            else:
                for game in plan:
                    await service.run(_end_turn, fairdeal, game)
                    await asyncio.sleep(0.002)
            last = max(stored.values())
            while perf_counter() < last + 1 and set(stored) - set(seen):
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)  # those who hear of the last move
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    delays = [max(0.0, at - stored[what]) for what, times in seen.items() if what in stored for at in times]
    return delays, memory


async def _follow(service: AsyncFairdeal, game: UUID, after: int, seen: dict[tuple[UUID, int], list[float]]) -> None:
    async for new in service.follow(game, after=after):
        seen.setdefault((game, new.version), []).append(perf_counter())


def _end_turn(fairdeal: Fairdeal, game: UUID) -> None:
    look = fairdeal.look(game)
    if look.active:
        fairdeal.move(game, look.players[look.active[0]], END)


def _elsewhere(address: str, plan: Sequence[UUID]) -> Times:
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_write, args=(address, list(plan), theirs))
    process.start()
    found: Times = mine.recv()
    process.join()
    return found


def _write(address: str, plan: list[UUID], pipe: Any) -> None:
    """Another process that moves; it says when each move was stored."""
    stored: Times = {}

    def note(observed: CommandObserved) -> None:
        if observed.game is not None and observed.version is not None:
            stored[observed.game, observed.version] = perf_counter()

    with Fairdeal(address, observe=note) as fairdeal:
        rng = Random(2)
        for game in plan:
            _end_turn(fairdeal, game)
            sleep(rng.uniform(0.002, 0.02))
    pipe.send(stored)


def _resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _delay(what: str, game: str, alone: Sequence[float], together: Sequence[float], most: float) -> Figure:
    one, many = latencies(alone), latencies(together)
    return Figure(
        what=what,
        game=game,
        value=many.p50 * 1e3,
        unit="ms",
        baseline=one.p50 * 1e3,
        against="one follower of one game (p50)",
        ratio=many.p50 / max(one.p50, 1e-9),
        bar=f"p50 ≤ {most:g} ms",
        met=many.p50 * 1e3 <= most,
        note=str(many),
    )


# -- async callers ---------------------------------------------------------------------------------------------------


def async_callers(sizes: LiveSizes, folder: Path) -> Figure:
    """The same commands by 32 threads and by 32 tasks, in turns, so that both meet the same machine."""
    longest = max(1, sizes.commands // CALLERS)
    threads: list[float] = []
    tasks: list[float] = []
    for number in range(sizes.rounds):
        found = scripts(KINGS_CORNERS, sizes.commands, longest)
        for name, rates, measure in (("threads", threads, _by_threads), ("tasks", tasks, _by_tasks)):
            with Fairdeal(f"sqlite:///{folder / f'{name}{number}.db'}", cached_games=10_000) as fairdeal:
                open_all(fairdeal, found)
                rates.append(measure(fairdeal, found))
    rate, baseline = max(tasks), max(threads)
    return Figure(
        what=f"durable commands, AsyncFairdeal, {CALLERS} callers",
        game="kings_corners",
        value=rate,
        unit="/s",
        baseline=baseline,
        against=f"{CALLERS} threads",
        ratio=rate / baseline,
        bar=f"≥ {LEAST_PART:g} × threads",
        met=rate >= LEAST_PART * baseline,
    )


def _shares(found: Sequence[Script]) -> list[list[Any]]:
    return [[move for script in found[at::CALLERS] for move in script.moves] for at in range(CALLERS)]


def _by_threads(fairdeal: Fairdeal, found: Sequence[Script]) -> float:
    def call(moves: list[Any]) -> int:
        for move in moves:
            fairdeal.handle(move)
        return len(moves)

    with ThreadPoolExecutor(CALLERS) as pool:
        began = perf_counter()
        return sum(pool.map(call, _shares(found))) / (perf_counter() - began)


def _by_tasks(fairdeal: Fairdeal, found: Sequence[Script]) -> float:
    async def call(service: AsyncFairdeal, moves: list[Any]) -> int:
        for move in moves:
            await service.handle(move)
        return len(moves)

    async def everybody() -> float:
        async with AsyncFairdeal(fairdeal) as service:
            began = perf_counter()
            done = await asyncio.gather(*(call(service, moves) for moves in _shares(found)))
            return sum(done) / (perf_counter() - began)

    return asyncio.run(everybody())


def main(arguments: Sequence[str]) -> int:
    from benchmarks.__main__ import server

    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less than a minute, more noise")
    parser.add_argument("--tiny", action="store_true", help="a few of each, to see that it runs")
    parser.add_argument("--postgres", metavar="URL", help="a database to measure on; its ledger is added to")
    options = parser.parse_args(arguments)
    sizes = TINY if options.tiny else QUICK if options.quick else FULL
    report = FigureReport()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder, server(options.postgres) as postgres:
        for figure in live(sizes, Path(folder), postgres):
            report.add(figure)
    report.show()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
