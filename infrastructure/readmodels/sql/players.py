"""Questions about players: statistics, ratings, and two of them against each other."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection, RowMapping, and_, case, func, or_, select

from fairdeal.application.projections.filters import RatingsFilter
from fairdeal.application.projections.public_event import Result
from fairdeal.application.projections.results import (
    Conduct,
    Encounters,
    HeadToHead,
    Page,
    Player,
    Rating,
    RatingStep,
    Statistics,
    from_row,
)
from fairdeal.infrastructure.readmodels.tables import CONDUCT, GAMES, RATING_STEPS, RATINGS, SEALS, SEATS, STATISTICS

MOST_STEPS = 500


def player(connection: Connection, name: str) -> Player:
    query = select(STATISTICS).where(STATISTICS.c.player == name).order_by(STATISTICS.c.kind)
    statistics = tuple(statistics_of(row) for row in connection.execute(query).mappings())
    query = select(RATINGS).where(RATINGS.c.player == name).order_by(RATINGS.c.kind)
    ratings = tuple(rating_of(row, _rank(connection, row)) for row in connection.execute(query).mappings().all())
    return Player(
        name=name,
        statistics=statistics,
        ratings=ratings,
        conduct=conduct_of(connection, name),
        rating_steps=steps_of(connection, name),
    )


def steps_of(connection: Connection, name: str) -> tuple[RatingStep, ...]:
    """The newest steps of a player, the oldest of them first."""
    newest = RATING_STEPS.c.at.desc(), RATING_STEPS.c.games.desc()
    query = select(RATING_STEPS).where(RATING_STEPS.c.player == name).order_by(*newest).limit(MOST_STEPS)
    rows = connection.execute(query).mappings().all()
    return tuple(
        RatingStep(kind=row["kind"], games=row["games"], at=row["at"], rating=row["rating"]) for row in reversed(rows)
    )


def conduct_of(connection: Connection, name: str) -> Conduct:
    row = connection.execute(select(CONDUCT).where(CONDUCT.c.player == name)).mappings().first()
    return Conduct() if row is None else from_row(Conduct, row)


def who_sealed_before(connection: Connection, game_id: UUID, seals: Sequence[tuple[str, str]]) -> list[str]:
    """Those whose seals were used at another table before this game."""
    query = select(SEALS.c.seal).where(SEALS.c.seal.in_([seal for _, seal in seals]), SEALS.c.game_id != game_id)
    used = set(connection.execute(query).scalars())
    return [player for player, seal in seals if seal in used]


def statistics_of(row: RowMapping) -> Statistics:
    played = row["won"] + row["drawn"] + row["lost"] + row["abandoned"]
    return Statistics(
        kind=row["kind"],
        player=row["player"],
        played=played,
        won=row["won"],
        drawn=row["drawn"],
        lost=row["lost"],
        abandoned=row["abandoned"],
        broken_off=row["broken_off"],
        streak=row["streak"],
        best_streak=row["best_streak"],
        average_moves=row["moves"] / played if played else 0.0,
        average_seconds=row["microseconds"] / 1_000_000 / played if played else 0.0,
        last_at=row["last_at"],
    )


def ratings(connection: Connection, asked: RatingsFilter) -> Page[Rating]:
    query = select(RATINGS).where(RATINGS.c.kind == asked.kind)
    after = asked.start(int, float, str)
    rank = 0
    if after is not None:
        rank, rating, name = after
        weaker = and_(RATINGS.c.rating == rating, RATINGS.c.player > name)
        query = query.where(or_(RATINGS.c.rating < rating, weaker))
    query = query.order_by(RATINGS.c.rating.desc(), RATINGS.c.player)
    rows = connection.execute(query.limit(asked.limit + 1)).mappings().all()
    items = tuple(rating_of(row, at) for at, row in enumerate(rows[: asked.limit], rank + 1))
    more = len(rows) > asked.limit
    return Page(items=items, next=asked.after(items[-1].rank, items[-1].rating, items[-1].player) if more else None)


def rating_of(row: RowMapping, rank: int) -> Rating:
    return Rating(
        kind=row["kind"],
        player=row["player"],
        rank=rank,
        rating=row["rating"],
        mu=row["mu"],
        sigma=row["sigma"],
        games=row["games"],
        last_at=row["last_at"],
    )


def _rank(connection: Connection, row: RowMapping) -> int:
    columns = RATINGS.c
    ahead = or_(columns.rating > row["rating"], and_(columns.rating == row["rating"], columns.player < row["player"]))
    return connection.execute(select(func.count()).where(columns.kind == row["kind"], ahead)).scalar_one() + 1


def head_to_head(connection: Connection, first: str, second: str, kind: str | None) -> HeadToHead:
    """Games that both played to a result; who won where the other did not is ahead."""
    one, other = SEATS.alias("one"), SEATS.alias("other")
    one_won, other_won = one.c.result == Result.WON, other.c.result == Result.WON
    query = (
        select(
            one.c.kind,
            func.count().label("played"),
            func.sum(case((and_(one_won, ~other_won), 1), else_=0)).label("first_ahead"),
            func.sum(case((and_(other_won, ~one_won), 1), else_=0)).label("second_ahead"),
            func.max(GAMES.c.ended_at, type_=GAMES.c.ended_at.type).label("last_at"),
        )
        .join_from(one, other, one.c.game_id == other.c.game_id)
        .join(GAMES, GAMES.c.id == one.c.game_id)
        .where(one.c.player == first, other.c.player == second, one.c.result != Result.BROKEN_OFF)
        .group_by(one.c.kind)
        .order_by(one.c.kind)
    )
    if kind is not None:
        query = query.where(one.c.kind == kind)
    kinds = tuple(_encounters(row) for row in connection.execute(query).mappings())
    return HeadToHead(first=first, second=second, total=_in_all(kinds), kinds=kinds)


def _encounters(row: RowMapping) -> Encounters:
    return Encounters(
        kind=row["kind"],
        played=row["played"],
        first_ahead=row["first_ahead"],
        second_ahead=row["second_ahead"],
        even=row["played"] - row["first_ahead"] - row["second_ahead"],
        last_at=row["last_at"],
    )


def _in_all(kinds: tuple[Encounters, ...]) -> Encounters:
    return Encounters(
        kind=None,
        played=sum(one.played for one in kinds),
        first_ahead=sum(one.first_ahead for one in kinds),
        second_ahead=sum(one.second_ahead for one in kinds),
        even=sum(one.even for one in kinds),
        last_at=max((one.last_at for one in kinds if one.last_at is not None), default=None),
    )
