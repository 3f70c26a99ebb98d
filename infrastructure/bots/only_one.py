"""One at a time: of all processes on a ledger one has the lock, and when it dies another gets it at once."""

from pathlib import Path
from time import monotonic
from typing import IO, Any, Protocol

LOCK = 0x0FA1_B075
"""The advisory lock on PostgreSQL; the schema is its second half."""
CHECK_SECONDS = 1.0
"""So often a connection is asked whether it is still there: the lock goes with it."""


class OnlyOne(Protocol):
    """Nobody has to say goodbye: the lock ends with the process that has it."""

    def has_it(self) -> bool:
        """Whether this process has the lock now; asked again and again, it takes the lock as soon as it is free."""
        ...

    def release(self) -> None: ...


class Alone:
    """For a ledger that exists in one process."""

    def has_it(self) -> bool:
        return True

    def release(self) -> None:
        """There is nothing to give back."""


class FileLock:
    """A file beside the ledger's; not that one itself: whoever closes it would end SQLite's own locks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def has_it(self) -> bool:
        if self._file is not None:
            return True
        try:
            import fcntl
        except ImportError:  # not on this system; two who play get in each other's way, no more
            return True
        file = self._path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class AdvisoryLock:
    """A lock of PostgreSQL on a connection of its own: it ends with the connection, on any machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Any = None
        self._checked = 0.0

    def has_it(self) -> bool:
        import psycopg

        if self._connection is not None and monotonic() < self._checked + CHECK_SECONDS:
            return True
        try:
            return self._take_or_check()
        except psycopg.Error:
            self.release()
            return False

    def _take_or_check(self) -> bool:
        from fairdeal.infrastructure.ledger.postgres.server import connect

        if self._connection is None:
            connection = connect(self._address, CHECK_SECONDS, name="fairdeal bots")
            row: Any = connection.execute(
                "SELECT pg_try_advisory_lock(%s, hashtext(current_schema())) AS has_it", (LOCK,)
            ).fetchone()
            if not row["has_it"]:
                connection.close()
                return False
            self._connection = connection
        else:
            self._connection.execute("SELECT 1")
        self._checked = monotonic()
        return True

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def only_one_for(address: str) -> OnlyOne:
    """The lock that fits a ledger's address."""
    scheme, _, rest = address.partition(":")
    if scheme in ("postgresql", "postgres"):
        return AdvisoryLock(address)
    if scheme == "sqlite":
        path = Path(rest.removeprefix("///"))
        return FileLock(path.with_name(f"{path.stem}.bots.lock"))
    return Alone()
