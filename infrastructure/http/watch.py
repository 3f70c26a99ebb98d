"""One watcher per app: wakes those who wait for a game when anything is stored there, by whomever."""

import asyncio
from threading import Event, Lock, Thread
from uuid import UUID

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.wakeup import PollingWakeup, Wakeup, wakeup_for
from fairdeal.service import Fairdeal

POLL_SECONDS = 0.02
BATCH = 1000
PAUSE_SECONDS = 0.5
"""After an error of the ledger."""


class Watched:
    """A game that somebody waits for: the last version that was heard of, and those who wait."""

    def __init__(self) -> None:
        self.version = 0
        self.followers = 0
        self.waiting: set[asyncio.Future[bool]] = set()


class Waiter:
    """Somebody who waits for a game, and can be told not to wait any longer."""

    def __init__(self) -> None:
        self.ended = False
        self.future: asyncio.Future[bool] | None = None

    def end(self) -> None:
        self.ended = True
        if self.future is not None:
            _set(self.future, True)


class Watcher:
    """Followers have no queues: each compares the version it has with the last one heard of, and waits for more.

    The thread runs only while anybody waits. All methods but `close` belong to the event loop.
    """

    def __init__(self, fairdeal: Fairdeal) -> None:
        self._fairdeal = fairdeal
        self._games: dict[UUID, Watched] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._ready: asyncio.Future[bool] | None = None
        self._stop = Event()
        self._lock = Lock()

    async def enter(self, game: UUID) -> Watched:
        """From now on nothing that is stored in this game goes unheard."""
        watched = self._games.setdefault(game, Watched())
        watched.followers += 1
        if self._thread is None or not self._thread.is_alive():
            self._start()
        ready = self._ready
        if ready is not None:
            await asyncio.shield(ready)
        return watched

    def leave(self, game: UUID) -> None:
        watched = self._games[game]
        watched.followers -= 1
        if watched.followers == 0:
            del self._games[game]
        if not self._games:
            self._stop.set()
            self._thread = None

    async def wait(self, watched: Watched, waiter: "Waiter", after: int, seconds: float) -> bool:
        """Until there may be something after this version, or the waiter is woken; False if the time is over."""
        if watched.version > after or waiter.ended:
            return True
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

    def stored(self, game: UUID, version: int) -> None:
        """A command of this process has stored something; may be called from any thread."""
        loop = self._loop
        if loop is not None and game in self._games and not loop.is_closed():
            loop.call_soon_threadsafe(self._hear, {game: version})

    def close(self) -> None:
        self._stop.set()

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready = self._loop.create_future()
        self._stop = Event()
        self._thread = Thread(
            target=self._watch, args=(self._stop, self._ready, self._loop), name="fairdeal-watch", daemon=True
        )
        self._thread.start()

    def _hear(self, versions: dict[UUID, int]) -> None:
        for game, version in versions.items():
            watched = self._games.get(game)
            if watched is None or version <= watched.version:
                continue
            watched.version = version
            for future in watched.waiting:
                _set(future, True)

    def _watch(self, stop: Event, ready: "asyncio.Future[bool]", loop: asyncio.AbstractEventLoop) -> None:
        wakeup = wakeup_for(self._fairdeal.address)
        if isinstance(wakeup, PollingWakeup):
            wakeup = PollingWakeup(POLL_SECONDS)
        try:
            self._follow(stop, ready, loop, wakeup)
        except RuntimeError:
            if not loop.is_closed():
                raise
        finally:
            wakeup.close()

    def _follow(
        self, stop: Event, ready: "asyncio.Future[bool]", loop: asyncio.AbstractEventLoop, wakeup: Wakeup
    ) -> None:
        position: int | None = None
        while not stop.is_set():
            try:
                if position is None:
                    position = self._fairdeal.ledger.head()
                    loop.call_soon_threadsafe(_set, ready, True)
                elif self._fairdeal.ledger.head() > position:
                    records = self._fairdeal.ledger.since(position, BATCH)
                    if records:
                        position = records[-1][0]
                        loop.call_soon_threadsafe(self._hear, {record.game_id: record.version for _, record in records})
                        continue
            except FairdealError:
                stop.wait(PAUSE_SECONDS)
                continue
            wakeup.wait(stop)


def _set(future: "asyncio.Future[bool]", value: bool) -> None:
    if not future.done():
        future.set_result(value)
