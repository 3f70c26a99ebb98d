"""A ledger in PostgreSQL: for services with several workers on several machines."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, LiteralString, TypeVar, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import ConnectionPoolClosedError, IntegrityError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.rows import DictRow, tuple_row
from psycopg.sql import SQL, Composed, Identifier

from fairdeal.application.errors import LedgerError, LedgerUnavailable, TamperedLedger
from fairdeal.application.log.links import Head
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.connections import ConnectionPool
from fairdeal.infrastructure.ledger.eventsourcing_ledger import (
    EventSourcedLedger,
    StoredNotification,
    StoredRow,
    must_begin_at_one,
)
from fairdeal.infrastructure.ledger.group_commit import Group, GroupCommit, StillLocked
from fairdeal.infrastructure.ledger.grouped_inserts import GroupedInserts
from fairdeal.infrastructure.ledger.postgres.server import (
    EVENTS_TABLE,
    Session,
    Silence,
    Unconfirmed,
    channel_of,
    connect,
    find,
    is_sound,
    not_known_error,
    patiently,
    place_of,
    prepare,
    to_ledger_error,
    translated,
)
from fairdeal.infrastructure.ledger.postgres.server_clock import ServerClock

LOCK_TIMEOUT_SECONDS = 30.0
PATIENCE_SECONDS = 30.0
"""How long a server that is away is waited for: who fails over takes 20 to 27."""
MOST_READERS = 10
LOCK_NOT_AVAILABLE = "55P03"
GRACE_SECONDS = 0.5
"""For the server's own word that a lock was not to be had in time; only then it counts as silent."""
NO_BEGINNING, NO_END = -(2**63), 2**63 - 1

T = TypeVar("T")
Row = tuple[UUID | str, int, str, bytes]
Batch = tuple[Head, Sequence[Row]]
"""What a caller stores, and the head of the game that it continues."""

# A batch is stored if its game has the head that it continues. Of the game only that head is looked at and whatever
# came after it; of a game that is to begin, whatever there is.
STORE_ONE = (
    "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
    "SELECT %b, version, name, state, number + (SELECT coalesce(max(notification_id), 0) FROM {table}) "
    "FROM unnest(%t::bigint[], %t::text[], %b::bytea[]) WITH ORDINALITY AS given (version, name, state, number) "
    "WHERE coalesce((SELECT originator_version = %b AND substr(state, 1, 32) = %b FROM {table} "
    "WHERE originator_id = %b AND originator_version >= %b ORDER BY originator_version DESC LIMIT 1), %b = 0) "
    "ORDER BY number"
)
# The same for batches of several games; it takes longer for one. The first row of each batch has the link that it
# continues. They are given in order, so that nothing has to be sorted to number them. Who had to wait for the lock for
# four milliseconds was not alone, and another trip to the server takes less than the next wait.
STORE = (
    "WITH given AS MATERIALIZED (SELECT * FROM unnest(%b::uuid[], %t::bigint[], %t::text[], %b::bytea[], %b::bytea[]) "
    "WITH ORDINALITY AS listed (game, version, name, state, link, number) ORDER BY number), "
    "fitting AS (SELECT game FROM given WHERE link IS NOT NULL AND coalesce(("
    "SELECT originator_version = version - 1 AND substr(state, 1, 32) = link FROM {table} WHERE originator_id = game "
    "AND originator_version >= CASE WHEN version = 1 THEN %b ELSE version - 1 END "
    "ORDER BY originator_version DESC LIMIT 1), version = 1)) "
    "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
    "SELECT game, version, name, state, row_number() OVER (ORDER BY number) "
    "+ (SELECT coalesce(max(notification_id), 0) FROM {table}) "
    "FROM given WHERE game = ANY (ARRAY(SELECT game FROM fitting)) RETURNING originator_id::text AS game, "
    "statement_timestamp() > transaction_timestamp() + interval '4 ms' AS has_waited"
)
# What the library stores by itself: whatever versions are free.
INSERT = (
    "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
    "SELECT game, version, name, state, number + (SELECT coalesce(max(notification_id), 0) FROM {table}) "
    "FROM unnest(%b::uuid[], %t::bigint[], %t::text[], %b::bytea[]) "
    "WITH ORDINALITY AS given (game, version, name, state, number) RETURNING notification_id"
)
PLANS = "SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false)"
OF_GAME = "SELECT originator_version, COALESCE(topic, ''), COALESCE(state, '') FROM {table} WHERE originator_id=%b"
SINCE = (
    "SELECT uuid_send(originator_id), originator_version, COALESCE(topic, ''), COALESCE(state, ''), notification_id "
    "FROM {table} WHERE notification_id>%b AND notification_id<=%b"
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
        self.patience = lock_timeout
        """How long a lock that others hold is waited for."""
        self.readers = ConnectionPool(connect, is_sound, most=MOST_READERS)
        self.writers = ConnectionPool(partial(to_write, connect), is_sound, most=1)
        self.is_closed = False
        self._patience = patience

    @contextmanager
    def get_connection(self) -> Generator[Session]:
        """For what the library does by itself, with the errors that it expects."""
        try:
            with self.readers.connection() as connection:
                yield connection
        except psycopg.Error as error:
            raise translated(error) from error

    def register_type_adapters(self) -> None:
        """Only the library's database functions need them; asking for them fails in schemas with unusual names."""

    def patiently(
        self, pool: ConnectionPool[Session], action: Callable[[Session], T], limit: TimeLimit | None = None
    ) -> T:
        """Does it; again on a new connection if the server went away meanwhile, as long as patience lasts."""
        deadline = monotonic() + (self._patience if limit is None else min(self._patience, limit.left))

        def act(session: Session) -> T:
            session.deadline = deadline + GRACE_SECONDS
            return action(session)

        return patiently(lambda: pool.use(act), deadline)

    def close(self) -> None:
        self.is_closed = True
        self.readers.close()
        self.writers.close()


def to_write(connect: Callable[[], Session]) -> Session:
    """A connection on which statements are planned once, and for a large ledger, even while it is small.

    How many batches a group has decides what the server expects a plan to cost: after a few small groups it would plan
    anew for each, which takes longer than to store them.
    """
    session = connect()
    session.execute(PLANS)
    return session


class GroupCommitRecorder(GroupedInserts[Row], PostgresApplicationRecorder):
    """The library's recorder with group commit, and with patience while the server is away."""

    def __init__(self, datastore: DurableDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS_TABLE)
        self._store = datastore
        self.channel_name = channel_of(datastore.schema)
        self._groups: GroupCommit[Batch, bool] = GroupCommit(self._write)
        self._patience = datastore.patience
        self._is_crowded = False
        """Whether several callers had to wait for other processes the last time."""
        self._store_batch, self._store_batches = self._sql(STORE_ONE), self._sql(STORE)
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

    def _rows_of(self, events: Sequence[StoredEvent]) -> Sequence[Row]:
        return [(event.originator_id, event.originator_version, event.topic, event.state) for event in events]

    def _store_alone(self, rows: Sequence[Row]) -> Sequence[int]:
        try:
            stored = self._store.writers.use(lambda writer: self._insert(writer, rows))
        except psycopg.Error as error:
            raise translated(error) from error
        return [row["notification_id"] for row in stored]

    def _insert(self, writer: Session, rows: Sequence[Row], limit: TimeLimit | None = None) -> list[DictRow]:
        with committing(writer, self._notify):
            self._take_the_lock(writer, limit)
            stored = writer.execute(self._insert_rows, columns_of(rows))
        return stored.fetchall()

    def _write(self, batches: Group[Batch], limit: TimeLimit) -> Sequence[bool | Exception]:
        outcomes: list[bool | Exception] = []
        try:
            while len(outcomes) < len(batches):
                # Tried again after a lost connection, it may meet what it stored itself: that is a conflict, too.
                outcomes += self._store.patiently(
                    self._store.writers, partial(self._write_once, batches, len(outcomes), limit), limit
                )
        except Silence as error:
            outcomes += [translated(Unconfirmed(str(error))) for _ in batches[len(outcomes) :]]
        except psycopg.Error as error:
            outcomes += [_failed(error) for _ in batches[len(outcomes) :]]
        except ConnectionPoolClosedError:
            outcomes += [ConnectionPoolClosedError() for _ in batches[len(outcomes) :]]
        return outcomes

    def _write_once(
        self, group: Group[Batch], start: int, limit: TimeLimit, writer: Session
    ) -> Sequence[bool | Exception]:
        """Stores the next of the group, as many as can be stored by one statement."""
        with committing(writer, self._notify):
            self._take_the_lock(writer, limit)
            if self._is_crowded:
                # Worth a trip of its own: who came while others held the lock is stored now, not after the next wait.
                writer.execute("SELECT 1").fetchone()
                group.gather()
            batches = each_game_once(group, start)
            stored = writer.execute(*self._statement_for(batches))
        # How many were stored mostly says it all; to read which takes the driver longer.
        found = stored.fetchone() if len(batches) > 1 else None
        self._is_crowded = found is not None and found["has_waited"]
        if stored.rowcount == sum(len(rows) for _, rows in batches):
            return [True] * len(batches)
        games = set[str]() if found is None else {found["game"], *(row["game"] for row in stored)}
        return [str(rows[0][0]) in games or IntegrityError("it has another head") for _, rows in batches]

    def _statement_for(self, batches: Sequence[Batch]) -> tuple[Composed, Sequence[Any]]:
        if len(batches) == 1:
            ((version, link), rows) = batches[0]
            game, *_ = rows[0]
            head = (version, link, game, version or NO_BEGINNING, version)
            return self._store_batch, (game, *columns_of(rows)[1:], *head)
        links: list[bytes | None] = []
        for (_, link), rows in batches:
            links += (link, *[None] * (len(rows) - 1))
        columns = columns_of([row for _, rows in batches for row in rows])
        return self._store_batches, (*columns, links, NO_BEGINNING)

    def _take_the_lock(self, writer: Session, limit: TimeLimit | None) -> None:
        # The connection itself waits as long as a command that has just come in.
        if limit is not None and limit.left < self._store.patience * 0.95:
            writer.execute(SQL("SET LOCAL lock_timeout = {}").format(max(1, int(limit.left * 1000))))
        writer.execute(self._lock)

    def confirm(self) -> None:
        """A commit of its own, which waits for the standbys: they have all that was committed before it, then."""

        def commit(writer: Session) -> None:
            with committing(writer):
                writer.execute("SELECT pg_logical_emit_message(true, 'fairdeal', '')")

        self._store.patiently(self._store.writers, commit)

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
        rows = self._select(query, values)
        found = [StoredRow(originator_id, version, name, state) for version, name, state in rows]
        return cast("list[StoredEvent]", found)

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
        rows = self._select(query + IN_ORDER, (*values, limit))
        game_ids = (
            SentGameIds()
        )  # a page has few games, and the driver takes longer for their ids than for all the rest
        found = [
            StoredNotification(cast("UUID", game_ids[sent]), version, name, state, at)
            for sent, version, name, state, at in rows
        ]
        return cast("list[Notification]", found)

    def is_standby(self) -> bool:
        ((answer,),) = self._select(SQL("SELECT pg_is_in_recovery()").format(), ())
        return cast("bool", answer)

    def time(self) -> datetime:
        ((now,),) = self._select(SQL("SELECT clock_timestamp()").format(), ())
        return cast("datetime", now)

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        query, values = (self._first_ids, (limit,)) if after is None else (self._next_ids, (after, limit))
        rows = self._select(query, values)
        found = [game_id for (game_id,) in rows if game_id is not None]
        if rows and not found:
            raise TamperedLedger("The ledger holds records without the id of a game: it was tampered with.")
        return found

    def _select(self, query: Composed, values: Sequence[Any]) -> list[Any]:
        def select(connection: Session) -> list[Any]:
            cursor = connection.cursor(row_factory=tuple_row, binary=True)
            return cursor.execute(query, values).fetchall()

        return self._store.patiently(self._store.readers, select)


class SentGameIds(dict[bytes | None, UUID | None]):
    """The ids of games by how the server sends them, each made once; None where somebody has taken one away."""

    def __missing__(self, sent: bytes | None) -> UUID | None:
        self[sent] = found = None if sent is None else UUID(bytes=sent)
        return found


@contextmanager
def committing(writer: Session, notify: Composed | None = None) -> Generator[None]:
    """A transaction in one round trip; who was warned at its end does not know what became of it.

    Notifications come after it, in a transaction that waits for no disk: inside, all that commit on the whole server
    would wait for each other. One that is lost is made good, because whoever listens also looks from time to time.
    """
    writer.warning = None
    with writer.pipeline():
        writer.execute("BEGIN")
        yield
        writer.execute("COMMIT")
        if notify is not None:
            for statement in ("BEGIN", "SET LOCAL synchronous_commit = off", notify, "COMMIT"):
                writer.execute(statement)
    if writer.warning is not None:
        raise Unconfirmed(writer.warning)


def each_game_once(group: Sequence[Batch], start: int) -> Sequence[Batch]:
    """The next ones that are of different games: of two batches of one game the second is looked at after the first."""
    games: set[UUID | str] = set()
    for at in range(start, len(group)):
        _, rows = group[at]
        if rows[0][0] in games:
            return group[start:at]
        games.add(rows[0][0])
    return group[start:]


def _failed(error: psycopg.Error) -> Exception:
    """The same error by the library's name for it; that others held a lock for too long has a name of its own."""
    if error.sqlstate != LOCK_NOT_AVAILABLE:
        return translated(error)
    failure = StillLocked(str(error))
    failure.__cause__ = error
    return failure


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
    is_in_process = False

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
            look = find if read_only else prepare
            schema = patiently(lambda: look(address, lock_timeout), monotonic() + patience)
            new_session = partial(connect, address, lock_timeout, read_only=read_only)
            datastore = DurableDatastore(new_session, schema, lock_timeout=lock_timeout, patience=patience)
            super().__init__(lambda env: DurableFactory(env, datastore))
            self._clock = ServerClock(self._recorder.time)
        except psycopg.Error as error:
            raise self.to_ledger_error(error) from error

    @property
    def _recorder(self) -> GroupCommitRecorder:
        return cast("GroupCommitRecorder", self._engine.recorder)

    def confirm(self) -> None:
        self._must_be_usable()
        try:
            self._recorder.confirm()
        except self.errors as error:
            found = self._to_ledger_error(error)
            if isinstance(found, LedgerUnavailable) and not self._is_closed:
                found = not_known_error(self.place, error)
            raise found from error

    def lags(self) -> bool:
        """Only who reads only can have been given a standby."""
        self._must_be_usable()
        try:
            return self.is_read_only and self._recorder.is_standby()
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def must_not_be_ahead(self, now: datetime) -> None:
        self._must_be_usable()
        try:
            self._clock.must_not_be_ahead(now)
        except self.errors as error:
            raise self._to_ledger_error(error) from error

    def to_ledger_error(self, error: Exception) -> LedgerError:
        return to_ledger_error(error, self.place, read_only=self.is_read_only)
