"""Folds the ledger exactly once: rows and position go into the database in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from threading import Lock
from time import monotonic, sleep
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import sort_tables

from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import without_cut_batch
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.errors import (
    NewerReadModel,
    NotCaughtUp,
    ReadModelError,
    ReadModelsRolledBack,
)
from fairdeal.application.projections.follower import Follower
from fairdeal.infrastructure.readmodels.database import Store, is_passing, need_not_last
from fairdeal.infrastructure.readmodels.folding.dead_letters import FoldWithDeadLetters
from fairdeal.infrastructure.readmodels.folding.late_indexes import WORTH_IT, LateIndexes
from fairdeal.infrastructure.readmodels.folding.same_ledger import Followed, followed, link_at
from fairdeal.infrastructure.readmodels.projections.base import Projection, in_the_background
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS, POSITIONS

BATCH = 4000
"""Records per transaction at most; a command's records are never torn apart."""
HURRIED_BATCH = 1000
"""For a question that waits: it can look at its clock more often."""
POLITE_BATCH = 100
"""For a thread beside others, who wait for the interpreter while records are read."""
POLITE_PAUSE = 100e-6
"""In seconds: enough for another thread to take the interpreter. Without a pause Python lets a thread go on for 5 ms,
and a command, which has to ask for the interpreter after each statement, would wait several times as long."""


@dataclass(frozen=True, slots=True)
class ClaimedPosition:
    """How far one projection has come."""

    projection: str
    version: int
    position: int
    link: str | None
    """Of the record at that position: by it one knows the ledger. Earlier releases left none."""


class Projector:
    """Brings projections forward. Several, in several processes, may work on the same tables at once."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        codec: Codec,
        projections: Sequence[Projection],
        *,
        batch: int = BATCH,
        indexes: LateIndexes | None = None,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._codec = codec
        self._projections = {projection.name: projection for projection in projections}
        self._batch = batch
        self._follower = Follower(ledger, codec)
        self._fold = FoldWithDeadLetters(self._follower)
        self._indexes = indexes
        self._lock = Lock()

    def catch_up(
        self,
        target: int,
        deadline: float | None = None,
        after_each: Callable[[int], object] | None = None,
        *,
        politely: bool = False,
    ) -> int:
        """Folds until every projection has reached the target; raises NotCaughtUp when time is up.

        `after_each` hears how far it is after each transaction; if it says False, that is far enough. Who folds
        `politely` lets other threads of this process go first, and takes longer for that.
        """
        reached = 0
        in_bulk = deadline is None and not politely
        limit = POLITE_BATCH if politely else BATCH if in_bulk else HURRIED_BATCH
        while True:
            wait = -1 if deadline is None else max(0.0, deadline - monotonic())
            if not self._lock.acquire(timeout=wait):
                raise NotCaughtUp(reached, target)
            try:
                self._fold.give_way = _give_way if politely else None
                reached = self._step(target, deadline, min(limit, self._batch), in_bulk=in_bulk)
            except DBAPIError as error:
                if deadline is None or not is_passing(error):
                    raise
                sleep(0.01)
            finally:
                self._lock.release()
            if after_each is not None and after_each(reached) is False:
                return reached
            if reached >= target:
                return reached
            if deadline is not None and monotonic() > deadline:
                raise NotCaughtUp(reached, target)

    def _step(self, target: int, deadline: float | None, limit: int, *, in_bulk: bool) -> int:
        """One transaction: those furthest behind go one batch forward. Answers how far all are then."""
        with self._store.writing(deadline) as connection:
            need_not_last(connection)
            if self._fold.give_way is not None:
                in_the_background(connection, self._fold.give_way)
            claimed = claim(connection, self._projections)
            # Most often all have come to the same record: the ledger is asked for it once.
            known = {place: self._shows(*place) for place in {(one.position, one.link) for one in claimed}}
            strangers = [one for one in claimed if not known[one.position, one.link]]
            if not strangers:
                self._note_links(connection, claimed)
                return self._go_on(connection, claimed, target, limit, in_bulk=in_bulk)
            for one in strangers:
                begin_anew(connection, self._projections[one.projection])
        # In what it remembers there are games as the ledger no longer has them.
        self._follower = Follower(self._ledger, self._codec)
        self._fold = FoldWithDeadLetters(self._follower)
        raise ReadModelsRolledBack([one.projection for one in strangers], max(one.position for one in strangers))

    def _shows(self, position: int, link: str | None) -> bool:
        """Whether the ledger still holds the record to which somebody has come."""
        return followed(self._ledger, position, link) is not Followed.ANOTHER

    def _note_links(self, connection: Connection, claimed: Sequence[ClaimedPosition]) -> None:
        """Beside positions that earlier releases have left without."""
        for one in claimed:
            if one.link is None and one.position:
                mine = POSITIONS.c.projection == one.projection
                connection.execute(update(POSITIONS).where(mine).values(link=link_at(self._ledger, one.position)))

    def _go_on(
        self, connection: Connection, claimed: Sequence[ClaimedPosition], target: int, limit: int, *, in_bulk: bool
    ) -> int:
        start = min(one.position for one in claimed)
        if start >= target:
            return start
        behind = [one for one in claimed if one.position == start]
        others = [one.position for one in claimed if one.position > start]
        chosen = [self._projections[one.projection] for one in behind]
        is_worth_it = in_bulk and start == 0 and target >= WORTH_IT
        if self._indexes and is_worth_it and self._indexes.leave_out(connection, chosen):
            return start
        records = self._next(start, min(others, default=None), limit)
        self._fold.fold(connection, chosen, records)
        reached, last = records[-1]
        if self._indexes and reached >= target:
            self._indexes.complete(connection, start, reached)
        advance(connection, behind, reached, last.link.hex())
        return min([reached, *others])

    def _next(self, start: int, stop: int | None, limit: int) -> Sequence[tuple[int, Record]]:
        """The next records, whole commands only, not beyond where other projections stand."""
        while True:
            found = self._ledger.since(start, limit)
            if found and found[0][0] <= start:  # a record that comes a second time was folded already
                found = list(dropwhile(lambda one: one[0] <= start, found))
            if not found:
                raise LedgerError(f"The ledger has nothing after position {start}, though it had before.")
            if stop is not None and found[-1][0] >= stop:
                return [(position, record) for position, record in found if position <= stop]
            if len(found) < limit:
                return found
            whole = without_cut_batch(found, self._codec)
            if whole:
                return whole
            limit *= 2


def _give_way() -> None:
    sleep(POLITE_PAUSE)


def claim(connection: Connection, projections: dict[str, Projection]) -> list[ClaimedPosition]:
    """The positions, locked until the end of the transaction; new projections begin at 0."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    rows = [{"projection": one.name, "version": one.version, "position": 0} for one in projections.values()]
    mine = POSITIONS.c.projection.in_(projections)
    query = select(POSITIONS).where(mine).order_by(POSITIONS.c.projection).with_for_update()
    if connection.dialect.name == "sqlite":
        # Whatever engine this is: from here on nobody else writes.
        connection.execute(update(POSITIONS).where(mine).values(position=POSITIONS.c.position))
    claimed = [_claimed(row) for row in connection.execute(query)]
    if len(claimed) < len(projections):
        connection.execute(insert(POSITIONS).on_conflict_do_nothing(), rows)
        claimed = [_claimed(row) for row in connection.execute(query)]
    return [_of_this_version(connection, one, projections[one.projection]) for one in claimed]


def _claimed(row: Row[Any]) -> ClaimedPosition:
    return ClaimedPosition(row.projection, row.version, row.position, row.link)


def _of_this_version(connection: Connection, one: ClaimedPosition, projection: Projection) -> ClaimedPosition:
    if one.version > projection.version:
        raise NewerReadModel(
            f"Projection {one.projection!r} is kept by a newer program (version {one.version}, "
            f"here {projection.version})."
        )
    if one.version == projection.version:
        return one
    return begin_anew(connection, projection)


def begin_anew(connection: Connection, projection: Projection) -> ClaimedPosition:
    """Empties the tables of a projection: it is folded from the beginning."""
    for table in reversed(sort_tables(projection.tables)):
        connection.execute(delete(table))
    connection.execute(delete(DEAD_LETTERS).where(DEAD_LETTERS.c.projection == projection.name))
    mine = POSITIONS.c.projection == projection.name
    connection.execute(update(POSITIONS).where(mine).values(version=projection.version, position=0, link=None))
    return ClaimedPosition(projection.name, projection.version, 0, None)


def advance(connection: Connection, claimed: Sequence[ClaimedPosition], position: int, link: str) -> None:
    """Moves on only from where they stood: whoever else moved them makes this transaction void."""
    names = [one.projection for one in claimed]
    moved = connection.execute(
        update(POSITIONS)
        .where(POSITIONS.c.projection.in_(names), POSITIONS.c.position == claimed[0].position)
        .values(position=position, link=link)
    )
    if moved.rowcount != len(claimed):
        raise ReadModelError("A position was moved by somebody else meanwhile; nothing was folded.")
