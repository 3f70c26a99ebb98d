"""Indexes that are made when the rows are there: for many rows SQLite needs a quarter of the time for that."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, Table
from sqlalchemy.schema import CreateIndex, DropIndex

from fairdeal.infrastructure.readmodels.database import more_memory
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

    def leave_out(self, connection: Connection, projections: Iterable[Projection]) -> None:
        """For now: the tables of these projections are empty, and about to be filled."""
        self._complete_at = None
        for table in _tables_of(projections):
            for index in table.indexes:
                connection.execute(DropIndex(index, if_exists=True))

    def complete(self, connection: Connection, start: int, reached: int) -> None:
        """Makes those that are missing, in the transaction that came from one position to another."""
        if self._complete_at != start:
            with more_memory(connection):
                for table in self._tables:
                    for index in sorted(table.indexes, key=lambda index: str(index.name)):
                        connection.execute(CreateIndex(index, if_not_exists=True))
        self._complete_at = reached


def _tables_of(projections: Iterable[Projection]) -> Sequence[Table]:
    return [table for projection in projections for table in projection.tables if table in ONLY_APPENDED_TO]
