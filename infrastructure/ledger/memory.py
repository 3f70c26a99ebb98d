"""A ledger in memory: for tests and for trying things out; gone when it is closed."""

from collections.abc import Sequence
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder
from eventsourcing.popo import POPOApplicationRecorder, POPOFactory

from fairdeal.application.log.record import Record
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger, to_record, to_stored


class MemoryRecorder(POPOApplicationRecorder):
    """The library's recorder, which also takes and hands out records."""

    def append_records(self, records: Sequence[Record]) -> None:
        self.insert_events([to_stored(record) for record in records])

    def records_of(self, game_id: UUID, after: int, up_to: int | None) -> Sequence[Record]:
        return [to_record(stored) for stored in self.select_events(game_id, gt=after, lte=up_to)]

    def records_since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        found = self.select_notifications(position, limit, inclusive_of_start=False)
        return [(notification.id, to_record(notification)) for notification in found]

    def ids_after(self, game_id: UUID | None, limit: int) -> Sequence[UUID]:
        with self._database_lock:
            known = sorted(UUID(text) for text, versions in self._stored_events_index.items() if versions)
        return [found for found in known if game_id is None or found > game_id][:limit]


class MemoryFactory(POPOFactory):
    def application_recorder(self) -> ApplicationRecorder:
        return MemoryRecorder()


def memory_ledger(*, read_only: bool = False) -> EventSourcedLedger:
    ledger = EventSourcedLedger(MemoryFactory)
    ledger.is_read_only = read_only
    return ledger
