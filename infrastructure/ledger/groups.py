"""Group commit: many callers, one transaction, and each learns only what became of his own batch."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from eventsourcing.persistence import OperationalError

BatchT = TypeVar("BatchT")
StoredT = TypeVar("StoredT")

Write = Callable[[Sequence[BatchT]], Sequence[StoredT | Exception]]
"""Stores batches in one transaction and says of each what became of it."""

MOST_BATCHES = 256
"""In one transaction; whoever comes later is in the next one."""


class Ticket(Generic[BatchT, StoredT]):
    """A batch that waits to be stored, and later what became of it."""

    __slots__ = ("_bell", "batch", "outcome")

    def __init__(self, batch: BatchT) -> None:
        self.batch = batch
        self.outcome: StoredT | Exception | None = None
        self._bell = Lock()
        self._bell.acquire()

    def wait(self) -> None:
        """Until it is stored, or until it is this caller's turn to store for everybody."""
        self._bell.acquire()

    def ring(self) -> None:
        self._bell.release()


class GroupCommit(Generic[BatchT, StoredT]):
    """Who finds nobody writing writes at once; who comes meanwhile waits and is written with the others."""

    def __init__(self, write: Write[BatchT, StoredT]) -> None:
        self._write = write
        self._lock = Lock()
        self._leader: Ticket[BatchT, StoredT] | None = None
        self._waiting: list[Ticket[BatchT, StoredT]] = []

    def submit(self, batch: BatchT) -> StoredT:
        """Returns when the batch is stored, or raises what kept it from being stored."""
        ticket: Ticket[BatchT, StoredT] = Ticket(batch)
        with self._lock:
            self._waiting.append(ticket)
            leads = self._leader is None
            if leads:
                self._leader = ticket
        try:
            if not leads:
                ticket.wait()
            if ticket.outcome is None:
                self._lead()
        except BaseException:
            self._give_up(ticket)
            raise
        if isinstance(ticket.outcome, Exception):
            raise ticket.outcome
        assert ticket.outcome is not None
        return ticket.outcome

    def _lead(self) -> None:
        """Stores for everybody who waits, then hands over to one of those who came meanwhile."""
        with self._lock:
            group, self._waiting = self._waiting[:MOST_BATCHES], self._waiting[MOST_BATCHES:]
        outcomes: Sequence[StoredT | Exception] = [OperationalError("interrupted while writing")] * len(group)
        try:
            outcomes = self._write([ticket.batch for ticket in group])
        finally:
            for ticket, outcome in zip(group, outcomes, strict=True):
                ticket.outcome = outcome
            self._hand_over()
            for ticket in group:
                ticket.ring()

    def _hand_over(self) -> None:
        with self._lock:
            self._leader = self._waiting[0] if self._waiting else None
            if self._leader is not None:
                self._leader.ring()

    def _give_up(self, ticket: Ticket[BatchT, StoredT]) -> None:
        """The caller was interrupted: what nobody has taken up yet must not be stored behind his back."""
        with self._lock:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            led = self._leader is ticket
        if led:
            self._hand_over()
