"""What is the same in both databases when events are stored: which of them go through the group commit."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from eventsourcing.persistence import StoredEvent

from fairdeal.application.ports import Append
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.eventsourcing_ledger import NotAllStored
from fairdeal.infrastructure.ledger.group_commit import GroupCommit

RowT = TypeVar("RowT")


class GroupedInserts(ABC, Generic[RowT]):
    """The library's `insert_events`; a recorder inherits it before the library's own recorder."""

    _groups: GroupCommit[tuple[tuple[int, bytes], Sequence[RowT]], bool]
    _patience: float
    """In seconds, for whoever does not say how long they wait."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, appends: Sequence[Append] = (), **_: Any
    ) -> Sequence[int] | None:
        """Returns when the events are on the disk; NotAllStored says of each append what became of it.

        Who says what they continue is stored together with others, and is not told the positions: the library would
        make two more objects of each event. Everybody else is stored alone; only uniqueness is enforced then.
        """
        rows = self._rows_of(stored_events)
        if not appends:
            return self._store_alone(rows) if rows else ()
        batches: list[tuple[tuple[int, bytes], Sequence[RowT]]] = []
        limits: list[TimeLimit] = []
        first = 0
        for append in appends:
            last = first + len(append.records)
            batches.append((append.continues, rows[first:last]))
            limits.append(append.limit or TimeLimit(self._patience))
            first = last
        outcomes = self._groups.submit_all(batches, limits)
        if outcomes.count(True) < len(outcomes):
            raise NotAllStored([one if isinstance(one, Exception) else None for one in outcomes])
        return None

    @abstractmethod
    def _rows_of(self, events: Sequence[StoredEvent]) -> Sequence[RowT]: ...

    @abstractmethod
    def _store_alone(self, rows: Sequence[RowT]) -> Sequence[int]:
        """In a transaction of its own; answers with the positions."""
