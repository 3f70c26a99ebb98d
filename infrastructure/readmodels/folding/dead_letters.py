"""Dead letters: an event that cannot be folded is put aside, its game waits, all others go on."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from time import sleep
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Connection, insert, select

from fairdeal.application.errors import DamagedRecord, LedgerError, UnknownEvent, UnknownKind
from fairdeal.application.log.record import Record
from fairdeal.application.projections.follower import Follower
from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.readmodels.database import is_passing
from fairdeal.infrastructure.readmodels.projections.base import Projection, chunks
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS

PAUSES = (0.0, 0.01)
"""Before an event is put aside it is tried again after each of these pauses, in seconds."""

MOST_CHARACTERS = 1000
FEW = 10
"""So many records are followed before others get the interpreter."""

T = TypeVar("T")


class FoldWithDeadLetters:
    """Folds records into projections and sorts out those that cannot be folded."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self.give_way: Callable[[], object] | None = None
        """Called between a few records and the next, by who folds beside others."""

    def fold(
        self, connection: Connection, projections: Sequence[Projection], records: Sequence[tuple[int, Record]]
    ) -> None:
        waiting = _waiting(connection, projections, records)
        events = None if any(waiting.values()) else self._follow_all(projections, records)
        if events is None:
            events = self._follow_each(connection, projections, records, waiting)
        for projection in projections:
            if events[projection.name]:
                fold_all(connection, projection, events[projection.name], records)

    def _follow_all(
        self, projections: Sequence[Projection], records: Sequence[tuple[int, Record]]
    ) -> dict[str, list[PublicEvent]] | None:
        """What happened; None if something is wrong with one of the records."""
        follow, give_way = self._follower.follow, self.give_way
        step = len(records) if give_way is None else FEW
        events: list[PublicEvent] = []
        try:
            for start in range(0, len(records), step):
                events += follow(records[start : start + step])
                if give_way is not None:
                    give_way()
        except Exception as error:
            if _is_not_the_events_fault(error):
                raise
            return None
        return {projection.name: events for projection in projections}

    def _follow_each(
        self,
        connection: Connection,
        projections: Sequence[Projection],
        records: Sequence[tuple[int, Record]],
        waiting: dict[str, set[UUID]],
    ) -> dict[str, list[PublicEvent]]:
        """What happened, without the records that cannot be read and those that wait for such a one."""
        events: dict[str, list[PublicEvent]] = {projection.name: [] for projection in projections}
        for position, record in records:
            free = self._those_not_waiting(connection, projections, waiting, position, record)
            if not free:
                continue
            try:
                (one,) = attempt(partial(self._follower.follow, ((position, record),)))
            except Unfoldable as failure:
                for projection in free:
                    waiting[projection.name].add(record.game_id)
                    put_aside(connection, projection, position, record, failure)
                continue
            for projection in free:
                events[projection.name].append(one)
        return events

    def _those_not_waiting(
        self,
        connection: Connection,
        projections: Sequence[Projection],
        waiting: dict[str, set[UUID]],
        position: int,
        record: Record,
    ) -> Sequence[Projection]:
        free: list[Projection] = []
        for projection in projections:
            if record.game_id in waiting[projection.name]:
                put_aside(connection, projection, position, record, None)
            else:
                free.append(projection)
        return free


class Unfoldable(Exception):
    """An event that failed every time."""

    def __init__(self, why: str, tries: int) -> None:
        super().__init__(why)
        self.tries = tries


def fold_all(
    connection: Connection,
    projection: Projection,
    events: Sequence[PublicEvent],
    records: Sequence[tuple[int, Record]],
) -> None:
    """All at once; if that fails, one by one, so that only the guilty ones are put aside."""
    try:
        with connection.begin_nested():
            projection.fold(connection, events)
        return
    except Exception as error:
        if _is_not_the_events_fault(error):
            raise
    waiting: set[UUID] = set()
    by_position = dict(records)
    for one in events:
        failure = None
        if one.game_id not in waiting:
            try:
                fold_one(connection, projection, one)
                continue
            except Unfoldable as error:
                failure = error
                waiting.add(one.game_id)
        put_aside(connection, projection, one.position, by_position[one.position], failure)


def fold_one(connection: Connection, projection: Projection, one: PublicEvent) -> None:
    def fold() -> None:
        with connection.begin_nested():
            projection.fold(connection, (one,))

    # A projection knows only what a spectator may know, and so does what it says.
    attempt(fold, describe=lambda error: f"{type(error).__name__}: {error}"[:MOST_CHARACTERS])


def describe_discreetly(error: Exception) -> str:
    """What went wrong and where, but nothing that may quote a hidden card."""
    if isinstance(error, DamagedRecord):
        return f"Record {error.version} of game {error.game_id} is damaged; run an audit."
    if isinstance(error, FairdealError):
        return error.message
    frame: Any = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = "" if frame is None else f" in {frame.tb_frame.f_code.co_name}, line {frame.tb_lineno}"
    return f"{type(error).__name__}{where}"


def attempt(act: Callable[[], T], describe: Callable[[Exception], str] = describe_discreetly) -> T:
    """Tries a few times, because some things pass; raises Unfoldable when this one does not."""
    for pause in PAUSES:
        try:
            return act()
        except Exception as error:
            if _is_not_the_events_fault(error):
                raise
            sleep(pause)
    try:
        return act()
    except Exception as error:
        if _is_not_the_events_fault(error):
            raise
        raise Unfoldable(describe(error), len(PAUSES) + 1) from error


def _is_not_the_events_fault(error: Exception) -> bool:
    """Databases that are away or busy, and kinds that only others know: the whole transaction is tried again later."""
    if isinstance(error, UnknownKind):
        return True  # put aside, its games would be missing for those who know the kind, too
    if isinstance(error, LedgerError):
        return not isinstance(error, DamagedRecord | UnknownEvent)
    return is_passing(error)


def put_aside(
    connection: Connection, projection: Projection, position: int, record: Record, failure: Unfoldable | None
) -> None:
    """Without a failure of its own the event only waits for an earlier one of its game."""
    connection.execute(
        insert(DEAD_LETTERS).values(
            projection=projection.name,
            position=position,
            game_id=record.game_id,
            version=record.version,
            name=record.name,
            error=None if failure is None else str(failure),
            tries=0 if failure is None else failure.tries,
            put_aside_at=datetime.now(UTC),
        )
    )


def _waiting(
    connection: Connection, projections: Sequence[Projection], records: Sequence[tuple[int, Record]]
) -> dict[str, set[UUID]]:
    """For each projection the games of which something was put aside."""
    waiting: dict[str, set[UUID]] = {projection.name: set() for projection in projections}
    if connection.execute(select(DEAD_LETTERS.c.position).limit(1)).first() is None:
        return waiting
    for some in chunks({record.game_id for _, record in records}):
        query = select(DEAD_LETTERS.c.projection, DEAD_LETTERS.c.game_id).distinct()
        for row in connection.execute(query.where(DEAD_LETTERS.c.game_id.in_(some))):
            if row.projection in waiting:
                waiting[row.projection].add(row.game_id)
    return waiting
