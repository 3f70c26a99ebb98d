"""What is the same in both databases when events are stored: which of them go through the group commit."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from eventsourcing.persistence import StoredEvent

from fairdeal.application.log.links import Head
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.group_commit import GroupCommit

RowT = TypeVar("RowT")


class GroupedInserts(ABC, Generic[RowT]):
    """The library's `insert_events`; a recorder inherits it before the library's own recorder."""

    _groups: GroupCommit[tuple[Head, Sequence[RowT]], bool]
    _patience: float
    """In seconds, for whoever does not say how long they wait."""

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        continues: Head | None = None,
        limit: TimeLimit | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        """Returns when the events are on the disk.

        Who says what they continue is stored together with others, and is not told the positions: the library would
        make two more objects of each event. Everybody else is stored alone; only uniqueness is enforced then.
        """
        rows = [self._row_of(event) for event in stored_events]
        if continues is None:
            return self._store_alone(rows) if rows else ()
        self._groups.submit((continues, rows), limit or TimeLimit(self._patience))
        return None

    @abstractmethod
    def _row_of(self, event: StoredEvent) -> RowT: ...

    @abstractmethod
    def _store_alone(self, rows: Sequence[RowT]) -> Sequence[int]:
        """In a transaction of its own; answers with the positions."""
