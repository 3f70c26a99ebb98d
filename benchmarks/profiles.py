"""Where the time goes: `python -m benchmarks.profiles WHAT [KIND] [--lines 25]`.

WHAT is one of commands, load, audit, replay, projections, play. Shares are what counts: the profiler slows down all
that calls many small functions. On a busy machine the order of the lines is still right, and seconds are not.
"""

import argparse
import cProfile
import pstats
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

from benchmarks.games import open_all, scripts
from benchmarks.load import Caller
from benchmarks.projections import read_side
from fairdeal import Fairdeal
from fairdeal.application.audit.ledger import audit_ledger
from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.game import Game
from fairdeal.testing.play import race
from fairdeal.testing.workload import fill

MOVES = 2000
Work = Callable[[], object]


def commands(fairdeal: Fairdeal, kind: str) -> Work:
    """One caller makes the moves of games that are cached."""
    found = scripts(KINDS[kind], MOVES, 60)
    open_all(fairdeal, found)
    return lambda: [fairdeal.handle(move) for script in found for move in script.moves]


def load(fairdeal: Fairdeal, _: str) -> Work:
    """One of the callers of the load test; half of its games are cold."""
    caller = Caller(fairdeal, list(KINDS.values()), MOVES // 4, seed=1)
    return lambda: caller.play(MOVES)


def audits(fairdeal: Fairdeal, kind: str) -> Work:
    """The full audit of a ledger: read by game, decided again, and compared with the order of the ledger."""
    for script in scripts(KINDS[kind], MOVES, MOVES):
        fairdeal.ledger.append([record for batch in script.batches for record in batch])
    return lambda: list(audit_ledger(fairdeal.ledger, fairdeal.codec))


def replay(fairdeal: Fairdeal, kind: str) -> Work:
    """Records from the file, events from the records, the game from the events."""
    found = scripts(KINDS[kind], MOVES, MOVES)
    for script in found:
        fairdeal.ledger.append([record for batch in script.batches for record in batch])
    ids, rules, codec = [script.batches[0][0].game_id for script in found], KINDS[kind], fairdeal.codec
    return lambda: [Game.replayed(game, rules, codec.events(fairdeal.ledger.records(game))) for game in ids]


def projections(fairdeal: Fairdeal, _: str) -> Work:
    """All projections caught up from nothing, all kinds mixed."""
    fill(fairdeal.ledger, fairdeal.codec, 10 * MOVES)
    read = read_side(fairdeal, "memory:")
    read.progress()
    return read.catch_up


def play(_: Fairdeal, kind: str) -> Work:
    """Random games by the bare rules."""
    rules, rng = KINDS[kind], Random(0)
    options = next(iter(rules.setup.presets.values()))
    seats = min(4, rules.seats[-1])
    return lambda: [race(rules, seats=seats, options=options, seed=seed, rng=rng) for seed in range(MOVES // 20)]


WORKS: dict[str, Callable[[Fairdeal, str], Work]] = {
    "commands": commands,
    "load": load,
    "audit": audits,
    "replay": replay,
    "projections": projections,
    "play": play,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WORKS)
    parser.add_argument("kind", choices=KINDS, nargs="?", default="red7")
    parser.add_argument("--lines", type=int, default=25)
    parser.add_argument("--by", choices=["tottime", "cumtime"], default="tottime", help="by own time, or with callees")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-profile-")))
        fairdeal = stack.enter_context(Fairdeal(f"sqlite:///{folder / 'games.db'}", cached_games=MOVES // 8))
        work = WORKS[given.what](fairdeal, given.kind)
        profile = cProfile.Profile()
        profile.enable()
        work()
        profile.disable()
    pstats.Stats(profile).sort_stats(given.by).print_stats(given.lines)


if __name__ == "__main__":
    main()
