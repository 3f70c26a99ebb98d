"""A few database connections that threads share, each used by one of them at a time."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Semaphore
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
        self._room = Semaphore(most)
        self._is_closed = False

    @contextmanager
    def borrow(self) -> Generator[SessionT]:
        with self._room:
            if self._is_closed:
                raise ConnectionPoolClosedError
            session = self._idle.pop() if self._idle else self._connect()
            try:
                yield session
            finally:
                self._idle.append(session) if self._is_sound(session) else session.close()
                if self._is_closed:
                    self.close()

    def close(self) -> None:
        """Those that are idle close now, those that are in use when they are put back."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()
