"""A ledger in memory: for tests and for trying things out; gone when it is closed."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent
from eventsourcing.popo import POPOApplicationRecorder, POPOFactory

from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.ports import Append
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger, NotAllStored, head_of


class MemoryRecorder(POPOApplicationRecorder):
    """The library's recorder, which also lists games and asks what is continued."""

    def _assert_uniqueness(
        self, stored_events: Sequence[StoredEvent], *, continues: Head | None = None, **_: Any
    ) -> None:
        if continues is not None:
            index = self._stored_events_index[str(stored_events[0].originator_id)]
            head = head_of(self._stored_events[index[max(index)]]) if index else NOTHING_YET
            if head != continues:
                raise IntegrityError(f"the head is version {head[0]}")
        super()._assert_uniqueness(stored_events)

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, appends: Sequence[Append] = (), **kwargs: Any
    ) -> Sequence[int] | None:
        if not appends:
            return super().insert_events(stored_events, **kwargs)
        errors: list[Exception | None] = []
        first = 0
        for records, continues, _ in appends:
            last = first + len(records)
            try:
                super().insert_events(stored_events[first:last], continues=continues)
                errors.append(None)
            except IntegrityError as error:
                errors.append(error)
            first = last
        if any(errors):
            raise NotAllStored(errors)
        return None

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        with self._database_lock:
            known = sorted(UUID(text) for text, versions in self._stored_events_index.items() if versions)
        return [found for found in known if after is None or found > after][:limit]


class MemoryFactory(POPOFactory):
    def application_recorder(self) -> ApplicationRecorder:
        return MemoryRecorder()


def memory_ledger(*, read_only: bool = False) -> EventSourcedLedger:
    ledger = EventSourcedLedger(MemoryFactory)
    ledger.is_read_only = read_only
    return ledger
