"""Group commit: many callers, one transaction, and each learns only what became of their own batch."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, Self, TypeVar

from eventsourcing.persistence import OperationalError

from fairdeal.application.lead import Lead
from fairdeal.application.ports import StillWaiting
from fairdeal.application.semaphore import SECONDS_BETWEEN_LOOKS
from fairdeal.application.time_limit import TimeLimit

BatchT = TypeVar("BatchT")
StoredT = TypeVar("StoredT")


class Group(list[BatchT]):
    """Batches that are written together; whoever has waited for the right to write can take in who came meanwhile."""

    __slots__ = ("_newcomers",)

    def __init__(self, batches: Sequence[BatchT], newcomers: Callable[[], Sequence[BatchT]] = tuple) -> None:
        super().__init__(batches)
        self._newcomers = newcomers

    def gather(self) -> Self:
        """With those who came since the group was made."""
        self.extend(self._newcomers())
        return self


Write = Callable[[Group[BatchT], TimeLimit], Sequence[StoredT | Exception]]
"""Stores batches in one transaction, if it can begin before the limit, and says of each what became of it."""

MOST_BATCHES = 256
"""In one transaction; whoever comes later is in the next one."""


class StillLocked(OperationalError):
    """The time was over before anything could be written: others held the database all the while."""


class Ticket(Generic[BatchT, StoredT]):
    """A batch that waits to be stored, and later what became of it."""

    __slots__ = ("batch", "limit", "outcome", "wakeup")

    def __init__(self, batch: BatchT, limit: TimeLimit, wakeup: Lock) -> None:
        self.batch = batch
        self.limit = limit
        self.outcome: StoredT | Exception | None = None
        self.wakeup = wakeup
        """Released when the caller has something to do: all tickets of one caller have the same."""

    def wait(self) -> None:
        """Until it is stored, or until it is this caller's turn to store for everybody, or for a moment."""
        self.wakeup.acquire(timeout=min(self.limit.left, SECONDS_BETWEEN_LOOKS))


class GroupCommit(Generic[BatchT, StoredT]):
    """Who finds nobody writing writes at once; who comes meanwhile waits and is written with the others.

    A batch waits until its outcome is known: whoever was interrupted while writing leaves all batches to the next
    writer, which finds those that are stored already by the versions that they continue. Interrupts are borne as by
    `InterruptSafeSemaphore`: everybody holds a lock of their own by `with` for as long as they are here.
    """

    def __init__(self, write: Write[BatchT, StoredT]) -> None:
        self._write = write
        self._lock = Lock()
        self._leads = Lead()
        self._waiting: list[Ticket[BatchT, StoredT]] = []

    def submit(self, batch: BatchT, limit: TimeLimit) -> StoredT:
        """Returns when the batch is stored, or raises what kept it from being stored."""
        (outcome,) = self.submit_all([batch], [limit])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def submit_all(self, batches: Sequence[BatchT], limits: Sequence[TimeLimit]) -> Sequence[StoredT | Exception]:
        """Returns when all of them are stored or cannot be; says of each what became of it.

        It returns, too, when the time of one of them is over: the others are StillWaiting.
        """
        here = Lock()
        with here:
            # Most often nobody writes: what is written at once need not wait with the others.
            if not self._waiting and self._try_lead(here):
                outcomes = self._lead_at_once(batches, limits, here)
                if StillLocked not in map(type, outcomes):
                    return outcomes
                known: Sequence[StoredT | Exception | None] = [
                    None if isinstance(outcome, StillLocked) and not limit.is_over else outcome
                    for outcome, limit in zip(outcomes, limits, strict=True)
                ]
            else:
                known = [None] * len(batches)
            if None in known:
                known = self._wait_with_others(batches, limits, known, here)
        return [StillWaiting() if outcome is None else outcome for outcome in known]

    def _lead_at_once(
        self, batches: Sequence[BatchT], limits: Sequence[TimeLimit], here: Lock
    ) -> Sequence[StoredT | Exception]:
        """Stores what one caller has, and what others have who come while the right to write is waited for."""
        others: list[Ticket[BatchT, StoredT]] = []
        try:
            outcomes = self._write(Group(batches, lambda: self._gather(others)), _shortest(limits))
            if others:
                self._settle(others, outcomes[len(batches) :])
                return outcomes[: len(batches)]
            return outcomes
        finally:
            self._leave(here, others)

    def _try_lead(self, here: Lock) -> bool:
        with self._lock:
            return self._leads.take(here)

    def _leave(self, here: Lock, group: Sequence[Ticket[BatchT, StoredT]]) -> None:
        with self._lock:
            self._leads.leave(here)
            if group or self._waiting:
                self._ring(group)

    def _wait_with_others(
        self,
        batches: Sequence[BatchT],
        limits: Sequence[TimeLimit],
        known: Sequence[StoredT | Exception | None],
        here: Lock,
    ) -> Sequence[StoredT | Exception | None]:
        wakeup = Lock()
        wakeup.acquire()
        tickets: list[Ticket[BatchT, StoredT]] = []
        for batch, limit, outcome in zip(batches, limits, known, strict=True):
            ticket: Ticket[BatchT, StoredT] = Ticket(batch, limit, wakeup)
            ticket.outcome = outcome
            tickets.append(ticket)
        self._wait(tickets, here)
        return [ticket.outcome for ticket in tickets]

    def _wait(self, tickets: Sequence[Ticket[BatchT, StoredT]], here: Lock) -> None:
        """With others, until all of these are stored or cannot be, or until the time of one of them is over."""
        try:
            with self._lock:
                self._waiting += [ticket for ticket in tickets if ticket.outcome is None]
            while waiting := [ticket for ticket in tickets if ticket.outcome is None]:
                if len(waiting) < len(tickets) and _is_anybody_refused(tickets):
                    break
                if self._try_lead(here):
                    self._lead(waiting, here)
                    continue
                hastiest = min(waiting, key=lambda ticket: ticket.limit.left)
                if hastiest.limit.is_over:
                    self._give_up(waiting)
                else:
                    hastiest.wait()
        finally:
            self._withdraw(tickets)

    def _lead(self, tickets: Sequence[Ticket[BatchT, StoredT]], here: Lock) -> None:
        """Stores for everybody who waits, then leaves the lead to one of those who came meanwhile."""
        group: list[Ticket[BatchT, StoredT]] = []
        try:
            # Whoever led before may have stored these, too.
            group += [ticket for ticket in tickets if ticket.outcome is None]
            if group:
                self._gather(group)
                self._store(group)
        finally:
            self._leave(here, group)

    def _give_up(self, tickets: Sequence[Ticket[BatchT, StoredT]]) -> None:
        """Those whose time is over while somebody else is writing; perhaps they are just being stored."""
        with self._lock:
            for ticket in tickets:
                if ticket.outcome is None and ticket.limit.is_over:
                    ticket.outcome = StillLocked("others were writing all the while")
            self._waiting = [ticket for ticket in self._waiting if ticket.outcome is None]

    def _gather(self, group: list[Ticket[BatchT, StoredT]]) -> Sequence[BatchT]:
        """Takes into the group who waits and is not in it yet; answers their batches."""
        if not self._waiting:
            return ()
        with self._lock:
            there = set(map(id, group))
            new = [ticket for ticket in self._waiting if id(ticket) not in there][: max(0, MOST_BATCHES - len(group))]
            group += new
        return [ticket.batch for ticket in new]

    def _store(self, group: list[Ticket[BatchT, StoredT]]) -> None:
        limit = _shortest([ticket.limit for ticket in group])
        batches = [ticket.batch for ticket in group]
        outcomes = self._write(Group(batches, lambda: self._gather(group)), limit)
        self._settle(group, outcomes)

    def _settle(self, group: Sequence[Ticket[BatchT, StoredT]], outcomes: Sequence[StoredT | Exception]) -> None:
        for ticket, outcome in zip(group, outcomes, strict=True):
            if not isinstance(outcome, StillLocked) or ticket.limit.is_over:
                ticket.outcome = outcome
        if self._waiting:
            with self._lock:
                self._waiting = [ticket for ticket in self._waiting if ticket.outcome is None]

    def _ring(self, group: Sequence[Ticket[BatchT, StoredT]]) -> None:
        """For those who are stored, and for the first of those who wait: it is their turn to lead."""
        for ticket in (*group, *self._waiting[:1]):
            if ticket.wakeup.locked():
                ticket.wakeup.release()

    def _withdraw(self, tickets: Sequence[Ticket[BatchT, StoredT]]) -> None:
        """The caller is leaving: what nobody has taken up yet must not be stored without their knowledge."""
        if [ticket for ticket in tickets if ticket.outcome is None]:
            with self._lock:
                self._waiting = [ticket for ticket in self._waiting if ticket not in tickets]
                self._ring(())


def _shortest(limits: Sequence[TimeLimit]) -> TimeLimit:
    """Who has the least time left decides: the others stay, and one of them tries again."""
    return limits[0] if len(limits) == 1 else min(limits, key=lambda limit: limit.left)


def _is_anybody_refused(tickets: Sequence[Ticket[BatchT, StoredT]]) -> bool:
    """Whether somebody has to be told that their time is over, though others wait."""
    return any(isinstance(ticket.outcome, StillLocked) for ticket in tickets)
