"""The read side of Fairdeal: tables that follow the ledger, and all one can ask and do with them."""

from collections.abc import Mapping, Sequence
from time import monotonic

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from fairdeal.application.ports import Codec, Ledger
from fairdeal.application.projections.errors import ReadModelError
from fairdeal.application.projections.results import Progress
from fairdeal.application.records import Receipt
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.readmodels.database import Database, beside, open_database
from fairdeal.infrastructure.readmodels.freshness import PATIENCE, Freshness, Source
from fairdeal.infrastructure.readmodels.games import Games
from fairdeal.infrastructure.readmodels.projection import Projection
from fairdeal.infrastructure.readmodels.projector import BATCH, Projector
from fairdeal.infrastructure.readmodels.questions import Questions
from fairdeal.infrastructure.readmodels.ratings import Ratings
from fairdeal.infrastructure.readmodels.schema import bring_up_to_date
from fairdeal.infrastructure.readmodels.statistics import PlayerStatistics
from fairdeal.infrastructure.readmodels.timeline import Timeline


def built_in() -> tuple[Projection, ...]:
    """The projections that every Fairdeal has."""
    return Games(), Timeline(), PlayerStatistics(), Ratings()


class ReadSide(Questions):
    """Safe to share between threads; any number of them, in any number of processes, may use one database."""

    def __init__(
        self,
        ledger: Ledger,
        codec: Codec,
        games: Mapping[str, AnyRules],
        *,
        address: str,
        where: str | Engine | None = None,
        projections: Sequence[Projection] = (),
        batch: int = BATCH,
    ) -> None:
        self.projections = (*built_in(), *projections)
        _must_have_names_of_their_own(self.projections)
        self.database: Database = open_database(beside(address) if where is None else where)
        try:
            bring_up_to_date(self.database, self.projections)
        except SQLAlchemyError as error:
            raise ReadModelError(f"The read models cannot be opened: {error}") from error
        self._ledger = ledger
        self._codec = codec
        self._projector = Projector(self.database, ledger, codec, self.projections, batch=batch)
        super().__init__(
            Source(self.database, ledger, self._projector, self.projections), games, Freshness(within=PATIENCE)
        )

    def after(self, receipt: Receipt, *, within: float = PATIENCE) -> Questions:
        """Questions whose answers hold what the receipt is for, and may hold more."""
        return Questions(self._source, self._kinds, Freshness(within, receipt))

    def within(self, seconds: float) -> Questions:
        """Questions that hold all that is in the ledger, with a time limit of one's own."""
        return Questions(self._source, self._kinds, Freshness(seconds))

    def as_it_stands(self) -> Questions:
        """Questions that are answered at once from what was folded so far."""
        return Questions(self._source, self._kinds, Freshness(None))

    def catch_up(self, *, within: float | None = None) -> int:
        """Folds all that is in the ledger now; answers the position reached."""
        deadline = None if within is None else monotonic() + within
        return self._projector.catch_up(self._ledger.head(), deadline)

    def progress(self) -> Progress:
        """How far the tables have come, and how far the ledger is."""
        head = self._ledger.head()
        with self.database.reading() as connection:
            return Progress(position=self._source.position(connection), head=head)

    def close(self) -> None:
        self.database.close()


def _must_have_names_of_their_own(projections: Sequence[Projection]) -> None:
    names = [projection.name for projection in projections]
    for name in names:
        if names.count(name) > 1:
            raise ReadModelError(f"Two projections are called {name!r}.")
