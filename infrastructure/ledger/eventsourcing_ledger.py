"""The eventsourcing library as engine: its event store and application, our names, bytes and errors."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Protocol, cast
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    InfrastructureFactory,
    IntegrityError,
    Mapper,
    PersistenceError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType

from fairdeal.application.errors import LedgerError, LedgerReadOnly, LedgerUnavailable, TamperedLedger, VersionConflict
from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import LINK_SIZE, LedgerPage, Record
from fairdeal.application.one_process import OneProcess
from fairdeal.application.ports import Append
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.group_commit import StillLocked


class StoredRow(msgspec.Struct, frozen=True, gc=False):
    """What the library calls a stored event; its own frozen dataclass takes six times as long to make."""

    originator_id: UUID | str
    originator_version: int
    topic: str
    state: bytes


class StoredNotification(StoredRow, frozen=True, gc=False):
    """A stored event with its position in the ledger."""

    id: int


_LINK, _PAYLOAD = slice(LINK_SIZE), slice(LINK_SIZE, None)
"""Where they lie in the stored state; made once, because every record that is read needs both."""


class RecordMapper(Mapper[UUID]):
    """Records are bytes already: the stored state is the link followed by the payload.

    The library never asks what class its events have; ours are faster than those that it offers. Both methods are
    called for every record: a cast would be a call more for each.
    """

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        record: Record = domain_event  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
        return StoredRow(  # type: ignore[return-value]  # pyright: ignore[reportReturnType]
            record.game_id, record.version, record.name, record.link + record.payload
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        state = stored_event.state
        return Record(  # type: ignore[return-value]  # pyright: ignore[reportReturnType]
            stored_event.originator_id,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            stored_event.originator_version,
            stored_event.topic,
            state[_PAYLOAD],
            state[_LINK],
        )


class NotAllStored(Exception):
    """Of several appends some were refused."""

    def __init__(self, errors: Sequence[Exception | None]) -> None:
        super().__init__(errors)
        self.errors = errors


def must_be_successive(records: Sequence[Record], continues: Head) -> None:
    """What has a hole in itself would leave one in the log."""
    game_id = records[0].game_id
    for version, record in enumerate(records, continues[0] + 1):
        if record.version != version or (record.game_id is not game_id and record.game_id != game_id):
            raise ValueError(f"Expected version {version} of game {game_id}, not {record.version} of {record.game_id}.")


def head_of(last: StoredEvent) -> Head:
    """The head of a game whose last record this is."""
    return last.originator_version, last.state[:LINK_SIZE]


def must_begin_at_one(lowest: int | None) -> None:
    """Positions count from 1: what somebody wrote before would be in no checkpoint."""
    if lowest is not None and lowest < 1:
        raise TamperedLedger(f"The ledger holds a record at position {lowest}: it was tampered with.")


class ListsGames(Protocol):
    """What our recorders can do besides what the library asks of them."""

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]: ...


Factory = InfrastructureFactory[Any]


class Engine(Application[UUID]):
    """The library's application, deaf to the environment of its host."""

    name = "fairdeal"

    def __init__(self, make_factory: Callable[[Environment], Factory]) -> None:
        self._make_factory = make_factory
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        # The library would mix in os.environ: a host's COMPRESSOR_TOPIC must not change our bytes.
        # The tables are there already: several processes that let the library create them would fail.
        return Environment(name, {**(env or {}), "CREATE_TABLE": "n"})

    def construct_factory(self, env: Environment) -> Factory:
        return self._make_factory(env)

    def construct_mapper(self) -> Mapper[UUID]:
        return RecordMapper(cast("Transcoder", None))


class EventSourcedLedger:
    """The ledger port on one of the library's recorders."""

    errors: ClassVar[tuple[type[Exception], ...]] = (PersistenceError, ConnectionPoolClosedError)
    """What the library raises, and in subclasses also what the database's driver raises."""
    is_read_only = False
    """Whether it was opened by somebody who only wants to read."""
    is_in_process = True
    """Whether no network is between this process and the database."""

    def __init__(self, make_factory: Callable[[Environment], Factory]) -> None:
        self._is_closed = False
        self._process = OneProcess()
        self._engine = Engine(make_factory)
        self._events = self._engine.events
        self._lists = cast("ListsGames", self._engine.recorder)

    @property
    def engine(self) -> Engine:
        """The library's application, for those who know it: notification log, recorder, factory."""
        return self._engine

    def append(
        self, records: Sequence[Record], *, continues: Head = NOTHING_YET, limit: TimeLimit | None = None
    ) -> None:
        if not records:
            self._must_be_writable()
            return
        refusals = self._put((Append(records, continues, limit),), records)
        if refusals:
            raise refusals[0] or AssertionError("refused without an error")

    def append_all(self, appends: Sequence[Append]) -> Sequence[Exception | None]:
        records = [record for append in appends for record in append.records]
        return self._put(appends, records) or [None] * len(appends)

    def _put(self, appends: Sequence[Append], records: Sequence[Record]) -> Sequence[Exception | None]:
        """Says of each what went wrong; nothing at all if nothing did."""
        self._must_be_writable()
        for given, continues, _ in appends:
            must_be_successive(given, continues)
        try:
            self._events.put(records, appends=appends)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        except NotAllStored as refused:
            return [self._refusal(append, error) for append, error in zip(appends, refused.errors, strict=True)]
        except self.errors as error:
            return [self._refusal(append, error) for append in appends]
        return ()

    def _refusal(self, append: Append, error: Exception | None) -> Exception | None:
        if not isinstance(error, self.errors):
            return error
        refusal: Exception = self._to_ledger_error(error)
        if isinstance(error, IntegrityError):
            game, version = append.records[0].game_id, append.continues[0]
            refusal = VersionConflict(f"Game {game} is not at version {version} as it was known.")
        refusal.__cause__ = error
        return refusal

    def _must_be_writable(self) -> None:
        self._must_be_usable()
        if self.is_read_only:
            raise LedgerReadOnly("This ledger was opened to be read only; nothing was stored.")

    def confirm(self) -> None:
        """What can be read on one machine is on its disk: there is nobody else to wait for."""
        self._must_be_usable()

    def records(self, game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        self._must_be_usable()
        try:
            # From the beginning means also what somebody put before the first version by hand.
            found = self._engine.events.get(game_id, gt=after or None, lte=up_to)
            return cast("list[Record]", list(found))
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        self._must_be_usable()
        try:
            found = self._engine.recorder.select_notifications(position, limit, inclusive_of_start=False)
            to_record = self._engine.mapper.to_domain_event
            return LedgerPage([one.id for one in found], cast("list[Record]", [to_record(one) for one in found]))
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def head(self) -> int:
        self._must_be_usable()
        try:
            return self._engine.recorder.max_notification_id() or 0
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def lags(self) -> bool:
        """There is one copy, and everybody reads that."""
        return False

    def must_not_be_ahead(self, now: datetime) -> None:
        """A database inside this process has no other clock."""

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        self._must_be_usable()
        try:
            return self._lists.game_ids(after, limit)
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def close(self) -> None:
        self._is_closed = True
        if self._process.is_ours:
            self._engine.close()

    def to_ledger_error(self, error: Exception) -> LedgerError:
        """The words for an error of the database."""
        return LedgerError(f"The ledger cannot be used: {error}.")

    def _to_ledger_error(self, error: Exception) -> LedgerError:
        if self._is_closed:
            return LedgerUnavailable("The ledger has been closed.")
        if isinstance(error, StillLocked) and error.__cause__ is None:
            return LedgerUnavailable("Others were writing all the while; sending the same command again is safe.")
        return self.to_ledger_error(error)

    def _must_be_usable(self) -> None:
        # Two processes on one connection would damage the database.
        self._process.must_be_ours()
        if self._is_closed:
            raise LedgerUnavailable("The ledger has been closed.")
