"""Until when somebody waits, counted from when their command came in."""

from collections.abc import Callable
from time import monotonic


class TimeLimit:
    """One for a whole command: whatever it waits for, one after the other, takes from the same time."""

    __slots__ = ("_end", "_now")

    # The clock is bound here: a test that freezes time must not freeze waiting, nor end it.
    def __init__(self, seconds: float, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._end = now() + seconds

    @property
    def left(self) -> float:
        """Seconds, never less than none."""
        return max(0.0, self._end - self._now())

    @property
    def is_over(self) -> bool:
        return self._now() >= self._end
