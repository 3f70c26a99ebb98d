"""The questions as SQL: every list in a stable order, page by page."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, cast, func, or_, select
from sqlalchemy.dialects.postgresql import JSONB

from fairdeal.application.projections.filters import (
    Filter,
    GamesFilter,
    LettersFilter,
    OpenGamesFilter,
    PlayedFilter,
    TimelineFilter,
)
from fairdeal.application.projections.public_event import Result
from fairdeal.application.projections.results import (
    DeadLetter,
    GameSummary,
    Page,
    PlayedGame,
    TimelineEntry,
    from_row,
    names_of,
)
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.infrastructure.readmodels.tables import DEAD_LETTERS, GAMES, SEATS, TIMELINE

GAME_COLUMNS = [GAMES.c[name] for name in names_of(GameSummary)]
TIMELINE_COLUMNS = [TIMELINE.c[name] for name in names_of(TimelineEntry)]
LETTER_COLUMNS = [DEAD_LETTERS.c[name] for name in names_of(DeadLetter)]

AnySelect = Select[*tuple[Any, ...]]


def _some(connection: Connection, asked: Filter, query: AnySelect) -> Sequence[RowMapping]:
    """One row more than asked for, to know whether there is a next page."""
    return connection.execute(query.limit(asked.limit + 1)).mappings().all()


def games(connection: Connection, asked: GamesFilter) -> Page[GameSummary]:
    query: AnySelect = select(*GAME_COLUMNS, GAMES.c.opened)
    if asked.kind is not None:
        query = query.where(GAMES.c.kind == asked.kind)
    if asked.phase is not None:
        query = query.where(GAMES.c.phase == asked.phase)
    for player in {asked.player, asked.turn_of} - {None}:
        query = query.where(GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player == player)))
    if asked.turn_of is not None:
        query = query.where(_has_to_act(connection, asked.turn_of))
    query = _between(query, GAMES.c.opened_at, asked)
    return _page_of_games(connection, asked, query)


def game(connection: Connection, game_id: UUID) -> GameSummary | None:
    row = connection.execute(select(*GAME_COLUMNS).where(GAMES.c.id == game_id)).mappings().first()
    return None if row is None else game_of(row)


def open_games(connection: Connection, asked: OpenGamesFilter) -> Page[GameSummary]:
    query: AnySelect = select(*GAME_COLUMNS, GAMES.c.opened)
    query = query.where(GAMES.c.phase == Phase.LOBBY, GAMES.c.free_seats > 0)
    if asked.kind is not None:
        query = query.where(GAMES.c.kind == asked.kind)
    if asked.without is not None:
        query = query.where(GAMES.c.id.not_in(select(SEATS.c.game_id).where(SEATS.c.player == asked.without)))
    return _page_of_games(connection, asked, query)


def _page_of_games(connection: Connection, asked: GamesFilter | OpenGamesFilter, query: AnySelect) -> Page[GameSummary]:
    after = asked.start(int)
    if after is not None:
        query = query.where(GAMES.c.opened < after[0])
    rows = _some(connection, asked, query.order_by(GAMES.c.opened.desc()))
    return Page(
        items=tuple(game_of(row) for row in rows[: asked.limit]),
        next=asked.after(rows[asked.limit - 1]["opened"]) if len(rows) > asked.limit else None,
    )


def played(connection: Connection, asked: PlayedFilter) -> Page[PlayedGame]:
    query: AnySelect = select(*GAME_COLUMNS, SEATS.c.opened, SEATS.c.seat, SEATS.c.result)
    query = query.join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id).where(SEATS.c.player == asked.player)
    if asked.kind is not None:
        query = query.where(SEATS.c.kind == asked.kind)
    if asked.phase is not None:
        query = query.where(GAMES.c.phase == asked.phase)
    after = asked.start(int)
    if after is not None:
        query = query.where(SEATS.c.opened < after[0])
    rows = _some(connection, asked, query.order_by(SEATS.c.opened.desc()))
    return Page(
        items=tuple(
            PlayedGame(game=game_of(row), seat=row["seat"], result=_result(row["result"]))
            for row in rows[: asked.limit]
        ),
        next=asked.after(rows[asked.limit - 1]["opened"]) if len(rows) > asked.limit else None,
    )


def game_of(row: RowMapping) -> GameSummary:
    return from_row(GameSummary, row)


def _result(stored: str | None) -> Result | None:
    return None if stored is None else Result(stored)


def _has_to_act(connection: Connection, player: str) -> ColumnElement[bool]:
    if connection.dialect.name == "postgresql":
        return cast(GAMES.c.turn, JSONB).contains([player])
    waited_for = func.json_each(GAMES.c.turn).table_valued("value")
    return select(waited_for.c.value).where(waited_for.c.value == player).exists()


def timeline(connection: Connection, asked: TimelineFilter) -> Page[TimelineEntry]:
    query: AnySelect = select(*TIMELINE_COLUMNS)
    equal = {
        TIMELINE.c.game_id: asked.game,
        TIMELINE.c.kind: asked.kind,
        TIMELINE.c.event: asked.event,
        TIMELINE.c.player: asked.player,
        TIMELINE.c.by: asked.by,
    }
    for column, value in equal.items():
        if value is not None:
            query = query.where(column == value)
    if asked.table_of is not None:
        query = query.where(TIMELINE.c.game_id.in_(select(SEATS.c.game_id).where(SEATS.c.player == asked.table_of)))
    if asked.text is not None:
        query = query.where(TIMELINE.c.line.icontains(asked.text, autoescape=True))
    query = _between(query, TIMELINE.c.at, asked)
    after = asked.start(int)
    position = TIMELINE.c.position
    if after is not None:
        query = query.where(position > after[0] if asked.oldest_first else position < after[0])
    query = query.order_by(position if asked.oldest_first else position.desc())
    rows = _some(connection, asked, query)
    items = tuple(from_row(TimelineEntry, row) for row in rows[: asked.limit])
    return Page(items=items, next=asked.after(items[-1].position) if len(rows) > asked.limit else None)


def _between(query: AnySelect, column: Any, asked: GamesFilter | TimelineFilter) -> AnySelect:
    if asked.since is not None:
        query = query.where(column >= asked.since)
    if asked.until is not None:
        query = query.where(column < asked.until)
    return query


def dead_letters(connection: Connection, asked: LettersFilter) -> Page[DeadLetter]:
    query: AnySelect = select(*LETTER_COLUMNS)
    if asked.projection is not None:
        query = query.where(DEAD_LETTERS.c.projection == asked.projection)
    if asked.game is not None:
        query = query.where(DEAD_LETTERS.c.game_id == asked.game)
    after = asked.start(int, str)
    if after is not None:
        at, name = after
        letters = DEAD_LETTERS.c
        query = query.where(or_(letters.position > at, and_(letters.position == at, letters.projection > name)))
    query = query.order_by(DEAD_LETTERS.c.position, DEAD_LETTERS.c.projection)
    rows = _some(connection, asked, query)
    items = tuple(from_row(DeadLetter, row) for row in rows[: asked.limit])
    more = len(rows) > asked.limit
    return Page(items=items, next=asked.after(items[-1].position, items[-1].projection) if more else None)
