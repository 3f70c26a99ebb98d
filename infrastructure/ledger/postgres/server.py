"""The PostgreSQL database under a ledger: how it is reached, its tables, and what its errors mean."""

import re
from collections.abc import Callable, Generator
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg
from eventsourcing import persistence
from eventsourcing.persistence import PersistenceError
from psycopg import Connection
from psycopg.abc import Query
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Diagnostic
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from fairdeal.application.errors import (
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
    LedgerUnavailable,
    NotALedger,
    OutcomeNotKnown,
)
from fairdeal.domain.kernel.refusals import echo
from fairdeal.infrastructure.ledger.schema import SCHEMA, must_be_readable

EVENTS_TABLE = "fairdeal_events"
META_TABLE = "fairdeal_ledger"
ROLLBACK_SECONDS = 1.0
START_LOCK = 0x0FA1_4DEA
"""The advisory lock, one for each schema, that keeps several processes from creating its tables at the same time."""

# The library's table, but that positions are numbered by whoever holds its lock: a sequence leaves gaps.
TABLES = (
    "CREATE TABLE {}.{} (name text PRIMARY KEY, value text NOT NULL)",
    "CREATE TABLE {}.{} (originator_id uuid NOT NULL, originator_version bigint NOT NULL, topic text NOT NULL, "
    "state bytea NOT NULL, notification_id bigint NOT NULL UNIQUE, PRIMARY KEY (originator_id, originator_version))",
)

SHAPE = re.compile(r"postgres(?:ql)?://(?:[^@/\0]*@)?[^@/?\0]*(?:/[^@?\0]*)?(?:\?[^\0]*)?", re.DOTALL)
"""A connection URL without an @ or / too many: after one, a piece of a password would be taken for a host."""

LIMITS: dict[str, int | str] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 5000,
    "keepalives_idle": 3,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""Unless the address says otherwise: after so long a server that is silent counts as away, also where no RST comes.

A wire that was cut is noticed after some 5 s; a failover takes 20 s and more. In seconds, tcp_user_timeout in ms.
"""

SETTINGS = (
    "SELECT set_config('lock_timeout', %s, false), "
    "CASE current_setting('statement_timeout') WHEN '0' THEN set_config('statement_timeout', %s, false) END, "
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END"
)

R = TypeVar("R")


class Unconfirmed(psycopg.OperationalError):
    """The commit stopped waiting for a standby: this server has it, and nobody knows who else."""


class Silence(psycopg.OperationalError):
    """No answer came in time; the connection is closed, for an answer that came now would be taken for another's."""


class Session(Connection[DictRow]):
    """A connection that waits for no answer after its deadline, and remembers what it was warned of."""

    deadline: float | None = None
    warning: str | None = None

    def wait(self, gen: Generator[Any, Any, R], *args: Any, **kwargs: Any) -> R:
        if self.deadline is None:
            return super().wait(gen, *args, **kwargs)
        return super().wait(self._until_the_deadline(gen, self.deadline), *args, **kwargs)

    def _until_the_deadline(self, gen: Generator[Any, Any, R], deadline: float) -> Generator[Any, Any, R]:
        """The driver's own steps; every fraction of a second in which nothing comes it asks whether to go on."""
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and monotonic() > deadline:
                    self.pgconn.finish()
                    raise Silence("no answer came in time")
                wanted = gen.send(ready)
        except StopIteration as stop:
            result: R = stop.value
            return result

    def heed(self, notice: Diagnostic) -> None:
        """Remembers a warning; PostgreSQL gives one when a commit stops waiting for its standby."""
        if notice.severity_nonlocalized == "WARNING":
            self.warning = notice.message_primary or "a warning"


LIBRARY_ERRORS: dict[str, type[PersistenceError]] = {
    name: cls for name, cls in vars(persistence).items() if isinstance(cls, type) and issubclass(cls, PersistenceError)
}


def connect(address: str, lock_timeout: float, *, read_only: bool = False, name: str = "fairdeal") -> Session:
    """A connection that answers a commit only when the disk has it, and waits for no lock for ever."""
    milliseconds = max(1, int(lock_timeout * 1000))
    try:
        connection = Session.connect(address, autocommit=True, row_factory=dict_row, **limits_for(address, name))
    except UnicodeError:
        raise LedgerError(f"{place_of(address)} cannot be reached: its host is not a name.") from None
    connection.add_notice_handler(connection.heed)
    # "off" may lose what was acknowledged; the other settings wait for this disk, some for more. A statement that the
    # server has forgotten ends, too, a little later than one that waits for a lock and is told so.
    connection.execute(SETTINGS, (f"{milliseconds}ms", f"{milliseconds + 1000}ms"))
    if read_only:
        connection.execute("SET default_transaction_read_only = on")
    return connection


def limits_for(address: str, name: str) -> dict[str, Any]:
    """What to ask of libpq besides what the address says: limits, and of several hosts the one that can write.

    The name is shown in pg_stat_activity, unless the address or PGAPPNAME gives another one.
    """
    given = conninfo_to_dict(address)
    hosts = str(given.get("hostaddr") or given.get("host") or "")
    wanted = {**LIMITS, "fallback_application_name": name}
    if "," in hosts:
        wanted["target_session_attrs"] = "read-write"
    return {name: value for name, value in wanted.items() if given.get(name) is None}


def channel_of(schema: str) -> str:
    """Where a ledger says NOTIFY: channels belong to a whole database, ledgers to a schema of it."""
    return f"{schema}.{EVENTS_TABLE}"


def is_sound(connection: Session) -> bool:
    """Whether others may use it; a transaction that somebody left behind is undone."""
    if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
        connection.deadline = monotonic() + ROLLBACK_SECONDS
        with suppress(psycopg.Error):
            connection.rollback()
    connection.deadline = None  # it was for whoever has just used it
    return not connection.closed


def find(address: str, lock_timeout: float) -> str:
    """For those who only read: the schema in which the tables are; nothing is made where there are none."""
    with connect(address, lock_timeout, read_only=True) as connection:
        schema = _schema_of(connection)
        version = _version(connection, schema)
        if version is None:
            raise NotALedger(f"There is no ledger at {place_of(address)}, in its schema {schema}; nothing was changed.")
        must_be_readable(version)
        return schema


def prepare(address: str, lock_timeout: float) -> str:
    """Sees to it that the tables are there, and says in which schema; several processes may do so at once."""
    with connect(address, lock_timeout) as connection:
        schema = _schema_of(connection)
        if _version(connection, schema) is None:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (START_LOCK, schema))
                if _version(connection, schema) is None:
                    _create(connection, schema)
        must_be_readable(str(_version(connection, schema)))
        return schema


def _schema_of(connection: Session) -> str:
    schema = _one_value(connection, "SELECT current_schema()")
    if not schema:
        raise NotALedger("This PostgreSQL connection has no schema to keep the ledger in (see its search_path).")
    return schema


def _version(connection: Session, schema: str) -> str | None:
    # Not by to_regclass: that remembers for the rest of a transaction that there was no such table.
    known = SQL("SELECT 1 FROM pg_tables WHERE schemaname = {} AND tablename = {}").format(schema, META_TABLE)
    if _one_value(connection, known) is None:
        return None
    table = Identifier(schema, META_TABLE)
    return _one_value(connection, SQL("SELECT value FROM {} WHERE name = 'schema'").format(table)) or "unknown"


def _one_value(connection: Session, query: Query) -> str | None:
    row = connection.cursor(row_factory=tuple_row).execute(query).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def _create(connection: Session, schema: str) -> None:
    home, meta = Identifier(schema), Identifier(META_TABLE)
    for table, statement in zip((META_TABLE, EVENTS_TABLE), TABLES, strict=True):
        connection.execute(SQL(statement).format(home, Identifier(table)))
    connection.execute(SQL("INSERT INTO {}.{} VALUES ('schema', %s)").format(home, meta), (str(SCHEMA),))


def patiently(action: Callable[[], R], deadline: float) -> R:
    """Does it again, on a new connection, while the server is away; until the deadline."""
    while True:
        try:
            return action()
        except psycopg.Error as error:
            if not is_lost(error) or is_hopeless(error) or monotonic() > deadline:
                raise
            sleep(0.05)


def is_hopeless(error: psycopg.Error) -> bool:
    """Whether the address names a host, a folder, a database or a user that is not there: waiting brings nothing."""
    causes = ("resolve host", "translate host name", "No such file or directory", "does not exist")
    return error.sqlstate is None and any(cause in str(error) for cause in causes)


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone or the server is not there at the moment."""
    code = error.sqlstate
    return code is None or code.startswith("08") or code in ("57P01", "57P02", "57P03")


def translated(error: psycopg.Error) -> PersistenceError:
    """The same error by the library's name for it."""
    names = [cls.__name__ for cls in type(error).__mro__]
    name = next((name for name in names if name in LIBRARY_ERRORS), "PersistenceError")
    twin = LIBRARY_ERRORS[name](str(error))
    twin.__cause__ = error
    return twin


def to_ledger_error(error: Exception, place: str, *, read_only: bool = False) -> LedgerError:
    """What an error of PostgreSQL means to whoever uses the ledger."""
    cause = error if isinstance(error, psycopg.Error) else error.__cause__
    ledger = f"The ledger at {place}"
    if not isinstance(cause, psycopg.Error):
        return LedgerError(f"{ledger} cannot be used: {error}.")
    said = _in_one_line(cause)
    match cause.sqlstate:
        case _ if isinstance(cause, Unconfirmed):
            return not_known_error(place, cause)
        case "55P03":
            return LedgerUnavailable(f"{ledger} stayed locked by another session; nothing was stored, try again.")
        case "57014":
            return LedgerUnavailable(f"{ledger} took too long ({said}); nothing was stored, try again.")
        case "53100":
            return LedgerFull(f"{ledger} cannot grow any more: no room is left for it; nothing was stored.")
        case "42501" if read_only:
            return LedgerError(f"{ledger} may not be read ({said}).")
        case "25006" | "42501":
            return LedgerReadOnly(f"{ledger} may not be written ({said}); nothing was stored.")
        case "42P01" | "42703":
            return NotALedger(f"{ledger} lacks its tables ({said}).")
        case _ if is_lost(cause):
            return LedgerUnavailable(f"{ledger} cannot be reached ({said}); sending the same command again is safe.")
        case _:
            return LedgerError(f"{ledger} cannot be used: {said}.")


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")


def not_known_error(place: str, error: Exception) -> OutcomeNotKnown:
    said = _in_one_line(error)
    return OutcomeNotKnown(
        f"The ledger at {place} may have stored it, but it is not known whether all its servers have ({said}): "
        "send the same command again, with the same id."
    )


def place_of(address: str) -> str:
    """The address as one may show it: without the password."""
    parts = _parts_of(address)
    host, port, database = (parts.get(name) or "" for name in ("host", "port", "dbname"))
    return f"postgresql://{echo(host)}{f':{echo(port)}' if port else ''}/{echo(database)}"


def _parts_of(address: str) -> dict[str, Any]:
    """What the address is made of; one that makes no sense is never quoted, because a password stands in it."""
    why = "it is not a connection URL"
    if SHAPE.fullmatch(address):
        try:
            parts = conninfo_to_dict(address)
        except UnicodeError:
            why = "it is not a text"
        except psycopg.Error as error:
            why = str(error).partition('"')[0].strip(" :(\n")  # what follows is a piece of the address
        else:
            if all(not port or port.isdecimal() for port in str(parts.get("port") or "").split(",")):
                return parts
            why = "its port is not a number"
    # Out here the error has no cause that would show what was left out.
    raise LedgerError(
        f"This PostgreSQL address makes no sense ({why}): expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
        "with %40 for @, %2F for / and %25 for % inside a password."
    )
