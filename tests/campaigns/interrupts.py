"""Exceptions from a signal handler at any moment, some right after another: afterwards everybody can write."""

import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from uuid import UUID

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError

END_TURN = {"move": "end_turn"}
PATIENCE = 10.0
"""Whoever waits longer than that waits for somebody who is gone."""
COMPANIONS = 3
"""Enough for groups of which each is decided by one of them."""


class Interruption(BaseException):
    """Something like Ctrl-C."""


def run(seed: int, seconds: float) -> Tally:
    """The main thread plays and is interrupted, others play all the while."""
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as folder, Fairdeal(f"sqlite:///{Path(folder) / 'games.db'}", patience=PATIENCE) as games:
        shared = games.start_game("kings_corners", ["ann", "bob"]).game_id
        others = [Companion(games, shared) for _ in range(COMPANIONS)]
        before = signal.getsignal(signal.SIGALRM)
        kept: list[BaseException] = []  # with all that they hold on to, as somebody does who logs them later
        try:
            until = Until(seconds)
            while until:
                interrupted(lambda: act(games, shared), rng, kept)
                tally.tries += 1
                del kept[:-500]
        finally:
            signal.signal(signal.SIGALRM, before)
        try:
            for _ in range(3):
                try_once(lambda: act(games, shared))
        except FairdealError as error:
            tally.broke(f"seed {seed}: nobody can write after {tally.tries} interrupts: {error}")
        for other in others:
            other.stop()
            tally.breaks += other.breaks
        for report in games.audit_all():
            if not report.good:
                tally.broke(f"seed {seed}: game {report.game_id} is not good any more")
    return tally


def act(games: Fairdeal, shared: UUID) -> None:
    """A new game, a move in it, a move in a game that others play, and some looks."""
    game = games.start_game("kings_corners", ["ann", "bob"]).game_id
    for one in (game, shared):
        look = games.look(one)
        mover = look.players[look.active[0]] if look.active else "ann"  # a game that nobody gets on with ends some time
        games.handle({"command": "make_move", "game_id": one, "player": mover, "move": END_TURN})
    games.events(shared, "ann", after=games.look(shared).version)


def interrupted(work: Callable[[], None], rng: Random, kept: list[BaseException]) -> None:
    """Does it again and again until the interrupts have come: one, or some that come right after each other."""
    left = rng.randint(1, 3)
    pause = rng.choice((0.00002, 0.0001, 0.001))

    def interrupt(*_: object) -> None:
        nonlocal left
        if left > 0:
            left -= 1
            signal.setitimer(signal.ITIMER_REAL, pause if left else 0)
            raise Interruption

    def until_interrupted(depth: int) -> None:
        # An interrupt in one of these handlers is caught by the next one.
        try:
            if depth:
                until_interrupted(depth - 1)
            else:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0001, 0.004))
            while left > 0:
                try_once(work)
        except Interruption as error:
            kept.append(error)

    signal.signal(signal.SIGALRM, interrupt)
    until_interrupted(4)
    signal.setitimer(signal.ITIMER_REAL, 0)


def try_once(work: Callable[[], None]) -> None:
    """They play one game: most of them are often too late."""
    try:
        work()
    except FairdealError as error:
        if error.code not in ("not_your_turn", "game_over"):
            raise


class Companion:
    """A thread that nobody interrupts."""

    def __init__(self, games: Fairdeal, shared: UUID) -> None:
        self.breaks: list[str] = []
        self._games = games
        self._shared = shared
        self._stop = Event()
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while not self._stop.is_set():
            try:
                try_once(lambda: act(self._games, self._shared))
            except FairdealError as error:
                self.breaks.append(f"another thread was told: {error}")

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(2 * PATIENCE)
        if self._thread.is_alive():
            self.breaks.append("another thread hangs")
