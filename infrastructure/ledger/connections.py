"""A few database connections that threads share, each used by one of them at a time."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Generic, Protocol, TypeVar

from eventsourcing.persistence import ConnectionPoolClosedError


class Session(Protocol):
    def close(self) -> None: ...


SessionT = TypeVar("SessionT", bound=Session)


class Sessions(Generic[SessionT]):
    """Makes connections when they are needed, and never closes one that is in use: SQLite would crash.

    Not the pools of the library and of psycopg: the one closes what others use, the other one tries at ever
    longer intervals to reach a server that was away.
    """

    def __init__(self, connect: Callable[[], SessionT], is_sound: Callable[[SessionT], bool], *, most: int) -> None:
        """`is_sound` says of a connection that was put back whether anybody may use it again."""
        self._connect = connect
        self._is_sound = is_sound
        self._idle: list[SessionT] = []
        # A queue of permits: a semaphore would do, but takes ten times as long.
        self._permits: SimpleQueue[None] = SimpleQueue()
        for _ in range(most):
            self._permits.put(None)
        self._is_closed = False

    @contextmanager
    def borrow(self) -> Generator[SessionT]:
        self._permits.get()
        try:
            if self._is_closed:
                raise ConnectionPoolClosedError
            session = self._take()
            try:
                yield session
            finally:
                self._put_back(session)
        finally:
            self._permits.put(None)

    def _take(self) -> SessionT:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _put_back(self, session: SessionT) -> None:
        self._idle.append(session) if self._is_sound(session) else session.close()
        if self._is_closed:
            self.close()

    def close(self) -> None:
        """Those that are idle close now, those that are in use when they are put back."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().close()
