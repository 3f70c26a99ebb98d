"""Indexes that are made when the rows are there: for many rows a database needs a fraction of the time for that."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, Index, Table, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, DropIndex

from fairdeal.infrastructure.readmodels.database import is_passing, more_memory
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.tables import ONLY_APPENDED_TO

WORTH_IT = 10_000
"""Whoever folds so many records into empty tables makes the indexes afterwards."""


class LateIndexes:
    """Whether the indexes of tables are there that are only appended to.

    Whoever is killed in between leaves tables without indexes: questions take longer, and are answered right. The next
    one who comes to the head of the ledger makes them.
    """

    def __init__(self, projections: Iterable[Projection]) -> None:
        self._tables = _tables_of(projections)
        self._complete_at: int | None = None
        """The position at which they were seen last; others may have been at work since."""
        self._were_left_out = False

    def leave_out(self, connection: Connection, projections: Iterable[Projection]) -> bool:
        """For now: the tables of these projections are empty, and about to be filled. Answers whether that was news.

        Then the transaction should end: as long as it lasts, nobody can read these tables on PostgreSQL.
        """
        if self._were_left_out:
            return False
        self._were_left_out, self._complete_at = True, None
        tables = _tables_of(projections)
        if connection.dialect.name == "postgresql" and not _nobody_reads(connection, tables):
            return False
        for table in tables:
            for index in table.indexes:
                connection.execute(DropIndex(index, if_exists=True))
        return True

    def complete(self, connection: Connection, start: int, reached: int) -> None:
        """Makes those that are missing, in the transaction that came from one position to another."""
        if self._complete_at != start:
            with more_memory(connection):
                for table in self._tables:
                    for index in sorted(_missing(connection, table), key=lambda index: str(index.name)):
                        connection.execute(CreateIndex(index, if_not_exists=True))
        self._complete_at, self._were_left_out = reached, False


def _tables_of(projections: Iterable[Projection]) -> Sequence[Table]:
    return [table for projection in projections for table in projection.tables if table in ONLY_APPENDED_TO]


def _missing(connection: Connection, table: Table) -> Iterable[Index]:
    """PostgreSQL would lock the table before it sees that an index is there; SQLite has nobody else who writes."""
    if connection.dialect.name != "postgresql":
        return table.indexes
    names = {index: _name(connection, table, str(index.name)) for index in table.indexes}
    found = connection.execute(select(*(func.to_regclass(name).is_not(None) for name in names.values()))).one()
    return [index for index, is_there in zip(names, found, strict=True) if not is_there]


def _nobody_reads(connection: Connection, tables: Iterable[Table]) -> bool:
    """Whether PostgreSQL gives the tables to us alone at once. Without their indexes it is only a little faster."""
    try:
        with connection.begin_nested():
            for table in tables:
                name = _name(connection, table, table.name)
                connection.exec_driver_sql(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE NOWAIT")
    except DBAPIError as error:
        if not is_passing(error):
            raise
        return False
    return True


def _name(connection: Connection, table: Table, name: str) -> str:
    """Of the table or of one of its indexes, where it stands now: during a rebuild in a schema of its own."""
    schemas: Mapping[str | None, str] = connection.get_execution_options().get("schema_translate_map") or {}
    quote = connection.dialect.identifier_preparer.quote
    return ".".join(quote(part) for part in (schemas.get(table.schema, table.schema), name) if part)
