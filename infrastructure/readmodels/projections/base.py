"""What a projection is: a name, tables of its own, and how public events change them."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, Table, event, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

from fairdeal.application.projections.public_event import PublicEvent

PAUSE = "fairdeal_pause"
"""The execution option of a connection that gives way to other threads (ADR 84): what it calls between two steps."""
FEW_ROWS, MORE_ROWS = 4, 20
"""So many are written before others get the interpreter: by SQLAlchemy, and by the driver."""

T = TypeVar("T")


class Projection:
    """Subclass it, name it, list its tables and fold. Registered with `Fairdeal(…, projections=[…])`.

    `fold` gets each public event exactly once, in the order of the ledger, in the transaction that also moves
    the projection's position: write through the given connection and with SQLAlchemy's own expressions,
    so that a rebuild can lead the same code into fresh tables.
    """

    name: str
    version = 1
    """Raise it when the tables must be folded anew from the beginning."""
    tables: Sequence[Table] = ()

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        raise NotImplementedError


def in_the_background(connection: Connection, pause: Callable[[], object]) -> None:
    """Whoever writes through this connection gives way to other threads: after each statement, and between rows."""
    connection.execution_options(**{PAUSE: pause})
    event.listen(connection, "after_cursor_execute", lambda *_: pause())


def give_way(connection: Connection) -> None:
    """For who computes for long: lets other threads have the interpreter, if this is folded beside them."""
    pause = connection.get_execution_options().get(PAUSE)
    if pause is not None:
        pause()


def in_steps(connection: Connection, rows: Sequence[T]) -> Iterable[Sequence[T]]:
    """All rows at once, or a few for each statement if they are folded beside others."""
    if PAUSE not in connection.get_execution_options():
        return (rows,) if rows else ()
    return [rows[start : start + FEW_ROWS] for start in range(0, len(rows), FEW_ROWS)]


def _with_pauses(connection: Connection, rows: Iterable[T]) -> Iterable[T]:
    pause = connection.get_execution_options().get(PAUSE)
    return rows if pause is None else _pausing(rows, pause)


def _pausing(rows: Iterable[T], pause: Callable[[], object]) -> Iterator[T]:
    for number, row in enumerate(rows, 1):
        yield row
        if number % MORE_ROWS == 0:
            pause()


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts rows, or replaces those with the same key."""
    if not rows:
        return
    new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    key = [column.name for column in table.primary_key]
    changed = {name: new.excluded[name] for name in rows[0] if name not in key}
    statement = new.on_conflict_do_update(index_elements=key, set_=changed)
    for some in in_steps(connection, rows):
        connection.execute(statement, [dict(row) for row in some])


def append(connection: Connection, table: Table, rows: Sequence[Sequence[Any]]) -> None:
    """Inserts many rows, each with all columns in their order, as fast as can be."""
    if rows and connection.dialect.name == "postgresql":
        _copy(connection, table, rows)
    elif rows:
        append_columns(connection, table, list(zip(*rows, strict=True)))


def append_columns(connection: Connection, table: Table, columns: Sequence[Sequence[Any]]) -> None:
    """The same, given column by column: for thousands of rows, of which none is made before it is inserted.

    All values must be just what their columns hold: PostgreSQL takes them in as they are.
    """
    if connection.dialect.name == "postgresql":
        _copy(connection, table, zip(*columns, strict=True), _types_of(table, connection.dialect))
        return
    # What SQLAlchemy does for each row costs more than SQLite's own work: compile once, convert column by column. The
    # driver takes rows one by one: thousands of them at a time would set the garbage collector going.
    dialect = connection.dialect
    converted = list(columns)
    for at, column in enumerate(table.columns):
        convert = column.type.dialect_impl(dialect).bind_processor(dialect)
        if convert is not None:
            converted[at] = _converted(convert, columns[at])
    statement = _insert_into(table, dialect, connection.get_execution_options().get("schema_translate_map"))
    driver: Any = connection.connection.driver_connection
    try:
        driver.executemany(statement, _with_pauses(connection, zip(*converted, strict=True)))
    except sqlite3.Error as error:
        raise _as_sqlalchemy_says_it(connection, statement, error, sqlite3.Error) from error


def _insert_into(table: Table, dialect: Dialect, schemas: Any) -> str:
    how: dict[str, Any] = {"schema_translate_map": schemas, "render_schema_translate": True} if schemas else {}
    return str(insert(table).compile(dialect=dialect, **how))


def _as_sqlalchemy_says_it(connection: Connection, what: str, error: Exception, base: type[Exception]) -> Exception:
    """Whoever waits for a database knows these errors."""
    return DBAPIError.instance(what, None, error, base, dialect=connection.dialect)


def _types_of(table: Table, dialect: Dialect) -> list[str]:
    """What PostgreSQL calls the types of the columns, without their lengths."""
    return [column.type.compile(dialect).partition("(")[0].lower() for column in table.columns]


def _copy(
    connection: Connection, table: Table, rows: Iterable[Sequence[Any]], types: Sequence[str] | None = None
) -> None:
    """As a stream: PostgreSQL takes in rows so several times as fast as by statements.

    With the types of the columns it is one of bytes, which takes the driver a quarter of the time.
    """
    import psycopg  # an extra: only who has PostgreSQL has its driver
    from psycopg.sql import SQL, Identifier

    schemas: Mapping[str | None, str] = connection.get_execution_options().get("schema_translate_map") or {}
    name = SQL(".").join(map(Identifier, filter(None, (schemas.get(table.schema, table.schema), table.name))))
    into = SQL("COPY {} ({}) FROM STDIN{}").format(
        name,
        SQL(", ").join(Identifier(one.name) for one in table.columns),
        SQL("" if types is None else " (FORMAT BINARY)"),
    )
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor, cursor.copy(into) as copy:
            if types is not None:
                copy.set_types(types)
            for row in _with_pauses(connection, rows):
                copy.write_row(row)
    except psycopg.Error as error:
        raise _as_sqlalchemy_says_it(connection, "COPY", error, psycopg.Error) from error


def _converted(convert: Callable[[Any], Any], values: Sequence[Any]) -> tuple[Any, ...]:
    """Neighbours are often the very same value, such as the time of one command: it is converted once."""
    converted: list[Any] = []
    last: Any = converted  # nobody's value
    done: Any = None
    for value in values:
        if value is not last:
            last, done = value, convert(value)
        converted.append(done)
    return tuple(converted)


def chunks(things: Iterable[Any], size: int = 500) -> Iterable[list[Any]]:
    """Lists short enough for an `IN` clause."""
    everything = list(things)
    for start in range(0, len(everything), size):
        yield everything[start : start + size]
