"""A ledger in PostgreSQL: for services with several workers on several machines."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, LiteralString, TypeVar, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import ConnectionPoolClosedError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composed, Identifier

from fairdeal.application.errors import LedgerError, TamperedLedger
from fairdeal.infrastructure.ledger.connections import Sessions
from fairdeal.infrastructure.ledger.eventsourcing_ledger import (
    EventSourcedLedger,
    StoredNotification,
    StoredRow,
    must_begin_at_one,
)
from fairdeal.infrastructure.ledger.group_commit import GroupCommit
from fairdeal.infrastructure.ledger.postgres.server import (
    EVENTS_TABLE,
    Session,
    channel_of,
    connect,
    find,
    is_lost,
    is_sound,
    place_of,
    prepare,
    to_ledger_error,
    translated,
)

LOCK_TIMEOUT_SECONDS = 30.0
PATIENCE_SECONDS = 10.0
"""How long a server that is being restarted is waited for."""
MOST_READERS = 10
NO_END = 2**63 - 1

T = TypeVar("T")
Row = tuple[UUID | str, int, str, bytes]

INSERT = (
    "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
    "SELECT game, version, name, state, number + (SELECT coalesce(max(notification_id), 0) FROM {table}) "
    "FROM unnest(%b::uuid[], %t::bigint[], %t::text[], %b::bytea[]) "
    "WITH ORDINALITY AS given (game, version, name, state, number) RETURNING notification_id"
)
OF_GAME = "SELECT originator_version, COALESCE(topic, ''), COALESCE(state, '') FROM {table} WHERE originator_id=%b"
SINCE = (
    "SELECT originator_id, originator_version, COALESCE(topic, ''), COALESCE(state, ''), notification_id FROM {table} "
    "WHERE notification_id>%b AND notification_id<=%b"
)

FIRST_IDS = "SELECT DISTINCT originator_id FROM {table} ORDER BY originator_id LIMIT %b"
NEXT_IDS = "SELECT DISTINCT originator_id FROM {table} WHERE originator_id>%b ORDER BY originator_id LIMIT %b"

AFTER, UP_TO, ONE_OF = SQL(" AND originator_version>%b"), SQL(" AND originator_version<=%b"), SQL(" AND topic=ANY(%b)")
OLDEST_FIRST, NEWEST_FIRST = SQL(" ORDER BY originator_version"), SQL(" ORDER BY originator_version DESC")
LIMIT, IN_ORDER = SQL(" LIMIT %b"), SQL(" ORDER BY notification_id LIMIT %b")


class DurableDatastore(PostgresDatastore):
    """The library's datastore on our own connections: some for reading, one for writing."""

    def __init__(self, connect: Callable[[], Session], schema: str, *, lock_timeout: float, patience: float) -> None:
        super().__init__("", "", "", "", "", schema=schema, lock_timeout=int(lock_timeout))
        self.readers = Sessions(connect, is_sound, most=MOST_READERS)
        self.writers = Sessions(connect, is_sound, most=1)
        self.is_closed = False
        self._patience = patience

    @contextmanager
    def get_connection(self) -> Generator[Session]:
        """For what the library does by itself, with the errors that it expects."""
        try:
            with self.readers.borrow() as connection:
                yield connection
        except psycopg.Error as error:
            raise translated(error) from error

    def register_type_adapters(self) -> None:
        """Only the library's database functions need them; asking for them fails in schemas with unusual names."""

    def patiently(self, action: Callable[[], T]) -> T:
        """Does it again on a new connection if the server went away meanwhile."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return action()
            except psycopg.Error as error:
                if self.is_closed or not is_lost(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def close(self) -> None:
        self.is_closed = True
        self.readers.close()
        self.writers.close()


class GroupCommitRecorder(PostgresApplicationRecorder):
    """The library's recorder with group commit, and with patience while the server is away."""

    def __init__(self, datastore: DurableDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS_TABLE)
        self._store = datastore
        self.channel_name = channel_of(datastore.schema)
        self._groups: GroupCommit[Sequence[Row], Sequence[int]] = GroupCommit(self._write)
        self._insert_rows = self._sql(INSERT)
        self._of_game = self._sql(OF_GAME)
        self._since = self._sql(SINCE)
        self._lowest = self._sql("SELECT min(notification_id) FROM {table}")
        self._highest = self._sql("SELECT max(notification_id) FROM {table}")
        self._first_ids, self._next_ids = self._sql(FIRST_IDS), self._sql(NEXT_IDS)
        # Without this lock a reader could miss records with lower positions that are committed later.
        self._lock = self._sql("LOCK TABLE {table} IN EXCLUSIVE MODE")
        self._notify = SQL("NOTIFY {}").format(Identifier(self.channel_name))

    def _sql(self, text: LiteralString) -> Composed:
        table = Identifier(self.datastore.schema, EVENTS_TABLE)
        return SQL(text).format(table=table)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Positions of the events, after they are on the disk."""
        return self._groups.submit([row_of(event) for event in stored_events]) if stored_events else ()

    def _write(self, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int] | Exception]:
        """All together as if nobody were in anybody's way; if somebody is, with a savepoint for each."""
        try:
            return self._store.patiently(lambda: self._write_once(batches))
        except psycopg.Error as error:
            return [translated(error) for _ in batches]
        except ConnectionPoolClosedError:
            return [ConnectionPoolClosedError() for _ in batches]

    def _write_once(self, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int] | Exception]:
        with self._store.writers.borrow() as writer:
            try:
                return self._write_together(writer, batches)
            except psycopg.errors.UniqueViolation as error:
                writer.rollback()
                if len(batches) == 1:
                    return [translated(error)]
                return self._write_apart(writer, batches)

    def _write_together(self, writer: Session, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int]]:
        with writer.pipeline():
            writer.execute("BEGIN")
            writer.execute(self._lock)
            stored = writer.execute(self._insert_rows, columns_of(list(chain.from_iterable(batches))))
            writer.execute(self._notify)
            writer.execute("COMMIT")
        positions = iter([row["notification_id"] for row in stored.fetchall()])
        return [[next(positions) for _ in batch] for batch in batches]

    def _write_apart(self, writer: Session, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int] | Exception]:
        with writer.transaction():
            writer.execute(self._lock)
            writer.execute(self._notify)
            return [self._write_one(writer, batch) for batch in batches]

    def _write_one(self, writer: Session, batch: Sequence[Row]) -> Sequence[int] | Exception:
        try:
            with writer.transaction():  # a savepoint
                stored = writer.execute(self._insert_rows, columns_of(batch))
                return [row["notification_id"] for row in stored.fetchall()]
        except psycopg.errors.UniqueViolation as error:
            return translated(error)

    def max_notification_id(self) -> int | None:
        ((highest,),) = self._select(self._highest, ())
        return cast("int | None", highest)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        query = self._of_game
        values: list[UUID | str | int] = [originator_id]
        for bound, condition in ((gt, AFTER), (lte, UP_TO)):
            if bound is not None:
                query += condition
                values.append(bound)
        query += NEWEST_FIRST if desc else OLDEST_FIRST
        if limit is not None:
            query += LIMIT
            values.append(limit)
        return cast("list[StoredEvent]", [StoredRow(originator_id, *row) for row in self._select(query, values)])

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        if not start:
            must_begin_at_one(self._select(self._lowest, ())[0][0])
        query = self._since
        values: list[Any] = [(start or 0) - (inclusive_of_start and bool(start)), NO_END if stop is None else stop]
        if topics:
            query += ONE_OF
            values.append(list(topics))
        found = [StoredNotification(*row) for row in self._select(query + IN_ORDER, (*values, limit))]
        return cast("list[Notification]", found)

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        query, values = (self._first_ids, (limit,)) if after is None else (self._next_ids, (after, limit))
        rows = self._select(query, values)
        found = [game_id for (game_id,) in rows if game_id is not None]
        if rows and not found:
            raise TamperedLedger("The ledger holds records without the id of a game: it was tampered with.")
        return found

    def _select(self, query: Composed, values: Sequence[Any]) -> list[Any]:
        def select() -> list[Any]:
            with self._store.readers.borrow() as connection:
                cursor = connection.cursor(row_factory=tuple_row, binary=True)
                return cursor.execute(query, values).fetchall()

        return self._store.patiently(select)


def row_of(event: StoredEvent) -> Row:
    return (event.originator_id, event.originator_version, event.topic, event.state)


def columns_of(rows: Sequence[Row]) -> tuple[list[Any], ...]:
    games, versions, names, states = zip(*rows, strict=True)
    return list(games), list(versions), list(names), list(states)


class DurableFactory(PostgresFactory):
    """The library's factory with our connections and our recorder."""

    def __init__(self, env: Environment, datastore: DurableDatastore) -> None:
        given = ("POSTGRES_DBNAME", "POSTGRES_HOST", "POSTGRES_USER", "POSTGRES_PASSWORD")
        super().__init__(dict.fromkeys(given, ""))
        self.env = env
        self.datastore = datastore

    def application_recorder(self) -> GroupCommitRecorder:
        assert isinstance(self.datastore, DurableDatastore)
        return GroupCommitRecorder(self.datastore)


class PostgresLedger(EventSourcedLedger):
    """The ledger port on a PostgreSQL database; the address is a libpq connection URL."""

    errors = (*EventSourcedLedger.errors, psycopg.Error)

    def __init__(
        self,
        address: str,
        *,
        lock_timeout: float = LOCK_TIMEOUT_SECONDS,
        patience: float = PATIENCE_SECONDS,
        read_only: bool = False,
    ) -> None:
        self.place = place_of(address)
        self.is_read_only = read_only
        try:
            schema = (find if read_only else prepare)(address, lock_timeout)
            new_session = partial(connect, address, lock_timeout, read_only=read_only)
            datastore = DurableDatastore(new_session, schema, lock_timeout=lock_timeout, patience=patience)
            super().__init__(lambda env: DurableFactory(env, datastore))
        except psycopg.Error as error:
            raise self.to_ledger_error(error) from error

    def to_ledger_error(self, error: Exception) -> LedgerError:
        return to_ledger_error(error, self.place, read_only=self.is_read_only)
