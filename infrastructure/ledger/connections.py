"""A few database connections that threads share, each used by one of them at a time."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Generic, Protocol, TypeVar

from eventsourcing.persistence import ConnectionPoolClosedError

from fairdeal.application.turns import Turns


class Session(Protocol):
    def close(self) -> None: ...


SessionT = TypeVar("SessionT", bound=Session)
T = TypeVar("T")


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
        self._turns = Turns(most)
        self._is_closed = False

    def use(self, work: Callable[[SessionT], T]) -> T:
        """What the work gives that is done with a connection."""
        here = Lock()
        with here:
            try:
                self._turns.take(here)
                return self._done_with(self._take(), work)
            finally:
                self._turns.leave(here)

    def _done_with(self, session: SessionT, work: Callable[[SessionT], T]) -> T:
        try:
            result = work(session)
        except Exception:
            self._put_back(session)
            raise
        except BaseException:
            # Whoever was interrupted may have left it in the middle of something.
            session.close()
            raise
        self._put_back(session)
        return result

    @contextmanager
    def borrow(self) -> Generator[SessionT]:
        """A connection for a while. An interrupted borrower may keep it until all trace of the error is gone."""
        here = Lock()
        with here:
            try:
                self._turns.take(here)
                session = self._take()
                try:
                    yield session
                finally:
                    self._put_back(session)
            finally:
                self._turns.leave(here)

    def _take(self) -> SessionT:
        if self._is_closed:
            raise ConnectionPoolClosedError
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
