"""What wakes those who wait for records: a look every now and then, or PostgreSQL's own notification."""

from threading import Event
from typing import Any, Protocol

POLL_SECONDS = 0.05
"""Where nothing notifies, so often the ledger is asked for its head."""

SLICE_SECONDS = 0.25
"""Whoever waits for a notification looks so often whether to stop."""

AT_LEAST_EVERY_SECONDS = 1.0
"""So often the ledger is asked without a notification."""


class Wakeup(Protocol):
    def wait(self, stop: Event) -> None:
        """Comes back when there may be something new, after a while in any case, and soon when told to stop."""
        ...

    def close(self) -> None: ...


class PollingWakeup:
    """Wakes regularly: for SQLite, which notifies nobody."""

    def __init__(self, seconds: float = POLL_SECONDS) -> None:
        self._seconds = seconds

    def wait(self, stop: Event) -> None:
        stop.wait(self._seconds)

    def close(self) -> None:
        """Nothing to close."""


class NotifyWakeup:
    """Wakes when PostgreSQL notifies, and regularly too, in case a notification was lost with a connection."""

    def __init__(self, address: str, *, at_least_every: float = AT_LEAST_EVERY_SECONDS) -> None:
        self._address = address
        self._slices = max(1, round(at_least_every / SLICE_SECONDS))
        self._connection: Any = None

    def wait(self, stop: Event) -> None:
        import psycopg

        try:
            if self._connection is None:
                self._listen()
                return  # something may have been stored before we listened
            for _ in range(self._slices):
                if stop.is_set() or any(True for _ in self._connection.notifies(timeout=SLICE_SECONDS, stop_after=1)):
                    return
        except psycopg.Error:
            self.close()
            stop.wait(SLICE_SECONDS)

    def _listen(self) -> None:
        import psycopg
        from psycopg.sql import SQL, Identifier

        from fairdeal.infrastructure.ledger.postgres.server import channel_of, limits_for

        self._connection = psycopg.connect(
            self._address, autocommit=True, **limits_for(self._address, "fairdeal listener")
        )
        (schema,) = self._connection.execute("SELECT current_schema()").fetchone()
        self._connection.execute(SQL("LISTEN {}").format(Identifier(channel_of(schema))))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def wakeup_for(address: str, *, poll: float = POLL_SECONDS) -> Wakeup:
    """What fits a ledger's address; `poll` is for those that do not notify."""
    return NotifyWakeup(address) if address.partition(":")[0] in ("postgresql", "postgres") else PollingWakeup(poll)
