"""The SQLite file under a ledger: how it is opened, its tables, and what its errors mean."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from fairdeal.application.errors import LedgerError, LedgerFull, LedgerReadOnly, LedgerUnavailable, NotALedger
from fairdeal.domain.kernel.refusals import echo, quoted
from fairdeal.infrastructure.ledger.schema import SCHEMA, must_be_readable

T = TypeVar("T")

LONGEST_NAME = 255
"""Bytes of a file's name; no usual file system allows more."""

TABLES = (
    "CREATE TABLE fairdeal_ledger (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # The library's table, but that positions are a column: VACUUM may renumber those that are not.
    "CREATE TABLE stored_events (rowid INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, "
    "originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL, "
    "UNIQUE (originator_id, originator_version))",
)


def must_be_a_file_name(path: str) -> None:
    """Refuses what no file can be called, and what SQLite would take for more than a name."""
    try:
        os.fsencode(path)
    except UnicodeError:
        why = "it is not a text"
    else:
        if "\0" in path:
            why = "it has a character in it that no name can have"
        elif path.startswith("file:"):
            # Some builds of SQLite would open another file, and perhaps without locks.
            why = f"it looks like a URI; expected the name of a file, as in ./{echo(path)}"
        else:
            return
    raise LedgerError(f"{quoted(path)} cannot be the name of a ledger: {why}.")


def connect(path: str, lock_timeout: float) -> sqlite3.Connection:
    """A connection that answers a commit only when the disk has it."""
    # Statements are kept prepared, one for each number of rows or games that is stored at once.
    connection = sqlite3.connect(
        path, timeout=lock_timeout, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    try:
        write_ahead(connection, lock_timeout)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # macOS: through the cache of the disk as well
        # What SQLite notes to undo a statement that fails: for many batches at once it would make a file each time.
        connection.execute("PRAGMA temp_store=MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection


def write_ahead(connection: sqlite3.Connection, lock_timeout: float) -> None:
    """With a write-ahead log readers and the writer do not wait for each other."""
    deadline = time.monotonic() + lock_timeout
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait here if another process is doing the same.
            if code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def prepare(path: str, lock_timeout: float) -> None:
    """Sees to it that the tables are there; several processes may do so at once."""
    with closing(connect(path, lock_timeout)) as connection:
        if schema_of(connection) is None:
            in_transaction(connection, lambda: _create_tables(connection))
        must_be_readable(str(schema_of(connection)))


def _create_tables(connection: sqlite3.Connection) -> None:
    if schema_of(connection) is None:
        for statement in TABLES:
            connection.execute(statement)
        connection.execute("INSERT INTO fairdeal_ledger VALUES ('schema', ?)", (str(SCHEMA),))


def schema_of(connection: sqlite3.Connection) -> str | None:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name='fairdeal_ledger'").fetchone()
    if known is None:
        return None
    row = connection.execute("SELECT value FROM fairdeal_ledger WHERE name='schema'").fetchone()
    return "unknown" if row is None else str(row[0])


def identity(path: str) -> tuple[int, int]:
    """Which file has this name now; raises LedgerUnavailable if none has."""
    try:
        found = os.stat(path)  # noqa: PTH116  asked before every answer; a Path would take three times as long
    except OSError:
        raise LedgerUnavailable(
            f"The ledger {echo(path)} is gone: put it back, then send the same command again."
        ) from None
    return found.st_dev, found.st_ino


def is_sound(connection: sqlite3.Connection) -> bool:
    """Whether others may use it: nobody left a transaction behind."""
    return not connection.in_transaction


def wait_at_most(connection: sqlite3.Connection, seconds: float) -> None:
    """For the right to write."""
    connection.execute(f"PRAGMA busy_timeout={int(seconds * 1000)}")


def in_transaction(connection: sqlite3.Connection, work: Callable[[], T]) -> T:
    """All or nothing, with the right to write from the beginning."""
    # The driver's own `with` commits or rolls back in one step, whatever interrupts; one of ours could be interrupted
    # in between, and would hold the right to write from then on.
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        return work()


def to_ledger_error(error: Exception, path: str) -> LedgerError:
    """What an error of SQLite means to whoever uses the ledger."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__ or error
    path, file = echo(path), path
    ledger = f"The ledger {path}"
    if isinstance(error, UnicodeDecodeError):
        return NotALedger(f"{ledger} is a broken SQLite database; restore it from a backup.")
    match code_of(cause):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LedgerUnavailable(f"{ledger} stayed locked by another process; nothing was stored, try again.")
        case sqlite3.SQLITE_FULL:
            return LedgerFull(f"{ledger} cannot grow any more: no room is left for it; nothing was stored.")
        case sqlite3.SQLITE_READONLY:
            return LedgerReadOnly(f"{ledger} may be read but not written; nothing was stored.")
        case sqlite3.SQLITE_NOTADB:
            return NotALedger(f"{path} is not an SQLite database; nothing was changed.")
        case sqlite3.SQLITE_CORRUPT:
            return NotALedger(f"{ledger} is a broken SQLite database ({cause}); restore it from a backup.")
        case sqlite3.SQLITE_CANTOPEN:
            return LedgerError(f"{ledger} cannot be opened: {_obstacle(file)}.")
        case _:
            return LedgerError(f"{ledger} cannot be used: {cause}.")


def is_busy(error: BaseException) -> bool:
    """Whether others held the database for too long."""
    return code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def code_of(error: BaseException) -> int:
    """SQLite's primary result code, 0 if the error is not SQLite's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _obstacle(path: str) -> str:
    folder = os.path.dirname(path) or os.curdir  # noqa: PTH120  it may be too long, or forbidden: that is not an error here
    try:
        os.stat(folder)  # noqa: PTH116
    except FileNotFoundError:
        return f"the folder {echo(folder)} does not exist"
    except OSError as error:
        return str(error.strerror).lower()
    if len(os.path.basename(os.fsencode(path))) > LONGEST_NAME:  # noqa: PTH119
        return "its name is too long"
    return (
        "it is a folder"
        if Path(path).is_dir()
        else "it, or its folder, may not be written here; copy it to where it may"
    )
