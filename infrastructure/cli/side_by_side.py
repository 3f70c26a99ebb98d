"""A simulation by several processes: each takes games that nobody has begun, until none is left."""

import os
import signal
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

from fairdeal.infrastructure.cli.kinds import name_kinds, named_kinds
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.infrastructure.cli.simulation import Match, Played, games_of
from fairdeal.infrastructure.interrupts import nobody_interrupts

PORTIONS = 16
"""What is left is for so many portions of every process."""
LARGEST_PORTION = 200
SECONDS_BETWEEN_LOOKS = 0.02
PATIENCE_SECONDS = 60.0
THREADS = Path("/proc/self/task")
"""All of this process, also those that Python knows nothing of; where this is not Linux, it is not there."""

Context = ForkContext | SpawnContext


@contextmanager
def simulation(match: Match, games: int, jobs: int) -> Generator[Iterator[Played]]:
    """The games, each as soon as it is known: with several jobs in any order.

    This process plays, too. The others begin at once, before anybody asks for a game.
    """
    jobs = min(jobs, games)
    if jobs == 1:
        yield games_of(match, range(games))
        return
    group = _Group(match)
    try:
        group.start(games, jobs)
        yield group.games()
    finally:
        group.end()


class GamesToPlay:
    """The games that nobody has begun; all processes take from them."""

    def __init__(self, context: Context, games: int, jobs: int) -> None:
        self._lock = context.Lock()
        self._begun = context.RawValue("q", 0)
        self._games, self._portions = games, jobs * PORTIONS

    def take(self) -> range:
        """The next ones, fewer when few are left, so that nobody waits long for another; empty if there are none."""
        if not self._lock.acquire(timeout=PATIENCE_SECONDS):
            raise _failed("died while it had the list of games")
        try:
            first = self._begun.value
            left = self._games - first
            self._begun.value = end = first + min(left, LARGEST_PORTION, max(1, left // self._portions))
        finally:
            self._lock.release()
        return range(first, end)


class _Group:
    """The processes that play with this one."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._processes: dict[Connection, BaseProcess] = {}
        self._playing: list[Connection] = []

    def start(self, games: int, jobs: int) -> None:
        try:
            context = _context()
            self._to_play = GamesToPlay(context, games, jobs)
            for _ in range(jobs - 1):
                self._grow(context)
        except OSError as error:
            raise CannotDo(f"So many processes could not be started ({error}): try it with fewer --jobs.") from error

    def _grow(self, context: Context) -> None:
        ends: tuple[Any, Any] = context.Pipe(duplex=False)  # their type is another one on Windows
        ours, theirs = ends
        # Whoever is forked gets a copy of all that is open here. If it kept one of ours, nobody would see our end.
        inherited = [*self._processes, ours] if isinstance(context, ForkContext) else []
        with theirs, nobody_interrupts():
            told = (theirs, inherited, os.getpid(), named_kinds(), self._match, self._to_play)
            process = context.Process(target=_play_along, args=told, daemon=True)
            process.start()
            self._processes[ours] = process
            self._playing.append(ours)

    def games(self) -> Iterator[Played]:
        look = 0.0
        while portion := self._to_play.take():
            for game in games_of(self._match, portion):
                yield game
                if (now := time.monotonic()) >= look:
                    yield from self._told(0)
                    look = now + SECONDS_BETWEEN_LOOKS
        while self._playing:
            yield from self._told(None)

    def _told(self, seconds: float | None) -> Iterator[Played]:
        """What the others have played meanwhile."""
        for pipe in cast("list[Connection]", wait(self._playing, seconds)):
            try:
                told: list[Played] | str = pipe.recv()
            except (EOFError, OSError):  # also in the midst of a message
                raise _failed(f"died ({self._ending_of(pipe)})") from None
            if isinstance(told, str):
                raise _failed(f"failed ({told})")
            if told:
                yield from told
            else:
                self._playing.remove(pipe)

    def _ending_of(self, pipe: Connection) -> str:
        process = self._processes[pipe]
        process.join(PATIENCE_SECONDS)
        code = process.exitcode
        return f"signal {-code}; is memory scarce?" if code is not None and code < 0 else f"exit status {code}"

    def end(self) -> None:
        for process in self._processes.values():
            process.kill()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()


def _context() -> Context:
    """Who is forked has loaded the games already; but threads do not survive it, and only Linux is made for it."""
    is_forked = THREADS.is_dir() and len(list(THREADS.iterdir())) == 1
    return get_context("fork") if is_forked else get_context("spawn")


def _failed(how: str) -> CannotDo:
    return CannotDo(f"A process that was playing {how}: try it with --jobs 1.")


def _play_along(
    pipe: Connection,
    inherited: Sequence[Connection],
    starter: int,
    kinds: Sequence[str],
    match: Match,
    to_play: GamesToPlay,
) -> None:
    """What another process does. It tells games by portions, and in the end an empty one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in inherited:
        end.close()
    if kinds != named_kinds():
        name_kinds(kinds)
    with suppress(ConnectionError):  # nobody listens any more
        try:
            while portion := to_play.take():
                played = list[Played]()
                for game in games_of(match, portion):
                    if os.getppid() != starter:
                        return
                    played.append(game)
                pipe.send(played)
            pipe.send([])
        except Exception as error:
            pipe.send(repr(error))
