"""Forks while threads play: a child that uses what its parent opened gets a typed error, and never hangs."""

import os
import signal
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from uuid import UUID

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError

THREADS = 4
SECONDS = 10.0
"""A child that takes longer hangs."""
END_TURN = {"move": "end_turn"}


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as folder, Fairdeal(f"sqlite:///{Path(folder) / 'games.db'}") as games:
        game = games.start_game("kings_corners", ["ann", "bob"]).game_id
        read, stop = games.read, Event()
        read.games()
        busy = [Thread(target=play, args=(games, game, stop), daemon=True) for _ in range(THREADS)]
        for thread in busy:
            thread.start()
        uses: Sequence[tuple[str, Callable[[], object]]] = (
            ("look", lambda: games.look(game)),
            ("story", lambda: games.story(game)),
            ("start_game", lambda: games.start_game("kings_corners", ["ann", "bob"])),
            ("move", lambda: games.move(game, "ann", END_TURN)),
            ("events", lambda: games.events(game)),
            ("follow", lambda: next(iter(games.follow(game)))),
            ("records", lambda: games.records(game)),
            ("audit", lambda: games.audit(game)),
            ("export", lambda: games.exports.export(game)),
            ("head", games.ledger.head),
            ("games.read", lambda: games.read.games(limit=1)),
            ("read.games", read.games),
        )
        until = Until(seconds)
        while until:
            time.sleep(rng.uniform(0, 0.003))
            tally.tries += 1
            if told := in_a_child(lambda: first_that_is_not_refused(uses, games)):
                tally.broke(f"seed {seed}, fork {tally.tries}: {told}")
        stop.set()
        for thread in busy:
            thread.join()
        if not games.audit(game).good:
            tally.broke(f"seed {seed}: the game is not good any more")
    return tally


def play(games: Fairdeal, game: UUID, stop: Event) -> None:
    while not stop.is_set():
        look = games.look(game)
        try:
            if not look.active:  # a game that nobody gets on with ends some time
                game = games.start_game("kings_corners", ["ann", "bob"]).game_id
            else:
                games.move(game, look.players[look.active[0]], END_TURN)
            games.read.games(limit=1)
        except FairdealError:
            continue  # somebody else was quicker


def first_that_is_not_refused(uses: Sequence[tuple[str, Callable[[], object]]], games: Fairdeal) -> str:
    for name, use in uses:
        try:
            use()
        except FairdealError:
            continue
        except BaseException as error:
            return f"{name} raised {error!r}"
        return f"{name} was answered"
    games.close()
    return ""


def in_a_child(work: Callable[[], str]) -> str:
    """What the work says, done in a forked process; that it hangs if it does."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that forks and threads do not go together is what this is about
        child = os.fork()
    if not child:
        try:
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        deadline = time.monotonic() + SECONDS
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "the child hangs"
            time.sleep(0.0005)
        return os.read(reading, 10_000).decode()
    finally:
        os.close(reading)
