"""Where fresh tables are made during a rebuild: a second SQLite file, or a schema of their own in PostgreSQL."""

import glob
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Protocol
from uuid import UUID

from sqlalchemy import Connection, MetaData, Table, insert, inspect, select, text
from sqlalchemy.schema import CreateTable

from fairdeal.infrastructure.readmodels.database import Database, more_memory, open_database, write_transaction
from fairdeal.infrastructure.readmodels.schema import take_turns
from fairdeal.infrastructure.readmodels.tables import ONLY_APPENDED_TO


class Staging(Protocol):
    """The two ways differ only in where fresh tables stand and how they are moved."""

    fresh: Database

    @property
    def schema(self) -> str:
        """By which name a live connection reaches the fresh tables."""
        ...

    def sweep(self, connection: Connection, under_way: Sequence[UUID]) -> None:
        """Throws away what others that are no longer under way have left behind."""
        ...

    def make_room(self, connection: Connection) -> None:
        """Prepares the place itself; two who do so at once do not disturb each other."""
        ...

    @contextmanager
    def swapping(self) -> Generator[Connection]:
        """A writing transaction on the live tables that can reach the fresh ones too."""
        ...

    def create(self, connection: Connection, table: Table) -> None:
        """A fresh table, if it is not there yet."""
        ...

    def move(self, connection: Connection, table: Table) -> None:
        """Puts a fresh table in the place of a live one that was dropped."""
        ...

    def clear(self, connection: Connection) -> None:
        """Removes what is left of the place, in the transaction of the swap."""
        ...

    def close(self, *, swapped: bool) -> None: ...


class StagingFile:
    """SQLite: fresh tables in a file beside the live one; at the end their rows are copied in one transaction."""

    schema = "fresh"

    def __init__(self, live: Database, number: UUID) -> None:
        self._live = live
        name = live.engine.url.database
        in_memory = name in (None, "", ":memory:")
        self._beside = Path(gettempdir(), f"fairdeal-{number}.db") if in_memory else Path(str(name))
        self._path = self._beside.with_name(f"{self._beside.name}-rebuild-{number}")
        self.fresh = open_database(f"sqlite:///{self._path}")

    def make_room(self, connection: Connection) -> None:
        """The file is there as soon as it is written to."""

    def sweep(self, connection: Connection, under_way: Sequence[UUID]) -> None:  # noqa: ARG002 - files need none
        for path in self._beside.parent.glob(f"{glob.escape(self._beside.name)}-rebuild-*"):
            if not any(str(number) in path.name for number in under_way):
                path.unlink(missing_ok=True)

    @contextmanager
    def swapping(self) -> Generator[Connection]:
        with self._live.engine.connect() as connection:
            connection.exec_driver_sql("ATTACH DATABASE ? AS fresh", (str(self._path),))
            connection.rollback()
            try:
                # Only the live file is locked: the last records are still folded into the other one.
                with write_transaction(connection, None, begin="BEGIN"), more_memory(connection):
                    yield connection
            finally:
                connection.exec_driver_sql("DETACH DATABASE fresh")

    def create(self, connection: Connection, table: Table) -> None:
        if table in ONLY_APPENDED_TO:
            # Its rows get their indexes where they are copied to; nobody looks for them here.
            connection.execute(CreateTable(table, if_not_exists=True))
        else:
            table.create(connection, checkfirst=True)

    def move(self, connection: Connection, table: Table) -> None:
        connection.execute(CreateTable(table))
        connection.execute(insert(table).from_select(list(table.columns), select(copy_of(table, self.schema))))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            index.create(connection)

    def clear(self, connection: Connection) -> None:
        """The file is removed when it is closed."""

    def close(self, *, swapped: bool) -> None:
        if swapped:
            with self.fresh.engine.connect() as connection:
                # Its log is worked into the file once more; nobody has to wait until that is on the disk.
                connection.exec_driver_sql("PRAGMA synchronous = OFF")
        self.fresh.close()
        if swapped:
            for tail in ("", "-wal", "-shm"):
                Path(f"{self._path}{tail}").unlink(missing_ok=True)


class StagingSchema:
    """PostgreSQL: fresh tables in a schema of their own; at the end they are moved, which takes no time."""

    def __init__(self, live: Database, number: UUID, tables: list[Table]) -> None:
        self._live = live
        with live.engine.connect() as connection:
            self._home = str(connection.execute(text("SELECT current_schema()")).scalar_one())
        self.schema = f"{self._prefix}{number.hex}"
        here = dict.fromkeys([None, *(table.schema for table in tables)], self.schema)
        self.fresh = Database(live.engine.execution_options(schema_translate_map=here))

    @property
    def _prefix(self) -> str:
        # Not the name itself, which may be too long for one more word and begin like another's.
        return f"fairdeal_rebuild_{sha256(self._home.encode()).hexdigest()[:8]}_"

    def sweep(self, connection: Connection, under_way: Sequence[UUID]) -> None:
        for name in inspect(connection).get_schema_names():
            if name.startswith(self._prefix) and not any(number.hex in name for number in under_way):
                connection.exec_driver_sql(f"DROP SCHEMA {self._quoted(connection, name)} CASCADE")

    def make_room(self, connection: Connection) -> None:
        take_turns(connection)
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {self._quoted(connection, self.schema)}")

    @contextmanager
    def swapping(self) -> Generator[Connection]:
        with self._live.writing() as connection:
            yield connection

    def create(self, connection: Connection, table: Table) -> None:
        table.create(connection, checkfirst=True)

    def move(self, connection: Connection, table: Table) -> None:
        source = f"{self._quoted(connection, self.schema)}.{self._quoted(connection, table.name)}"
        home = self._quoted(connection, table.schema or self._home)
        connection.exec_driver_sql(f"ALTER TABLE {source} SET SCHEMA {home}")

    def clear(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"DROP SCHEMA {self._quoted(connection, self.schema)} CASCADE")

    def close(self, *, swapped: bool) -> None:
        """The schema went with the swap, or stays for whoever goes on; the engine is the live one's."""

    def _quoted(self, connection: Connection, name: str) -> str:
        return connection.dialect.identifier_preparer.quote(name)


def staging_for(live: Database, number: UUID, tables: list[Table]) -> Staging:
    return StagingSchema(live, number, tables) if live.dialect == "postgresql" else StagingFile(live, number)


def copy_of(table: Table, schema: str) -> Table:
    """The same table by its name in another schema."""
    return table.to_metadata(MetaData(), schema=schema)
