"""A ledger in one SQLite file: durable before answered, safe for several threads and processes."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from threading import Lock
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import IntegrityError, Notification, OperationalError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteDatastore, SQLiteFactory
from eventsourcing.utils import Environment
from msgspec import ValidationError
from msgspec import convert as to_uuid

from fairdeal.application.errors import LedgerError, TamperedLedger
from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import LINK_SIZE
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
from fairdeal.infrastructure.ledger.sqlite.file import (
    connect,
    identity,
    in_transaction,
    is_busy,
    is_sound,
    must_be_a_file_name,
    prepare,
    to_ledger_error,
    wait_at_most,
)
from fairdeal.infrastructure.ledger.sqlite.read_only import (
    connect_to_read,
    is_still,
    must_be_a_ledger,
    must_be_still,
    to_ledger_error_for_reading,
)

LOCK_TIMEOUT_SECONDS = 30.0
MOST_ROWS = 64
"""In one statement; several statements make one transaction."""
MOST_READERS = 4
"""At once, and of those who read one game most often one; the driver gives up Python's lock for each row, so that
several would mostly wait for each other."""
NO_END = 2**63 - 1

Row = tuple[str, int, str, bytes]
Batch = tuple[Head, Sequence[Row]]
"""What a caller stores, and the head of the game that it continues."""
Connect = Callable[[str, float], sqlite3.Connection]

INTO = "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
INSERT = f"{INTO} VALUES (?,?,?,?)"
INSERTS = [INSERT + ",(?,?,?,?)" * more for more in range(MOST_ROWS)]
# A column holds whatever somebody wrote into it by hand: names and states are read as what they should be.
OF_GAME = (
    "SELECT originator_version, COALESCE(CAST(topic AS TEXT), ''), COALESCE(CAST(state AS BLOB), x'') "
    "FROM stored_events WHERE originator_id=?"
)
SINCE = (
    "SELECT rowid, originator_id, originator_version, "
    "COALESCE(CAST(topic AS TEXT), ''), COALESCE(CAST(state AS BLOB), x'') "
    # Audits compare this walk with the one by game: it must not go by an index that somebody may have cut short.
    "FROM stored_events NOT INDEXED WHERE rowid>? AND rowid<=?"
)
NAME, NAME_AS_BYTES = "COALESCE(CAST(topic AS TEXT), '')", "COALESCE(CAST(topic AS BLOB), x'')"

# Whether a game has the head that a batch continues: 1 or 0, or nothing at all if there is no such game yet.
FITS = (
    "(SELECT originator_version={version} AND CAST(substr(state, 1, 32) AS BLOB)={link} FROM stored_events "
    "WHERE originator_id={game} ORDER BY originator_version DESC LIMIT 1)"
)
GIVEN = [",".join(["(?,?,?,?)"] * given) for given in range(1, MOST_ROWS + 1)]
# A batch that is alone, if it fits: one statement is a transaction, and takes a tenth less than four.
IF_IT_FITS = f" WHERE coalesce({FITS.format(version='?', link='?', game='?')}, ?)"
STORE_ONE = [f"{INTO} SELECT * FROM (VALUES {rows}){IF_IT_FITS}" for rows in GIVEN]  # noqa: S608
# How many of several batches fit.
FITTING = f"coalesce({FITS.format(version='column2', link='column3', game='column1')}, column4)"
FITTING_OF = [f"SELECT count(*) FROM (VALUES {given}) WHERE {FITTING}" for given in GIVEN]  # noqa: S608
LAST = "(SELECT rowid FROM stored_events WHERE originator_id=? ORDER BY originator_version DESC LIMIT 1)"
HEADS = (
    "SELECT originator_id, originator_version, CAST(substr(state, 1, 32) AS BLOB) FROM stored_events WHERE rowid IN "
)
HEADS_OF = [f"{HEADS}({','.join([LAST] * games)})" for games in range(1, MOST_ROWS + 1)]
FIRST_IDS = "SELECT DISTINCT originator_id FROM stored_events ORDER BY originator_id LIMIT ?"
IS_THERE = "SELECT 1 FROM stored_events WHERE originator_id IS ? LIMIT 1"
LOWEST = "SELECT min(rowid) FROM stored_events NOT INDEXED"
IDS = "SELECT DISTINCT originator_id FROM stored_events WHERE originator_id>? ORDER BY originator_id LIMIT ?"


class DurableDatastore(SQLiteDatastore):
    """The library's datastore on our own connections: some for reading, one for writing."""

    def __init__(
        self, path: str, lock_timeout: float = LOCK_TIMEOUT_SECONDS, connect_to: Connect | None = None
    ) -> None:
        super().__init__(path)
        self._path, self.patience = path, lock_timeout
        self._connect = partial(connect_to or connect, path, lock_timeout)
        self._read_file = self._written_file = identity(path)
        self._readers = self._new_readers()
        self.writer = self._connect()
        self._waits = lock_timeout
        self._changing = Lock()
        self.writing = Lock()

    def _new_readers(self) -> ConnectionPool[sqlite3.Connection]:
        return ConnectionPool(self._connect, _is_fit, most=MOST_READERS)

    @property
    def readers(self) -> ConnectionPool[sqlite3.Connection]:
        """Connections to the file that has the ledger's name now; an older one may have been put in its place."""
        if identity(self._path) != self._read_file:
            with self._changing:
                current = identity(self._path)
                if current != self._read_file:
                    must_be_a_ledger(self._path, self.patience)
                    self._readers.close()
                    self._readers, self._read_file = self._new_readers(), current
        return self._readers

    def wait_at_most(self, seconds: float) -> None:
        """For the right to write; it is said again only when it changes, as for a command that has waited before.

        Whoever asks holds `writing`.
        """
        wanted = self.patience if 0.98 * self.patience < seconds <= self.patience else seconds
        if wanted != self._waits:
            wait_at_most(self.writer, wanted)
            self._waits = wanted

    def is_in_place(self) -> bool:
        """Whether what was written stands in the ledger; if not, the next one writes into the file that has its name.

        Whoever asks holds `writing`.
        """
        current = identity(self._path)
        if current == self._written_file:
            return True
        must_be_a_ledger(self._path, self.patience)
        former, self.writer, self._waits = self.writer, self._connect(), self.patience
        self._written_file = current
        former.close()
        return False

    @contextmanager
    def get_connection(self, **_: bool) -> Generator[SQLiteConnection]:
        """For what the library does by itself; it is not what we write with."""
        with self.readers.connection() as connection:
            connection.row_factory = sqlite3.Row
            try:
                yield SQLiteConnection(connection, max_age=None)
            finally:
                connection.row_factory = None
                must_be_still(connection)

    def close(self) -> None:
        super().close()
        self._readers.close()
        with self.writing:
            self.writer.close()


class GroupCommitRecorder(GroupedInserts[Row], SQLiteApplicationRecorder):
    """The library's recorder with group commit, and with our own reading of columns that may hold anything."""

    def __init__(self, datastore: DurableDatastore) -> None:
        super().__init__(datastore)
        self._store = datastore
        self._stranger: tuple[TamperedLedger, Any] | None = None
        """What stands in the place of an id and is not one, if that was met."""
        self._groups: GroupCommit[Batch, bool] = GroupCommit(self._write)
        self._patience = datastore.patience

    def _rows_of(self, events: Sequence[StoredEvent]) -> Sequence[Row]:
        rows: list[Row] = []
        game_id, key = None, ""
        for event in events:
            if event.originator_id is not game_id:  # most often all are of one game
                game_id = event.originator_id
                key = key_of(game_id)
            rows.append((key, event.originator_version, event.topic, event.state))
        return rows

    def _store_alone(self, rows: Sequence[Row]) -> Sequence[int]:
        with self._store.writing:
            writer = self._store.writer
            try:
                last = in_transaction(writer, lambda: insert(writer, rows))
            except sqlite3.IntegrityError as error:
                raise IntegrityError(error) from error
        return list(range(last - len(rows) + 1, last + 1))

    def _write(self, batches: Group[Batch], limit: TimeLimit) -> Sequence[bool | Exception]:
        with self._store.writing:
            try:
                while True:
                    self._store.wait_at_most(limit.left)
                    writer = self._store.writer
                    if len(batches) == 1 and len(batches[0][1]) <= MOST_ROWS:
                        outcomes = store_one(writer, batches[0])
                    else:
                        with writer:  # as in `in_transaction`, without the calls
                            writer.execute("BEGIN IMMEDIATE")
                            outcomes = store(writer, batches.gather())
                    # Another file may have been put in the place of the one that was written: that one counts.
                    if self._store.is_in_place():
                        return outcomes
            except sqlite3.Error as error:
                return [_failed(error) for _ in batches]
            except LedgerError as error:
                return [type(error)(error.message) for _ in batches]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Without bounds where none are asked for, so that records with versions of another world are seen, too."""
        query = OF_GAME
        values: list[str | int] = [key_of(originator_id)]
        for bound, condition in ((gt, " AND originator_version>?"), (lte, " AND originator_version<=?")):
            if bound is not None:
                query += condition
                values.append(bound)
        query += " ORDER BY originator_version DESC" if desc else " ORDER BY originator_version"
        if limit is not None:
            query += " LIMIT ?"
            values.append(limit)
        rows = self._select(query, values, is_short=True)
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
            must_begin_at_one(self._select(LOWEST, ())[0][0])
        query = SINCE
        values: list[str | int] = [
            (start or 0) - (inclusive_of_start and bool(start)),
            NO_END if stop is None else stop,
        ]
        if topics:
            query += f" AND topic IN ({','.join('?' * len(topics))})"
            values += topics
        game_ids = GameIds()  # a page has few games, and reading an id takes longer than all the rest

        def notifications(rows: Iterable[Any]) -> list[StoredNotification]:
            return [
                StoredNotification(game_ids[text], version, name, state, at) for at, text, version, name, state in rows
            ]

        found = self._select(query + " ORDER BY rowid LIMIT ?", [*values, limit], notifications)
        return cast("list[Notification]", found)

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        found: list[UUID] = []
        rows = self._select(FIRST_IDS, (limit,)) if after is None else self._select(IDS, (after.hex, limit))
        while rows:
            for (text,) in rows:
                try:
                    found.append(_game_id(text))
                except TamperedLedger as error:
                    self._stranger = error, text
            if found:
                return found
            rows = self._select(IDS, (rows[-1][0], limit))
        # What belongs to no game hides none of the games: it is told when they have been.
        if self._stranger is not None and self._select(IS_THERE, (self._stranger[1],)):
            raise self._stranger[0]
        return found

    def _select(
        self,
        query: str,
        values: Sequence[str | int],
        make: Callable[[Iterable[Any]], list[Any]] = list,
        *,
        is_short: bool = False,
    ) -> list[Any]:
        """What is made of the rows, one after the other: thousands at a time would set the garbage collector going."""

        def selected(reader: sqlite3.Connection) -> list[Any]:
            try:
                return select(reader, query, values, make)
            finally:
                must_be_still(reader)

        readers = self._store.readers
        return readers.use_in_turn(selected) if is_short else readers.use(selected)


def select(
    reader: sqlite3.Connection, query: str, values: Sequence[str | int], make: Callable[[Iterable[Any]], list[Any]]
) -> list[Any]:
    try:
        return make(reader.execute(query, values))
    except sqlite3.OperationalError as error:
        if "decode to UTF-8" not in str(error):
            raise
    # A damaged name must not hide the record: its link will tell.
    rows = reader.execute(query.replace(NAME, NAME_AS_BYTES), values).fetchall()
    return make((*row[:-2], row[-2].decode(errors="replace"), row[-1]) for row in rows)


def store_one(writer: sqlite3.Connection, batch: Batch) -> Sequence[bool | Exception]:
    """A batch in a transaction of its own: stored if it continues the game as it stands."""
    continues, rows = batch
    values = [*chain.from_iterable(rows), *continues, rows[0][0], continues == NOTHING_YET]
    stored = writer.execute(STORE_ONE[len(rows) - 1], values).rowcount
    return [True if stored else IntegrityError("it has another head")]


def store(writer: sqlite3.Connection, batches: Sequence[Batch]) -> Sequence[bool | Exception]:
    """Says of each batch whether it was stored: those that continue the game as it stands are, the others are not."""
    if all_fit(writer, batches):
        insert(writer, [row for _, rows in batches for row in rows])
        return [True] * len(batches)
    heads = stored_heads(writer, [batch[0][0] for _, batch in batches])
    rows: list[Row] = []
    outcomes: list[bool | Exception] = []
    for continues, batch in batches:
        game_id, *_ = batch[0]
        head = heads.get(game_id, NOTHING_YET)
        if head == continues:
            rows += batch
            _, version, _, state = batch[-1]
            heads[game_id] = version, state[:LINK_SIZE]
            outcomes.append(True)
        else:
            outcomes.append(IntegrityError(f"the head is version {head[0]}"))
    insert(writer, rows)
    return outcomes


def all_fit(writer: sqlite3.Connection, batches: Sequence[Batch]) -> bool:
    """Whether each of them continues its game as it stands, and no other one does."""
    if len({rows[0][0] for _, rows in batches}) < len(batches):
        return False
    for start in range(0, len(batches), MOST_ROWS):
        some = batches[start : start + MOST_ROWS]
        values: list[Any] = []
        for continues, rows in some:
            values += (rows[0][0], *continues, continues == NOTHING_YET)
        if writer.execute(FITTING_OF[len(some) - 1], values).fetchone() != (len(some),):
            return False
    return True


def stored_heads(writer: sqlite3.Connection, game_ids: Sequence[str]) -> dict[str, Head]:
    """The heads of those games of which something is stored."""
    found: dict[str, Head] = {}
    for start in range(0, len(game_ids), MOST_ROWS):
        some = game_ids[start : start + MOST_ROWS]
        for game_id, *head in writer.execute(HEADS_OF[len(some) - 1], some):
            found[game_id] = head[0], head[1]
    return found


def insert(writer: sqlite3.Connection, rows: Sequence[Row]) -> int:
    """The position of the last row; they are given without gaps, one after the other."""
    if len(rows) == 1:
        return writer.execute(INSERT, rows[0]).lastrowid or 0
    last: int | None = 0
    for start in range(0, len(rows), MOST_ROWS):
        some = rows[start : start + MOST_ROWS]
        last = writer.execute(INSERTS[len(some) - 1], list(chain.from_iterable(some))).lastrowid
    return last or 0


def key_of(game_id: UUID | str) -> str:
    return game_id.hex if isinstance(game_id, UUID) else game_id


class GameIds(dict[Any, UUID]):
    """The ids of games by how they are stored, each read once."""

    def __missing__(self, text: Any) -> UUID:
        self[text] = found = _game_id(text)
        return found


def _game_id(text: Any) -> UUID:
    try:
        found = to_uuid(text, UUID) if isinstance(text, str) else None  # a third of the time that `UUID(text)` takes
    except ValidationError:
        found = None
    if found is None or found.hex != text:
        raise TamperedLedger(f"The ledger holds records of {text!r}, which is not a game id: it was tampered with.")
    return found


def _is_fit(connection: sqlite3.Connection) -> bool:
    return is_sound(connection) and is_still(connection)


def _failed(error: sqlite3.Error) -> OperationalError:
    failure = (StillLocked if is_busy(error) else OperationalError)(str(error))
    failure.__cause__ = error
    return failure


class DurableFactory(SQLiteFactory):
    """The library's factory with our connections and our recorder."""

    def __init__(self, env: Environment, path: str, lock_timeout: float, connect_to: Connect | None = None) -> None:
        super().__init__({"SQLITE_DBNAME": path})
        self.env = env
        self.datastore = DurableDatastore(path, lock_timeout, connect_to)

    def application_recorder(self) -> GroupCommitRecorder:
        assert isinstance(self.datastore, DurableDatastore)
        return GroupCommitRecorder(self.datastore)


class SQLiteLedger(EventSourcedLedger):
    """The ledger port on one SQLite file."""

    # Of a damaged schema SQLite tells with the bytes that stand there, which need not be text to Python.
    errors = (*EventSourcedLedger.errors, sqlite3.Error, UnicodeDecodeError)

    def __init__(self, path: str, *, lock_timeout: float = LOCK_TIMEOUT_SECONDS, read_only: bool = False) -> None:
        must_be_a_file_name(path)
        self.path = path
        self.is_read_only = read_only
        try:
            (must_be_a_ledger if read_only else prepare)(path, lock_timeout)
            connect_to = connect_to_read if read_only else connect
            super().__init__(lambda env: DurableFactory(env, path, lock_timeout, connect_to))
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self.to_ledger_error(error) from error

    def to_ledger_error(self, error: Exception) -> LedgerError:
        return (to_ledger_error_for_reading if self.is_read_only else to_ledger_error)(error, self.path)
