"""A rebuild folds everything anew into fresh tables, while the old ones serve, and swaps them in at the end."""

from collections.abc import Callable, Sequence
from uuid import UUID, uuid4

from sqlalchemy import Connection, Table, delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import sort_tables

from fairdeal.application.log.codec import Codec
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.errors import ReadModelsRolledBack
from fairdeal.application.projections.results import Progress
from fairdeal.infrastructure.readmodels.database import Database
from fairdeal.infrastructure.readmodels.folding.late_indexes import LateIndexes
from fairdeal.infrastructure.readmodels.folding.projector import ClaimedPosition, Projector, claim
from fairdeal.infrastructure.readmodels.folding.same_ledger import Followed, followed
from fairdeal.infrastructure.readmodels.folding.staging import Staging, copy_of, staging_for
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.schema import take_turns
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS, POSITIONS, REBUILDS

OnProgress = Callable[[Progress], object]

BOOKKEEPING = (POSITIONS, DEAD_LETTERS)
"""Tables that hold rows of all projections: of these only some rows are exchanged."""


class Rebuild:
    """A rebuild of some projections. Killed, it goes on where it was when called again; several help one another."""

    def __init__(
        self, live: Database, ledger: Ledger, codec: Codec, projections: Sequence[Projection], *, batch: int
    ) -> None:
        self._live = live
        self._ledger = ledger
        self._projections = {projection.name: projection for projection in projections}
        self._tables: list[Table] = sort_tables([table for one in projections for table in one.tables])
        self._key = ",".join(sorted(self._projections))
        self._codec = codec
        self._batch = batch

    def run(self, report: OnProgress, *, resume: bool) -> Progress:
        number, staging = self._begin(resume)
        swapped = False
        try:
            self._prepare(staging)
            progress = self._fold_and_swap(staging, number, report)
            swapped = True
        except DBAPIError:
            with self._live.reading() as connection:
                if _is_listed(connection, number):
                    raise
            # Somebody who was helping has swapped the tables in: all is done.
            head = self._ledger.head()
            progress = Progress(position=head, head=head)
        finally:
            staging.close(swapped=swapped)
        return progress

    def _begin(self, resume: bool) -> tuple[UUID, Staging]:
        """The number of this rebuild, a new one if none is under way, and where it is done."""
        mine = REBUILDS.c.projections == self._key
        dialect = postgresql if self._live.dialect == "postgresql" else sqlite
        with self._live.writing() as connection:
            take_turns(connection)
            if not resume:
                connection.execute(delete(REBUILDS).where(mine))
            new = dialect.insert(REBUILDS).values(projections=self._key, id=uuid4())
            connection.execute(new.on_conflict_do_nothing())
            number: UUID = connection.execute(select(REBUILDS.c.id).where(mine)).scalar_one()
            staging = staging_for(self._live, number, self._tables)
            staging.sweep(connection, list(connection.execute(select(REBUILDS.c.id)).scalars()))
            return number, staging

    def _prepare(self, staging: Staging) -> None:
        """Fresh tables, if this is the beginning."""
        with staging.fresh.writing() as connection:
            staging.make_room(connection)
            for table in (*BOOKKEEPING, *self._tables):
                staging.create(connection, table)

    def _fold_and_swap(self, staging: Staging, number: UUID, report: OnProgress) -> Progress:
        projections = list(self._projections.values())
        indexes = LateIndexes(projections) if staging.fresh.dialect == "postgresql" else None
        projector = Projector(staging.fresh, self._ledger, self._codec, projections, batch=self._batch, indexes=indexes)
        head, reached = self._ledger.head(), 0

        def tell(position: int) -> None:
            report(Progress(position=position, head=max(head, position)))

        while reached < head:
            try:
                reached = projector.catch_up(head, after_each=tell)
            except ReadModelsRolledBack:
                reached = 0  # one that was gone on with, and had followed what no longer is: it begins anew
            head = self._ledger.head()
        with staging.swapping() as connection:
            places = claim(connection, self._projections)
            if _is_listed(connection, number):
                # From here on the live tables stand still: the fresh ones must not be behind them.
                # Where they stand in another ledger is nothing to reach.
                reached = max([reached, *(one.position for one in places if self._is_known(one))])
                reached = projector.catch_up(reached, after_each=tell)
                self._swap(staging, connection, number)
        return Progress(position=reached, head=max(head, reached))

    def _is_known(self, one: ClaimedPosition) -> bool:
        return followed(self._ledger, one.position, one.link) is not Followed.ANOTHER

    def _swap(self, staging: Staging, connection: Connection, number: UUID) -> None:
        for table in reversed(self._tables):
            table.drop(connection)
        for table in self._tables:
            staging.move(connection, table)
        for table in BOOKKEEPING:
            connection.execute(delete(table).where(table.c.projection.in_(self._projections)))
            rows = select(copy_of(table, staging.schema))
            connection.execute(insert(table).from_select(list(table.columns), rows))
        connection.execute(delete(REBUILDS).where(REBUILDS.c.id == number))
        staging.clear(connection)


def _is_listed(connection: Connection, number: UUID) -> bool:
    return connection.execute(select(REBUILDS.c.id).where(REBUILDS.c.id == number)).first() is not None
