"""A ledger in one SQLite file: durable before answered, safe for several threads and processes."""

import sqlite3
from collections.abc import Sequence
from itertools import chain
from threading import Lock
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from fairdeal.application.errors import LedgerError
from fairdeal.application.records import Record
from fairdeal.infrastructure.ledger.engine import LINK_SIZE, EventSourcedLedger
from fairdeal.infrastructure.ledger.groups import GroupCommit
from fairdeal.infrastructure.ledger.sqlite_file import blame, connect, prepare, transaction

LOCK_TIMEOUT_SECONDS = 30.0
MOST_ROWS = 64
"""In one statement; several statements make one transaction."""
NO_END = 2**63 - 1

Row = tuple[str, int, str, bytes]

INSERT = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
INSERTS = [INSERT + ",(?,?,?,?)" * more for more in range(MOST_ROWS)]
OF_GAME = (
    "SELECT originator_version, topic, state FROM stored_events "
    "WHERE originator_id=? AND originator_version>? AND originator_version<=? ORDER BY originator_version"
)
SINCE = (
    "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events "
    "WHERE rowid>? ORDER BY rowid LIMIT ?"
)


class DurableConnectionPool(SQLiteConnectionPool):
    """Connections that wait for the disk; the library leaves that to how SQLite was built."""

    def __init__(self, path: str, lock_timeout: float) -> None:
        super().__init__(db_name=path)
        self._seconds = lock_timeout

    def _create_connection(self) -> SQLiteConnection:
        connection = connect(self.db_name, self._seconds)
        connection.row_factory = sqlite3.Row
        return SQLiteConnection(connection, max_age=self.max_age)


class DurableDatastore(SQLiteDatastore):
    """The library's pool of connections for reading, and one of our own for writing."""

    def __init__(self, path: str, lock_timeout: float = LOCK_TIMEOUT_SECONDS) -> None:
        super().__init__(path)
        self.pool = DurableConnectionPool(path, lock_timeout)
        self.writing = Lock()
        self.writer = connect(path, lock_timeout)

    def close(self) -> None:
        super().close()
        with self.writing:
            self.writer.close()


class LeanRecorder(SQLiteApplicationRecorder):
    """The library's recorder with shorter ways in and out: group commit, and rows straight to records."""

    def __init__(self, datastore: DurableDatastore) -> None:
        super().__init__(datastore)
        self._store = datastore
        self._groups: GroupCommit[Sequence[Row], Sequence[int]] = GroupCommit(self._write)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Positions of the events, after they are on the disk."""
        return self._groups.submit([row_of(event) for event in stored_events]) if stored_events else ()

    def _write(self, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int] | Exception]:
        """All together as if nobody were in anybody's way; if somebody is, with a savepoint for each."""
        with self._store.writing:
            try:
                return self._write_together(batches)
            except sqlite3.IntegrityError as error:
                if len(batches) == 1:
                    return [IntegrityError(error)]
            except sqlite3.Error as error:
                return [_failed(error) for _ in batches]
            try:
                return self._write_apart(batches)
            except sqlite3.Error as error:
                return [_failed(error) for _ in batches]

    def _write_together(self, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int]]:
        rows = list(chain.from_iterable(batches))
        if len(rows) <= MOST_ROWS:
            # A single statement is a transaction of its own: it takes the lock first, and commits.
            last = self._insert(rows)
        else:
            with transaction(self._store.writer):
                last = self._insert(rows)
        positions: list[Sequence[int]] = []
        first = last - len(rows) + 1
        for batch in batches:
            positions.append([*range(first, first + len(batch))])
            first += len(batch)
        return positions

    def _write_apart(self, batches: Sequence[Sequence[Row]]) -> Sequence[Sequence[int] | Exception]:
        with transaction(self._store.writer):
            return [self._write_one(batch) for batch in batches]

    def _write_one(self, batch: Sequence[Row]) -> Sequence[int] | Exception:
        execute = self._store.writer.execute
        execute("SAVEPOINT batch")
        try:
            last = self._insert(batch)
        except sqlite3.IntegrityError as error:
            execute("ROLLBACK TO batch")
            execute("RELEASE batch")
            return IntegrityError(error)
        execute("RELEASE batch")
        return [*range(last - len(batch) + 1, last + 1)]

    def _insert(self, rows: Sequence[Row]) -> int:
        """The position of the last row; they are given without gaps, one after the other."""
        last: int | None = 0
        for start in range(0, len(rows), MOST_ROWS):
            some = rows[start : start + MOST_ROWS]
            values = list(chain.from_iterable(some))
            last = self._store.writer.execute(INSERTS[len(some) - 1], values).lastrowid
        return last or 0

    def records_of(self, game_id: UUID, after: int, up_to: int | None) -> Sequence[Record]:
        rows = self._select(OF_GAME, (game_id.hex, after, NO_END if up_to is None else up_to))
        return [Record(game_id, version, name, state[LINK_SIZE:], state[:LINK_SIZE]) for version, name, state in rows]

    def records_since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        return [
            (at, Record(UUID(game_id), version, name, state[LINK_SIZE:], state[:LINK_SIZE]))
            for at, game_id, version, name, state in self._select(SINCE, (position, limit))
        ]

    def _select(self, query: str, values: tuple[str | int, ...]) -> list[Any]:
        with self._store.get_connection(commit=False) as connection:
            cursor = connection.cursor().sqlite_cursor
            cursor.row_factory = None
            try:
                return cursor.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
            # A damaged name must not hide the record: its link will tell.
            rows = cursor.execute(query.replace(" topic,", " CAST(topic AS BLOB),"), values).fetchall()
            return [(*row[:-2], row[-2].decode(errors="replace"), row[-1]) for row in rows]


def row_of(event: StoredEvent) -> Row:
    game = event.originator_id
    return (game.hex if isinstance(game, UUID) else game, event.originator_version, event.topic, event.state)


def _failed(error: sqlite3.Error) -> OperationalError:
    failure = OperationalError(str(error))
    failure.__cause__ = error
    return failure


class DurableFactory(SQLiteFactory):
    """The library's factory with our connections and our recorder."""

    def __init__(self, env: Environment, path: str, lock_timeout: float) -> None:
        super().__init__({"SQLITE_DBNAME": path})
        self.env = env
        self.datastore = DurableDatastore(path, lock_timeout)

    def application_recorder(self) -> LeanRecorder:
        assert isinstance(self.datastore, DurableDatastore)
        return LeanRecorder(self.datastore)


class SQLiteLedger(EventSourcedLedger):
    """The ledger port on one SQLite file."""

    errors = (*EventSourcedLedger.errors, sqlite3.Error)

    def __init__(self, path: str, *, lock_timeout: float = LOCK_TIMEOUT_SECONDS) -> None:
        self.path = path
        try:
            prepare(path, lock_timeout)
            super().__init__(lambda env: DurableFactory(env, path, lock_timeout))
        except sqlite3.Error as error:
            raise self.blame(error) from error

    def blame(self, error: Exception) -> LedgerError:
        return blame(error, self.path)
