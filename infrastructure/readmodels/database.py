"""The database of the read models: its own SQLite file, PostgreSQL, or the service's own engine."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Protocol, cast

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from fairdeal.application.projections.errors import ReadModelError
from fairdeal.domain.kernel.refusals import in_one_line, quoted
from fairdeal.infrastructure.ledger.sqlite.file import write_ahead

LONGEST_SAID = 300
LOCK_SECONDS = 30.0
"""How long a writer waits for another one."""

SORTING_KIB = 16 * 1024
"""Of memory, for who copies whole tables on SQLite."""
LOG_PAGES = 4000
"""How long the write-ahead log of SQLite grows before it is worked into the file."""

POSTGRES_CONNECTIONS = 10
"""At most so many are open to one database of PostgreSQL; whoever needs one more waits for it."""

PASSING_SQLITE = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_INTERRUPT")
PASSING_POSTGRES = ("08", "25006", "40", "53", "55", "57", "58")
"""Classes of SQLSTATE: connection lost, read-only stand-by, conflict, no resources, locked, shut down, system."""


class Store(Protocol):
    """Where a projector writes: the live tables, or fresh ones during a rebuild."""

    @property
    def dialect(self) -> str: ...

    @contextmanager
    def writing(self, deadline: float | None = None) -> Generator[Connection]:
        """A transaction that no other writer can come between; waits for its turn until the deadline."""
        ...


class Database:
    """The live tables."""

    def __init__(self, engine: Engine, *, close: Callable[[], None] = lambda: None) -> None:
        self.engine = engine
        self.close = close
        self._process = os.getpid()
        if self.dialect not in ("sqlite", "postgresql"):
            raise ReadModelError(f"Read models live in SQLite or PostgreSQL, not in {self.dialect}.")

    @property
    def dialect(self) -> str:
        return self.engine.dialect.name

    @contextmanager
    def writing(self, deadline: float | None = None) -> Generator[Connection]:
        self._must_not_be_inherited()
        with self.engine.connect() as connection, write_transaction(connection, deadline):
            yield connection

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A transaction that sees one moment of the tables throughout."""
        self._must_not_be_inherited()
        with self.engine.connect() as connection:
            if self.dialect == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                if self.dialect == "sqlite" and not _driver_of(connection).in_transaction:
                    connection.exec_driver_sql("BEGIN")
                yield connection

    def is_standby(self, connection: Connection) -> bool:
        """Whether it can only be read, because it is the copy of another server."""
        return self.dialect == "postgresql" and bool(connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar())

    def _must_not_be_inherited(self) -> None:
        if os.getpid() != self._process:
            raise ReadModelError("These read models were opened before a fork: open Fairdeal in every process.")


@contextmanager
def write_transaction(
    connection: Connection, deadline: float | None, *, begin: str = "BEGIN IMMEDIATE"
) -> Generator[None]:
    seconds = LOCK_SECONDS if deadline is None else min(LOCK_SECONDS, max(deadline - monotonic(), 0.001))
    if connection.dialect.name == "postgresql":
        with connection.begin():
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, int(seconds * 1000))}")
            yield
    else:
        driver = _driver_of(connection)
        driver.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        with connection.begin():
            if not driver.in_transaction:
                # A transaction that reads first and writes later loses updates or fails: take the lock at once.
                connection.exec_driver_sql(begin)
            yield


def need_not_last(connection: Connection) -> None:
    """For what can be folded again: on PostgreSQL this transaction does not wait for the disk, nor for a standby."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


@contextmanager
def more_memory(connection: Connection) -> Generator[None]:
    """For who copies whole tables on SQLite or sorts their indexes: that takes a quarter less time."""
    if connection.dialect.name != "sqlite":
        yield
        return
    usual: object = connection.exec_driver_sql("PRAGMA main.cache_size").scalar_one()
    connection.exec_driver_sql(f"PRAGMA main.cache_size = -{SORTING_KIB}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA main.cache_size = {usual}")


def _driver_of(connection: Connection) -> Any:
    return cast("Any", connection.connection.dbapi_connection)


def open_database(where: str | Engine) -> Database:
    """The database at a URL, or behind an engine of the service's own."""
    if isinstance(where, Engine):
        return Database(where)
    if where == "memory:":
        # A file that nobody else sees and that goes when it is closed: everything works as with any other.
        folder = TemporaryDirectory(prefix="fairdeal-")
        database = open_database(f"sqlite:///{folder.name}/read.db")

        def close() -> None:
            database.close()
            folder.cleanup()

        return Database(database.engine, close=close)
    if not isinstance(where, str) or "\0" in where:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ReadModelError("Read models need an address such as sqlite:///FILE or postgresql://…, or an engine.")
    try:
        engine = _engine(where)
    except (ImportError, SQLAlchemyError) as error:
        why = f"Cannot use {quoted(_without_password(where))} for read models"
        raise ReadModelError(f"{why}: {said(error)}.") from error
    return Database(engine, close=engine.dispose)


def said(error: BaseException) -> str:
    """What a database says in one line: without the question, which is nobody's business, and without links."""
    cause = getattr(error, "orig", None) or error
    return in_one_line(str(cause).partition("\n")[0].rstrip("."), LONGEST_SAID)


def _engine(where: str) -> Engine:
    if where.partition(":")[0] in ("postgresql", "postgres"):
        from psycopg import connect

        from fairdeal.infrastructure.ledger.postgres.server import limits_for

        # The driver reads the address itself, so whatever the ledger understands is understood here.
        limits = limits_for(where, "fairdeal read models")
        return create_engine(
            "postgresql+psycopg://",
            creator=lambda: connect(where, **limits),
            pool_pre_ping=True,
            pool_size=POSTGRES_CONNECTIONS,
            max_overflow=0,
        )
    url = make_url(where)
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    if url.database in (None, "", ":memory:"):
        raise ReadModelError("Read models in SQLite need a file: sqlite:///FILE.")
    # Transactions begin where we say so, not where the driver guesses.
    engine = create_engine(url, connect_args={"isolation_level": None}, pool_size=10, max_overflow=30)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(LOCK_SECONDS * 1000)}")
    write_ahead(connection, LOCK_SECONDS)
    # What is lost when the power fails is folded again from the ledger.
    cursor.execute("PRAGMA synchronous = NORMAL")
    # Each batch of rows changes the same pages of the indexes again: most need not be written twice.
    cursor.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    cursor.close()


def _without_password(where: str) -> str:
    try:
        return make_url(where).render_as_string(hide_password=True)
    except ArgumentError:
        return "this address"


def is_passing(error: BaseException) -> bool:
    """Whether trying the same again later can help: a lock, a lost connection, a full disk."""
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    name: str | None = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return name.startswith(PASSING_SQLITE)
    state: str | None = getattr(error.orig, "sqlstate", None)
    # Without a state the server said nothing at all: the connection is gone.
    return state is None or state.startswith(PASSING_POSTGRES)
