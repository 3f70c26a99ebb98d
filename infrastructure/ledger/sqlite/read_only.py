"""An SQLite file under a ledger that is only read: nothing in it is changed, and it may stand where nobody may write.

SQLite keeps an index (`-shm`) beside a file with a write-ahead log (`-wal`), even for those who only read.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from fairdeal.application.errors import LedgerError, LedgerUnavailable, NotALedger
from fairdeal.domain.kernel.refusals import echo
from fairdeal.infrastructure.ledger.schema import must_be_readable
from fairdeal.infrastructure.ledger.sqlite.file import code_of, schema_of, to_ledger_error

STILL = "mode=ro&immutable=1"
"""Without locks, index and write-ahead log: only for a file in which nobody writes meanwhile."""
EFFECTIVE = os.access in os.supports_effective_ids


class StillConnection(sqlite3.Connection):
    """To a file that SQLite takes for one that never changes; so it is for us to look whether that is true."""

    path = ""
    before: tuple[int, ...] = ()


def must_be_a_ledger(path: str, lock_timeout: float) -> None:
    """Nothing is made of another database, or of none."""
    if not os.access(path, os.F_OK):
        raise NotALedger(f"There is no ledger {echo(path)}.")
    with closing(connect_to_read(path, lock_timeout)) as connection:
        known = schema_of(connection)
    if known is None:
        raise NotALedger(f"{echo(path)} is an SQLite database without a ledger; nothing was changed.")
    must_be_readable(known)


def connect_to_read(path: str, lock_timeout: float) -> sqlite3.Connection:
    """A connection that stores nothing, to a file that others may be writing."""
    path = os.path.realpath(path)  # SQLite keeps log and index beside the file itself, not beside a link to it
    before, mode = _state(path), _mode(path)
    connection = sqlite3.connect(
        f"{Path(path).absolute().as_uri()}?{mode}",
        uri=True,
        timeout=lock_timeout,
        isolation_level=None,
        check_same_thread=False,
        factory=StillConnection if mode == STILL else sqlite3.Connection,
    )
    if isinstance(connection, StillConnection):
        connection.path, connection.before = path, before
    connection.execute("PRAGMA query_only=ON")
    return connection


def _mode(path: str) -> str:
    """How to open the file so that as little as possible happens to it and beside it."""
    if _unmerged(path):
        return "mode=ro"  # its log is read and left as it is: who may write would merge it into the file
    if _may_write(path) and _may_write(Path(path).parent):
        return "mode=rw"  # who may write takes away the log and the index that they have made
    if all(os.access(f"{path}{ending}", os.F_OK) for ending in ("-wal", "-shm")):
        return "mode=ro"  # somebody else is at work
    return STILL


def _unmerged(path: str) -> str | None:
    """The file that holds a part of the ledger, beside the one that is called it."""
    return next((name for name in (f"{path}-wal", f"{path}-journal") if _state(name)[-1] > 0), None)


def _may_write(path: str | Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=EFFECTIVE)


def _state(path: str) -> tuple[int, ...]:
    """When a file was written, and its size; nothing if there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def is_still(connection: sqlite3.Connection) -> bool:
    """Whether nobody has written what this connection takes for unchanging."""
    if not isinstance(connection, StillConnection):
        return True
    return connection.before == _state(connection.path) and _unmerged(connection.path) is None


def must_be_still(connection: sqlite3.Connection) -> None:
    if not is_still(connection):
        raise LedgerUnavailable("Somebody began to write into the ledger while it was read: read it again.")


def to_ledger_error_for_reading(error: Exception, path: str) -> LedgerError:
    """What an error of SQLite means to whoever wanted only to read."""
    if code_of(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        if not os.access(path, os.R_OK, effective_ids=EFFECTIVE):
            return LedgerError(f"The ledger {echo(path)} may not be read by you.")
        if other := _unmerged(os.path.realpath(path)):
            return LedgerError(
                f"The ledger {echo(path)} is not whole without {echo(other)}, which can be read only where one may "
                "write: copy both files together to such a place."
            )
    return to_ledger_error(error, path)
