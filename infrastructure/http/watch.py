"""Waiting for games in an event loop: the watcher of the process wakes, and everybody looks again for themselves."""

import asyncio
from contextlib import ExitStack, suppress
from functools import partial
from uuid import UUID

from fairdeal.service import Fairdeal


class Waiter:
    """Somebody who waits for a game, and can be told not to wait any longer."""

    def __init__(self) -> None:
        self.ended = False
        self.future: asyncio.Future[bool] | None = None

    def end(self) -> None:
        self.ended = True
        if self.future is not None:
            _set(self.future, True)


class Watched:
    """A game that somebody waits for: how often there were news, and those who wait for more."""

    def __init__(self) -> None:
        self.news = 0
        self.followers = 0
        self.waiting: set[asyncio.Future[bool]] = set()
        self.leaving = ExitStack()

    def wake(self) -> None:
        self.news += 1
        for future in self.waiting:
            _set(future, True)


class GameWatch:
    """Followers have no queues: each remembers the version it has sent, and reads again when there are news.

    Everything here belongs to one event loop.
    """

    def __init__(self, fairdeal: Fairdeal) -> None:
        self._fairdeal = fairdeal
        self._games: dict[UUID, Watched] = {}
        self._ended = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_waited_for(self) -> bool:
        return any(watched.waiting for watched in list(self._games.values()))

    def close(self) -> None:
        """From now on nobody waits any longer, and all who come to wait are ended; from whatever thread."""
        self._ended = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        for watched in self._games.values():
            for future in watched.waiting:
                _set(future, False)

    def enter(self, game: UUID) -> Watched:
        """From now on nothing that is stored in this game goes unheard."""
        watched = self._games.get(game)
        if watched is None:
            watched = self._games[game] = Watched()
            self._loop = asyncio.get_running_loop()
            woken = partial(_wake_in, self._loop, watched)
            watched.leaving.enter_context(self._fairdeal.watcher.watching(game, woken))
        watched.followers += 1
        return watched

    def leave(self, game: UUID) -> None:
        watched = self._games[game]
        watched.followers -= 1
        if watched.followers == 0:
            del self._games[game]
            watched.leaving.close()

    async def wait(self, watched: Watched, waiter: Waiter, news: int, seconds: float) -> bool:
        """Until there are more news than these, or the waiter is ended; False if the time is over."""
        if watched.news > news or waiter.ended:
            return True
        if self._ended:
            # Told only that the time is over they would wait again at once, for ever, and the loop never went on.
            waiter.end()
            return False
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        waiter.future = future
        watched.waiting.add(future)
        timer = loop.call_later(seconds, _set, future, False)
        try:
            return await future
        finally:
            timer.cancel()
            waiter.future = None
            watched.waiting.discard(future)


def _wake_in(loop: asyncio.AbstractEventLoop, watched: Watched) -> None:
    """Called from any thread."""
    with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
        loop.call_soon_threadsafe(watched.wake)


def _set(future: "asyncio.Future[bool]", value: bool) -> None:
    if not future.done():
        future.set_result(value)
