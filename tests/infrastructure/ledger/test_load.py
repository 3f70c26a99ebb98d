"""Load: many games, many callers, little room; the benchmark does the same in full size."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import active_count

from fairdeal import Fairdeal
from kits.players import Player, some_game

CALLERS = 32
TABLES = 2
"""Of each caller."""
MOVES = 15
ROOM = 20


def test_many_games_and_callers_end_without_an_error_and_leave_little_behind(address: str) -> None:
    heard: Counter[str] = Counter()

    def listen(what: str, thing: object) -> None:
        heard[what] += 1

    threads = active_count()
    with Fairdeal(address, cached_games=ROOM) as fairdeal:
        tables = [fairdeal.handle(some_game(Random(number))).game_id for number in range(CALLERS * TABLES)]
        players = [Player(fairdeal, listen, Random(seed), tables[seed::CALLERS]) for seed in range(CALLERS)]
        with ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(Player.play, players, [MOVES] * CALLERS))
        assert heard == {"sent": CALLERS * MOVES, "answered": CALLERS * MOVES}
        assert len(fairdeal._parts.queries._cache._cached) <= ROOM  # pyright: ignore[reportPrivateUsage] — seen nowhere else
        assert all(report.good for report in fairdeal.audit_all())
    assert active_count() == threads
