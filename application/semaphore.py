"""A semaphore that no interrupt leaves taken, and for which nobody waits longer than they want to.

An exception from a signal handler can come between any two steps of Python, so also between taking a lock and the
`try` that would give it back. There is one exception to that: `with lock:` on a plain lock is one step. So everybody
who acquires it holds a plain lock of their own by `with` for as long as they are here:

    here = Lock()
    with here:
        semaphore.acquire(here, limit)
        try:
            …
        finally:
            semaphore.release(here)

Whoever is noted as holding a place, and whose own lock is free, was interrupted and is gone: their place is free.
"""

from threading import Lock

from fairdeal.application.time_limit import TimeLimit

SECONDS_BETWEEN_LOOKS = 0.2
"""Whoever leaves wakes the next one; only if they were interrupted just then does the next one wake by itself."""


class InterruptSafeSemaphore:
    """So many places, one or a few; whoever leaves wakes the one who has waited longest."""

    __slots__ = ("_lock", "_most", "_taken", "_waiting")

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: list[Lock] = []
        self._waiting: list[Lock] = []
        """One closed lock for each who waits; to release it is to wake them."""

    def try_acquire(self, here: Lock) -> bool:
        """Takes a place if one is free now."""
        with self._lock:
            if len(self._taken) >= self._most and self._is_full():
                return False
            self._taken.append(here)
            return True

    def acquire(self, here: Lock, limit: TimeLimit | None = None) -> bool:
        """Waits for a place; False if there was none until the limit."""
        if self.try_acquire(here):
            return True
        wakeup = Lock()
        wakeup.acquire()
        woken = True
        try:
            while True:
                if woken:
                    self._start_waiting(wakeup)
                # Asked once it waits: who left before that did not wake it.
                if self.try_acquire(here):
                    return True
                left = SECONDS_BETWEEN_LOOKS if limit is None else limit.left
                if not left:
                    return False
                woken = wakeup.acquire(timeout=min(left, SECONDS_BETWEEN_LOOKS))
        finally:
            self._stop_waiting(wakeup)

    def release(self, here: Lock) -> None:
        """Gives the place back, if there was one, and wakes whoever waits longest."""
        with self._lock:
            if here in self._taken:
                self._taken.remove(here)
                if self._waiting:
                    self._wake_next()

    def _is_full(self) -> bool:
        if len(self._taken) >= self._most:
            self._taken = [other for other in self._taken if other.locked()]
        return len(self._taken) >= self._most

    def _start_waiting(self, wakeup: Lock) -> None:
        with self._lock:
            self._waiting.append(wakeup)

    def _stop_waiting(self, wakeup: Lock) -> None:
        with self._lock:
            if wakeup in self._waiting:
                self._waiting.remove(wakeup)
            # It may have been woken without need: then the next one is.
            if not self._is_full():
                self._wake_next()

    def _wake_next(self) -> None:
        if self._waiting:
            self._waiting.pop(0).release()
