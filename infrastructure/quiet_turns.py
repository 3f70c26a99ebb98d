"""A thread waits until an event loop has read what has come for it already, and never for long."""

import asyncio
from collections.abc import Callable
from threading import Lock

TURNS = 3
"""An answer takes one turn until it is sent, and what comes next takes one until it is read, and one until it asks."""
MOST_SECONDS = 0.002
"""So long a thread waits at most, whatever the loop does."""


class QuietTurns:
    """One wait of one thread for one loop. Nobody else knows of it, and nothing else depends on it.

    - *Turning*, from `wait` on: the thread waits for `_over`; once in each of its turns the loop looks how much was
      asked for until now, and counts the turns in which that stayed the same.
    - *Quiet*: it did so for TURNS turns. The loop has released `_over` and looks no more; the thread goes on.
    - *Left*: MOST_SECONDS are over, for there was something new again and again, or the loop has stopped, or hangs, or
      was closed. The thread goes on by itself; if the loop has another turn, it sees that and looks no more.

    The thread waits only with an end, and only the loop releases `_over`, once at most: so whatever one of them does,
    and whenever, the other one goes on. Both at the same moment do no harm, either: this is never used again.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, asked: Callable[[], int]) -> None:
        self._loop = loop
        self._asked = asked
        self._before: int | None = None
        self._alike = 0
        self._is_left = False
        self._over = Lock()
        self._over.acquire()

    def wait(self) -> None:
        """To be called in a thread that is not the loop's."""
        try:
            self._loop.call_soon_threadsafe(self._turn)
        except RuntimeError:
            return  # the loop is closed
        self._over.acquire(timeout=MOST_SECONDS)
        self._is_left = True

    def _turn(self) -> None:
        if self._is_left:
            return
        asked = self._asked()
        self._alike = self._alike + 1 if asked == self._before else 0
        self._before = asked
        if self._alike == TURNS:
            self._over.release()
        else:
            self._loop.call_soon(self._turn)
