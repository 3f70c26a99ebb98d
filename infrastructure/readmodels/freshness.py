"""How fresh an answer must be: what a caller has seen already, or all that is in the ledger now."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from fairdeal.application.errors import UnknownGame
from fairdeal.application.log.record import Receipt
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.errors import NewerReadModel, NotCaughtUp, ReadModelError
from fairdeal.infrastructure.readmodels.database import Database, said
from fairdeal.infrastructure.readmodels.folding.projector import Projector
from fairdeal.infrastructure.readmodels.folding.same_ledger import Followed, followed
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS, GAMES, POSITIONS

PATIENCE = 5.0
"""Seconds that a question waits for the read models to catch up."""
LOOK_SECONDS = 0.02
"""So often a question looks at a standby that is not there yet."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """Up to a receipt, or up to the head; `within` seconds, or None to take the tables as they stand."""

    within: float | None = PATIENCE
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class FreshTables:
    """Where answers come from."""

    database: Database
    ledger: Ledger
    projector: Projector
    projections: Sequence[Projection]

    @contextmanager
    def at(self, freshness: Freshness) -> Generator[Connection]:
        """A connection that sees one moment of the tables, fresh enough."""
        try:
            with ExitStack() as open_now:
                connection = open_now.enter_context(self.database.reading())
                if freshness.within is not None and not self._is_fresh(connection, freshness.receipt):
                    is_standby = self.database.is_standby(connection)
                    open_now.close()
                    deadline = monotonic() + freshness.within
                    if is_standby:
                        self._wait_for_others(freshness.receipt, deadline)
                    else:
                        self.projector.catch_up(self.ledger.head(), deadline)
                    connection = open_now.enter_context(self.database.reading())
                    _must_know(connection, freshness.receipt)
                yield connection
        except SQLAlchemyError as error:
            raise ReadModelError(f"The read models cannot be read: {said(error)}.") from error

    def position(self, connection: Connection) -> int:
        """How far all projections have come."""
        return self._reached(connection)[0]

    def _reached(self, connection: Connection) -> tuple[int, str | None]:
        """How far all projections have come, and the link of the record there."""
        here = {one.name: one.version for one in self.projections}
        places = {row.projection: row for row in connection.execute(select(POSITIONS))}
        for name, version in here.items():
            if name in places and places[name].version > version:
                raise NewerReadModel(f"Projection {name!r} is kept by a newer program.")
        if any(name not in places or places[name].version < version for name, version in here.items()):
            return 0, None
        return min(((places[name].position, places[name].link) for name in here), key=lambda place: place[0])

    def _wait_for_others(self, receipt: Receipt | None, deadline: float) -> None:
        """Nobody can fold on a standby: what a runner folds on its primary arrives there."""
        while True:
            with self.database.reading() as connection:
                if self._is_fresh(connection, receipt):
                    return
                reached = self.position(connection)
            if monotonic() > deadline:
                raise NotCaughtUp(reached, self.ledger.head())
            sleep(LOOK_SECONDS)

    def _is_fresh(self, connection: Connection, receipt: Receipt | None) -> bool:
        position, link = self._reached(connection)
        shown = followed(self.ledger, position, link)
        if receipt is None or shown is Followed.ANOTHER:
            return shown is Followed.ALL
        query = select(GAMES.c.version, GAMES.c.position).where(GAMES.c.id == receipt.game_id)
        found = connection.execute(query).first()
        return found is not None and found.version >= receipt.version and position >= found.position


def _must_know(connection: Connection, receipt: Receipt | None) -> None:
    if receipt is None:
        return
    for column in (GAMES.c.id, DEAD_LETTERS.c.game_id):
        if connection.execute(select(column).where(column == receipt.game_id).limit(1)).first() is not None:
            return
    raise UnknownGame(receipt.game_id)
