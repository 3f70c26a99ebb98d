"""A ledger in memory: for tests and for trying things out; gone when it is closed."""

from collections.abc import Sequence
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder
from eventsourcing.popo import POPOApplicationRecorder, POPOFactory

from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger


class MemoryRecorder(POPOApplicationRecorder):
    """The library's recorder, which also lists games."""

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
