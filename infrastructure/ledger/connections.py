"""A few database connections that threads share, each used by one of them at a time."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Generic, Protocol, TypeVar

from eventsourcing.persistence import ConnectionPoolClosedError

from fairdeal.application.semaphore import InterruptSafeSemaphore
from fairdeal.application.time_limit import TimeLimit

HELD_UP_SECONDS = 0.02
"""Whoever has waited so long for their turn waits no longer: somebody takes long."""


class Closable(Protocol):
    def close(self) -> None: ...


ConnectionT = TypeVar("ConnectionT", bound=Closable)
T = TypeVar("T")


class ConnectionPool(Generic[ConnectionT]):
    """Makes connections when they are needed, and never closes one that is in use: SQLite would crash.

    Not the pools of the library and of psycopg: the one closes what others use, the other one tries at ever
    longer intervals to reach a server that was away.
    """

    def __init__(
        self, connect: Callable[[], ConnectionT], is_sound: Callable[[ConnectionT], bool], *, most: int
    ) -> None:
        """`is_sound` says of a connection that was put back whether anybody may use it again."""
        self._connect = connect
        self._is_sound = is_sound
        self._idle: list[ConnectionT] = []
        self._semaphore = InterruptSafeSemaphore(most)
        self._turn = InterruptSafeSemaphore()
        self._is_closed = False

    def use(self, work: Callable[[ConnectionT], T]) -> T:
        """What the work gives that is done with a connection."""
        here = Lock()
        with here:
            try:
                self._semaphore.acquire(here)
                return self._done_with(self._take(), work)
            finally:
                self._semaphore.release(here)

    def use_in_turn(self, work: Callable[[ConnectionT], T]) -> T:
        """The same for work that is short: one after the other, unless one of them takes long.

        A driver that gives up Python's lock for each row wakes a thread that waits for it each time, and most often
        in vain: several at once take longer than one after the other.
        """
        here = Lock()
        with here:
            try:
                if not self._turn.try_acquire(here):
                    self._turn.acquire(here, TimeLimit(HELD_UP_SECONDS))
                self._semaphore.acquire(here)
                return self._done_with(self._take(), work)
            finally:
                self._semaphore.release(here)
                self._turn.release(here)

    def _done_with(self, connection: ConnectionT, work: Callable[[ConnectionT], T]) -> T:
        try:
            result = work(connection)
        except Exception:
            self._put_back(connection)
            raise
        except BaseException:
            # Whoever was interrupted may have left it in the middle of something.
            connection.close()
            raise
        self._put_back(connection)
        return result

    @contextmanager
    def connection(self) -> Generator[ConnectionT]:
        """A connection for a while. An interrupted user of it may keep it until all trace of the error is gone."""
        here = Lock()
        with here:
            try:
                self._semaphore.acquire(here)
                connection = self._take()
                try:
                    yield connection
                finally:
                    self._put_back(connection)
            finally:
                self._semaphore.release(here)

    def _take(self) -> ConnectionT:
        if self._is_closed:
            raise ConnectionPoolClosedError
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _put_back(self, connection: ConnectionT) -> None:
        self._idle.append(connection) if self._is_sound(connection) else connection.close()
        if self._is_closed:
            self.close()

    def close(self) -> None:
        """Those that are idle close now, those that are in use when they are put back."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().close()
