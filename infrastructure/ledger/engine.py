"""The eventsourcing library as engine: its recorders and stores, our names, bytes and errors."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    EventStore,
    InfrastructureFactory,
    IntegrityError,
    Mapper,
    PersistenceError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType

from fairdeal.application.errors import LedgerError, VersionConflict
from fairdeal.application.records import Record

LINK_SIZE = 32


class RecordMapper(Mapper[UUID]):
    """Records are bytes already: the stored state is the link followed by the payload."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        record = cast("Record", domain_event)
        return StoredEvent(record.game_id, record.version, record.name, record.link + record.payload)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        return cast("DomainEventProtocol[UUID]", to_record(stored_event))


def to_record(stored: StoredEvent) -> Record:
    state = bytes(stored.state)
    game_id = cast("UUID", stored.originator_id)
    return Record(game_id, stored.originator_version, stored.topic, state[LINK_SIZE:], state[:LINK_SIZE])


class Engine(Application[UUID]):
    """The library's application, deaf to the environment of its host."""

    name = "fairdeal"

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        # The library would mix in os.environ: a host's COMPRESSOR_TOPIC must not change our bytes.
        return Environment(name, dict(env or {}))

    def construct_mapper(self) -> Mapper[UUID]:
        return RecordMapper(cast("Transcoder", None))


class EventSourcedLedger:
    """The ledger port on any of the library's recorders."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        try:
            self._engine = Engine(dict(settings))
        except (PersistenceError, OSError) as error:
            raise LedgerError(f"The ledger cannot be opened: {error}.") from error
        self._recorder = self._engine.recorder
        self._events: EventStore[UUID] = self._engine.events

    @property
    def factory(self) -> InfrastructureFactory[Any]:
        return self._engine.factory

    def append(self, records: Sequence[Record]) -> None:
        try:
            self._events.put(cast("Sequence[DomainEventProtocol[UUID]]", records))
        except IntegrityError as error:
            raise VersionConflict(f"Version {records[0].version} of {records[0].game_id} exists.") from error
        except PersistenceError as error:
            raise LedgerError(f"The ledger cannot be written: {error}.") from error

    def records(self, game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        try:
            stored = self._recorder.select_events(game_id, gt=after, lte=up_to)
        except PersistenceError as error:
            raise LedgerError(f"The ledger cannot be read: {error}.") from error
        return [to_record(event) for event in stored]

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        try:
            found = self._recorder.select_notifications(position, limit, inclusive_of_start=False)
        except PersistenceError as error:
            raise LedgerError(f"The ledger cannot be read: {error}.") from error
        return [(notification.id, to_record(notification)) for notification in found]

    def head(self) -> int:
        return self._recorder.max_notification_id() or 0

    def close(self) -> None:
        self._engine.close()
