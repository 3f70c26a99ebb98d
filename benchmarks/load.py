"""Load: many games open at once, thirty-two callers, bounded memory."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from uuid import UUID

from benchmarks.commands import CALLERS
from benchmarks.figures import FULL, Figure, Sizes, latencies
from fairdeal import Fairdeal, QuickStart
from fairdeal.domain.kernel.rules import AnyRules

LEAST_MOVES = 2_580
"""Three times what was measured before anybody looked where the time goes."""


class Caller:
    """Looks and moves at some tables, one after the other; whoever finds a game over starts another one."""

    def __init__(self, fairdeal: Fairdeal, kinds: Sequence[AnyRules], tables: int, seed: int) -> None:
        self._fairdeal = fairdeal
        self._kinds = kinds
        self._rng = Random(seed)
        self._tables = [self._start() for _ in range(tables)]
        self.times: list[float] = []
        self.looks: list[float] = []

    def _start(self) -> UUID:
        rules = self._rng.choice(self._kinds)
        players = tuple(f"player{seat}" for seat in range(rules.seats[0]))
        return self._fairdeal.handle(QuickStart(player="host", kind=rules.kind, players=players)).game_id

    def play(self, moves: int) -> None:
        while len(self.times) < moves:
            at = self._rng.randrange(len(self._tables))
            game = self._tables[at]
            look = self._fairdeal.look(game)
            if not look.active:
                self._tables[at] = self._start()
                continue
            player = look.players[self._rng.choice(look.active)]
            started = time.perf_counter()
            look = self._fairdeal.look(game, player)
            looked = time.perf_counter()
            self._fairdeal.move(game, player, self._rng.choice(look.legal))
            self.times.append(time.perf_counter() - looked)
            self.looks.append(looked - started)


def load(kinds: Sequence[AnyRules], sizes: Sizes, folder: Path) -> Iterator[Figure]:
    """As many games as the sizes say, all kinds mixed, half of them warm at a time."""
    with Fairdeal(f"sqlite:///{folder / 'load.db'}", cached_games=sizes.load_games // 2) as fairdeal:
        tables = max(1, sizes.load_games // CALLERS)
        callers = [Caller(fairdeal, kinds, tables, seed) for seed in range(CALLERS)]
        before = resident()
        started = time.perf_counter()
        with ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(Caller.play, callers, [max(1, sizes.load_moves // CALLERS)] * CALLERS))
        spent = time.perf_counter() - started
        after = resident()
    moves = latencies([spent for caller in callers for spent in caller.times])
    looks = latencies([spent for caller in callers for spent in caller.looks])
    done = sum(len(caller.times) for caller in callers)
    yield Figure(
        what=f"load: {tables * CALLERS:,} games, {done:,} moves, {CALLERS} callers",
        game="all",
        value=done / spent,
        unit="moves/s",
        bar=f"≥ {LEAST_MOVES:,}" if sizes is FULL else "",
        met=done / spent >= LEAST_MOVES if sizes is FULL else None,
        note=f"moves {moves}, most {moves.most * 1e3:.0f}; looks {looks}; memory {before:.0f} → {after:.0f} MB",
    )


def resident() -> float:
    """Megabytes of memory that this process holds now; 0 where nobody can tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6
