"""Taking turns: a few at a time, nobody waits longer than they want to, and no interrupt leaves a place taken.

An exception from a signal handler can come between any two steps of Python, so also between taking a lock and the
`try` that would give it back. There is one exception to that: `with lock:` on a plain lock is one step. So everybody
who takes a turn holds a plain lock of their own by `with` for as long as they are here:

    here = Lock()
    with here:
        turns.take(here, limit)
        try:
            …
        finally:
            turns.leave(here)

Whoever is noted as having a turn, and whose own lock is free, was interrupted and is gone: their place is free.
"""

from threading import Lock

from fairdeal.application.time_limit import TimeLimit

SECONDS_BETWEEN_LOOKS = 0.2
"""Whoever leaves wakes the next one; only if they were interrupted just then does the next one wake by itself."""


class Turns:
    """Places that are taken in turn: one, or a few."""

    __slots__ = ("_bells", "_lock", "_most", "_taken")

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: list[Lock] = []
        self._bells: list[Lock] = []
        """Of those who wait; a bell rings by being released."""

    def try_to_take(self, here: Lock) -> bool:
        """Takes a place if one is free now."""
        with self._lock:
            if self._is_full():
                return False
            self._taken.append(here)
            return True

    def take(self, here: Lock, limit: TimeLimit | None = None) -> bool:
        """Waits for a place; False if there was none until the limit."""
        if self.try_to_take(here):
            return True
        bell = Lock()
        bell.acquire()
        rung = True
        try:
            while True:
                if rung:
                    self._hang_up(bell)
                # Asked after the bell was hung up: who left before that did not ring it.
                if self.try_to_take(here):
                    return True
                left = SECONDS_BETWEEN_LOOKS if limit is None else limit.left
                if not left:
                    return False
                rung = bell.acquire(timeout=min(left, SECONDS_BETWEEN_LOOKS))
        finally:
            self._take_down(bell)

    def leave(self, here: Lock) -> None:
        """Gives the place back, if there was one, and wakes whoever waits longest."""
        with self._lock:
            if here in self._taken:
                self._taken.remove(here)
                self._ring()

    def _is_full(self) -> bool:
        if len(self._taken) >= self._most:
            self._taken = [other for other in self._taken if other.locked()]
        return len(self._taken) >= self._most

    def _hang_up(self, bell: Lock) -> None:
        with self._lock:
            self._bells.append(bell)

    def _take_down(self, bell: Lock) -> None:
        with self._lock:
            if bell in self._bells:
                self._bells.remove(bell)
            # It may have been rung for somebody who does not need it any more.
            if not self._is_full():
                self._ring()

    def _ring(self) -> None:
        if self._bells:
            self._bells.pop(0).release()
