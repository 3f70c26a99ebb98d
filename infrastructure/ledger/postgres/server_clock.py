"""The clock of the server that stores: by it a worker whose own clock is wrong is noticed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from fairdeal.application.errors import ClockAhead

MOST_AHEAD = timedelta(minutes=5)


class ServerClock:
    """Asked once, and again only before somebody is refused: no command takes longer by it."""

    # The clock is bound here: a test that freezes time must not freeze this one.
    def __init__(self, ask: Callable[[], datetime], now: Callable[[], float] = monotonic) -> None:
        self._ask = ask
        self._now = now
        self._read()

    def _read(self) -> None:
        self._asked_at = self._now()
        self._answer = self._ask()

    def _ahead(self, moment: datetime) -> timedelta:
        return moment - self._answer - timedelta(seconds=self._now() - self._asked_at)

    def must_not_be_ahead(self, moment: datetime) -> None:
        """Raises ClockAhead for a moment that is too far in the future of the server."""
        if self._ahead(moment) > MOST_AHEAD:
            self._read()  # this machine may have slept, or the server's clock was set
            if self._ahead(moment) > MOST_AHEAD:
                raise ClockAhead(self._ahead(moment))
