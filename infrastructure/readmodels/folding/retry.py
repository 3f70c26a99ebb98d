"""Dead letters tried again: in the order of their game, as far as it goes."""

from uuid import UUID

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, func, select, update

from fairdeal.application.log.codec import Codec
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.follower import Follower
from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.application.projections.results import Retried
from fairdeal.infrastructure.readmodels.database import Store
from fairdeal.infrastructure.readmodels.folding.dead_letters import Unfoldable, attempt, fold_one
from fairdeal.infrastructure.readmodels.folding.projector import claim
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS


class Retry:
    """Folds what was put aside, now that its cause may be gone. Each game is a transaction of its own."""

    def __init__(self, store: Store, ledger: Ledger, codec: Codec, projections: dict[str, Projection]) -> None:
        self._store = store
        self._ledger = ledger
        self._codec = codec
        self._projections = projections

    def run(self, projection: str | None = None, game: UUID | None = None) -> Retried:
        wanted: list[ColumnElement[bool]] = [DEAD_LETTERS.c.projection.in_(self._projections)]
        if projection is not None:
            wanted.append(DEAD_LETTERS.c.projection == projection)
        if game is not None:
            wanted.append(DEAD_LETTERS.c.game_id == game)
        query = (
            select(DEAD_LETTERS.c.projection, DEAD_LETTERS.c.game_id)
            .where(*wanted)
            .group_by(DEAD_LETTERS.c.projection, DEAD_LETTERS.c.game_id)
        )
        with self._store.writing() as connection:
            # In the order in which they got stuck, which is the order of the ledger.
            stuck = connection.execute(query.order_by(func.min(DEAD_LETTERS.c.position))).all()
        folded = sum(self._one_game(self._projections[name], game_id) for name, game_id in stuck)
        with self._store.writing() as connection:
            left = connection.execute(select(func.count()).select_from(DEAD_LETTERS).where(*wanted)).scalar_one()
        return Retried(folded=folded, left=left)

    def _one_game(self, projection: Projection, game_id: UUID) -> int:
        mine = (DEAD_LETTERS.c.projection == projection.name, DEAD_LETTERS.c.game_id == game_id)
        follower = Follower(self._ledger, self._codec)
        folded = 0
        with self._store.writing() as connection:
            claim(connection, {projection.name: projection})
            query = select(DEAD_LETTERS).where(*mine).order_by(DEAD_LETTERS.c.position)
            for letter in connection.execute(query).mappings().all():
                this = (*mine, DEAD_LETTERS.c.position == letter["position"])
                try:
                    fold_one(connection, projection, self._read(follower, letter))
                except Unfoldable as failure:
                    tries = letter["tries"] + failure.tries
                    connection.execute(update(DEAD_LETTERS).where(*this).values(error=str(failure), tries=tries))
                    break
                connection.execute(delete(DEAD_LETTERS).where(*this))
                folded += 1
        return folded

    def _read(self, follower: Follower, letter: RowMapping) -> PublicEvent:
        def read() -> PublicEvent:
            (public_event,) = follower.follow(self._ledger.since(letter["position"] - 1, 1))
            return public_event

        return attempt(read)


def is_empty(connection: Connection) -> bool:
    return connection.execute(select(DEAD_LETTERS.c.position).limit(1)).first() is None
