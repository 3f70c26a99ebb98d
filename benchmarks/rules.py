"""Decisions per second of random play, stored bytes per move, and the time it takes to import Fairdeal."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.bare import file_size
from benchmarks.figures import Figure, Sizes, rounds_of, seconds_of
from benchmarks.games import Script
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.play import race

LEAST_DECISIONS, AIM = 35_000, 190_000
PEER = "crazy_eights"
PEERS = (PEER, "gin_rummy")
UNO = "RLCard's uno"
MOST_BYTES = 300
MOST_IMPORT = 0.3


def open_spiel(sizes: Sizes) -> dict[str, float]:
    """Decisions per second of games of OpenSpiel in C++, driven from Python in the same way; empty without it.

    Cards that chance deals are not decisions, and are not counted.
    """
    try:
        pyspiel: Any = import_module("pyspiel")  # `pip install open_spiel`, if one wants to compare
    except ImportError:
        return {}

    def rate(name: str) -> float:
        game: Any = pyspiel.load_game(name)
        decided, rng = 0, Random(0)
        started = time.perf_counter()
        while not decided or time.perf_counter() - started < sizes.seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                decided += not state.is_chance_node()
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
        return decided / (time.perf_counter() - started)

    return {name: rounds_of(sizes.rounds, partial(rate, name)).best for name in PEERS}


def rlcard_uno(sizes: Sizes) -> dict[str, float]:
    """Decisions per second of RLCard's uno, in Python, by the bare game; empty without it."""
    try:
        uno: Any = import_module("rlcard.games.uno")  # `pip install rlcard`, if one wants to compare
    except ImportError:
        return {}

    def rate() -> float:
        decided, rng = 0, Random(0)
        started = time.perf_counter()
        while not decided or time.perf_counter() - started < sizes.seconds:
            game: Any = uno.Game()
            game.init_game()
            while not game.is_over():
                actions = game.get_legal_actions()
                game.step(actions[int(rng.random() * len(actions))])
                decided += 1
        return decided / (time.perf_counter() - started)

    return {UNO: rounds_of(sizes.rounds, rate).best}


def decisions(rules: AnyRules, sizes: Sizes, peer: float | None) -> Iterator[Figure]:
    """Whole random games at a table of four (or as many as can play): deal, active, legal, decide, evolve."""
    seats = min(4, rules.seats[-1])
    options = next(iter(rules.setup.presets.values()))

    def rate() -> float:
        decided, seed, rng = 0, 0, Random(0)
        started = time.perf_counter()
        while not decided or time.perf_counter() - started < sizes.seconds:
            decided += race(rules, seats=seats, options=options, seed=seed, rng=rng)
            seed += 1
        return decided / (time.perf_counter() - started)

    best, spread = rounds_of(sizes.rounds, rate)
    yield Figure(
        what="random play",
        spread=spread,
        game=rules.kind,
        value=best,
        unit="decisions/s",
        bar=f"≥ {LEAST_DECISIONS:,}, aim {AIM:,}",
        met=best >= LEAST_DECISIONS,
        **_beside(peer, best),
    )


def _beside(peer: float | None, best: float) -> dict[str, Any]:
    return {} if peer is None else {"baseline": peer, "against": f"OpenSpiel's {PEER}", "ratio": best / peer}


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
