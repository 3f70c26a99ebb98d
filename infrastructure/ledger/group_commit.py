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
        self._is_led = False
        self._next: Ticket[BatchT, StoredT] | None = None
        self._waiting: list[Ticket[BatchT, StoredT]] = []

    def submit(self, batch: BatchT) -> StoredT:
        """Returns when the batch is stored, or raises what kept it from being stored."""
        with self._lock:
            ticket: Ticket[BatchT, StoredT] | None = None
            if self._is_led:
                ticket = Ticket(batch)
                self._waiting.append(ticket)
            self._is_led = True
        outcome = self._alone(batch) if ticket is None else self._together(ticket)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _alone(self, batch: BatchT) -> StoredT | Exception:
        try:
            (outcome,) = self._write((batch,))
        finally:
            self._hand_over()
        return outcome

    def _together(self, ticket: Ticket[BatchT, StoredT]) -> StoredT | Exception:
        try:
            ticket.wait()
            if ticket.outcome is None:
                self._lead()
        except BaseException:
            self._give_up(ticket)
            raise
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
        """Rings for the first of those who wait; he finds no outcome yet, so it is his turn to lead."""
        with self._lock:
            self._next = self._waiting[0] if self._waiting else None
            self._is_led = self._next is not None
            if self._next is not None:
                self._next.ring()

    def _give_up(self, ticket: Ticket[BatchT, StoredT]) -> None:
        """The caller was interrupted: what nobody has taken up yet must not be stored behind his back."""
        with self._lock:
            if ticket not in self._waiting:
                return
            self._waiting.remove(ticket)
        if self._next is ticket:
            self._hand_over()
