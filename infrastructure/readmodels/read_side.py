"""The read side of Fairdeal: tables that follow the ledger, and all one can ask and do with them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import TypeVar, cast
from uuid import UUID

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from fairdeal.application.errors import FieldFault, InvalidQuery
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.errors import ReadModelError
from fairdeal.application.projections.filters import must_be_an_id
from fairdeal.application.projections.results import Progress, Retried
from fairdeal.domain.kernel.refusals import quoted
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.readmodels.beside import beside
from fairdeal.infrastructure.readmodels.database import Database, open_database, said
from fairdeal.infrastructure.readmodels.folding.late_indexes import LateIndexes
from fairdeal.infrastructure.readmodels.folding.projector import BATCH, Projector
from fairdeal.infrastructure.readmodels.folding.rebuild import Rebuild
from fairdeal.infrastructure.readmodels.folding.retry import Retry, is_empty
from fairdeal.infrastructure.readmodels.folding.runner import Runner
from fairdeal.infrastructure.readmodels.freshness import PATIENCE, Freshness, FreshTables
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.projections.conduct import PlayersConduct
from fairdeal.infrastructure.readmodels.projections.games import Games
from fairdeal.infrastructure.readmodels.projections.ratings import Ratings
from fairdeal.infrastructure.readmodels.projections.statistics import PlayerStatistics
from fairdeal.infrastructure.readmodels.projections.timeline import Timeline
from fairdeal.infrastructure.readmodels.questions import Questions
from fairdeal.infrastructure.readmodels.schema import bring_up_to_date
from fairdeal.infrastructure.wakeup import wakeup_for

T = TypeVar("T")


def built_in() -> tuple[Projection, ...]:
    """The projections that every Fairdeal has."""
    return Games(), Timeline(), PlayerStatistics(), Ratings(), PlayersConduct()


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
        except BaseException as error:
            self.database.close()
            if isinstance(error, SQLAlchemyError | UnicodeError):
                raise ReadModelError(f"The read models cannot be opened: {said(error)}.") from error
            raise
        self._address = address
        self._ledger = ledger
        self._codec = codec
        self._batch = batch
        self._runners: list[Runner] = []
        indexes = LateIndexes(self.projections)
        self._projector = Projector(self.database, ledger, codec, self.projections, batch=batch, indexes=indexes)
        super().__init__(
            FreshTables(self.database, ledger, self._projector, self.projections), games, Freshness(within=PATIENCE)
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
        return self._guarded(lambda: self._projector.catch_up(self._ledger.head(), deadline))

    def progress(self) -> Progress:
        """How far the tables have come, and how far the ledger is."""
        return self._guarded(self._progress)

    def _progress(self) -> Progress:
        head = self._ledger.head()
        with self.database.reading() as connection:
            return Progress(position=self._source.position(connection), head=head)

    def runner(self) -> Runner:
        """A runner for this thread to `run`: it keeps the tables fresh until it is stopped."""
        return Runner(self._projector, self._ledger, wakeup_for(self._address), first=self._retry_all)

    def start_runner(self) -> Runner:
        """A runner in a thread of its own; it ends when it is stopped or the read side is closed."""
        runner = self.runner().start()
        self._runners.append(runner)
        return runner

    def rebuild(
        self,
        *,
        only: Sequence[str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        resume: bool = True,
    ) -> Progress:
        """Folds everything anew into fresh tables while the old ones serve, then swaps them in.

        One that was broken off is gone on with, unless `resume` is False. `progress` hears how far it is.
        """
        if only is not None:
            _must_all_be_known(only, self.projections)
        chosen = [one for one in self.projections if only is None or one.name in only]
        work = Rebuild(self.database, self._ledger, self._codec, chosen, batch=self._batch)
        return self._guarded(lambda: work.run(progress or _no_progress, resume=resume))

    def retry_dead_letters(self, *, projection: str | None = None, game: UUID | None = None) -> Retried:
        """Tries to fold what was put aside, game by game, in order, as far as it goes."""
        if projection is not None:
            _must_all_be_known((projection,), self.projections)
        if game is not None:
            game = must_be_an_id("game", game)
        by_name = {one.name: one for one in self.projections}
        retry = Retry(self.database, self._ledger, self._codec, by_name)
        return self._guarded(lambda: retry.run(projection, game))

    def _retry_all(self) -> None:
        with self.database.reading() as connection:
            if is_empty(connection):
                return
        self.retry_dead_letters()

    def _guarded(self, act: Callable[[], T]) -> T:
        try:
            return act()
        except SQLAlchemyError as error:
            raise ReadModelError(f"The read models cannot be written: {said(error)}.") from error

    def close(self) -> None:
        for runner in self._runners:
            runner.stop()
        self.database.close()


def _no_progress(_: Progress) -> None:
    """For rebuilds without a progress bar."""


def _must_all_be_known(names: object, projections: Sequence[Projection]) -> None:
    if not names or not isinstance(names, list | tuple | set | frozenset):
        raise InvalidQuery([FieldFault("projection", "expected a list with at least one name")])
    known = [projection.name for projection in projections]
    for name in cast("Collection[object]", names):
        if name not in known:
            raise InvalidQuery([FieldFault("projection", f"there is no projection {quoted(name)}")])


def _must_have_names_of_their_own(projections: Sequence[Projection]) -> None:
    for one in projections:
        if not isinstance(one, Projection):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ReadModelError(f"{quoted(one)} is not a projection.")
    names = [projection.name for projection in projections]
    for name in names:
        if names.count(name) > 1:
            raise ReadModelError(f"Two projections are called {name!r}.")
