"""The PostgreSQL database under a ledger: how it is reached, its tables, and what its errors mean."""

import re
from contextlib import suppress
from typing import Any

import psycopg
from eventsourcing import persistence
from eventsourcing.persistence import PersistenceError
from psycopg import Connection
from psycopg.abc import Query
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from fairdeal.application.errors import LedgerError, LedgerFull, LedgerReadOnly, LedgerUnavailable, NotALedger
from fairdeal.infrastructure.ledger.schema import SCHEMA, must_be_readable

EVENTS_TABLE = "fairdeal_events"
META_TABLE = "fairdeal_ledger"
CONNECT_TIMEOUT_SECONDS = 5
START_LOCK = 0x0FA1_4DEA
"""The advisory lock, one for each schema, that keeps several processes from creating its tables at the same time."""

# The library's table, but that positions are numbered by whoever holds its lock: a sequence leaves gaps.
TABLES = (
    "CREATE TABLE {}.{} (name text PRIMARY KEY, value text NOT NULL)",
    "CREATE TABLE {}.{} (originator_id uuid NOT NULL, originator_version bigint NOT NULL, topic text NOT NULL, "
    "state bytea NOT NULL, notification_id bigint NOT NULL UNIQUE, PRIMARY KEY (originator_id, originator_version))",
)

SHAPE = re.compile(r"postgres(?:ql)?://(?:[^@/\0]*@)?[^@/?\0]*(?:/[^@?\0]*)?(?:\?[^\0]*)?", re.DOTALL)
"""A connection URL without an @ or / too many: behind one, a piece of a password would be taken for a host."""

Session = Connection[DictRow]

LIBRARY_ERRORS: dict[str, type[PersistenceError]] = {
    name: cls for name, cls in vars(persistence).items() if isinstance(cls, type) and issubclass(cls, PersistenceError)
}


def connect(address: str, lock_timeout: float, *, read_only: bool = False) -> Session:
    """A connection that answers a commit only when the disk has it, and waits for no lock for ever."""
    connection = Session.connect(
        address, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS, row_factory=dict_row
    )
    connection.execute(SQL("SET lock_timeout = {}").format(int(lock_timeout * 1000)))
    # "off" may lose what was acknowledged; the other settings wait for this disk, some for more.
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    if read_only:
        connection.execute("SET default_transaction_read_only = on")
    return connection


def channel_of(schema: str) -> str:
    """Where a ledger says NOTIFY: channels belong to a whole database, ledgers to a schema of it."""
    return f"{schema}.{EVENTS_TABLE}"


def is_sound(connection: Session) -> bool:
    """Whether others may use it; a transaction that somebody left behind is undone."""
    if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
        with suppress(psycopg.Error):
            connection.rollback()
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
    said = str(cause).strip().replace("\n", " ").rstrip(".")
    match cause.sqlstate:
        case "55P03":
            return LedgerUnavailable(f"{ledger} stayed locked by another session; nothing was stored, try again.")
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


def place_of(address: str) -> str:
    """The address as one may show it: without the password."""
    parts = _parts_of(address)
    host, port, database = (parts.get(name) or "" for name in ("host", "port", "dbname"))
    return f"postgresql://{host}{f':{port}' if port else ''}/{database}"


def _parts_of(address: str) -> dict[str, Any]:
    """What the address is made of; one that makes no sense is never quoted, because a password stands in it."""
    why = "it is no connection URL"
    if SHAPE.fullmatch(address):
        try:
            parts = conninfo_to_dict(address)
        except UnicodeError:
            why = "it is no text"
        except psycopg.Error as error:
            why = str(error).partition('"')[0].strip(" :(\n")  # what follows is a piece of the address
        else:
            if all(not port or port.isdecimal() for port in str(parts.get("port") or "").split(",")):
                return parts
            why = "its port is no number"
    # Out here the error has no cause that would show what was left out.
    raise LedgerError(
        f"This PostgreSQL address makes no sense ({why}): expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
        "with %40 for @, %2F for / and %25 for % inside a password."
    )
