"""The tables of the read models; a change here needs a migration (docs/projections.md)."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from fairdeal.application.log.record import as_moment


class Moment(TypeDecorator[datetime]):
    """A time in UTC; SQLite keeps no time zones, so there it is put back on reading."""

    # The shape of the two methods is SQLAlchemy's, whether they need the dialect or not.

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value if value is None or value.tzinfo is UTC else value.astimezone(UTC)

    def bind_processor(self, dialect: Dialect) -> Any:
        """For SQLite the text that SQLAlchemy would make of it, in a quarter of the time: rows are full of times."""
        return _as_sqlite_keeps_it if dialect.name == "sqlite" else super().bind_processor(dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _as_sqlite_keeps_it(value: datetime | None) -> str | None:
    if value is None:
        return None
    text = as_moment(value if value.tzinfo is UTC else value.astimezone(UTC))
    return f"{text[:10]} {text[11:-1]}"


Position = BigInteger().with_variant(Integer(), "sqlite")
"""On SQLite a key of type INTEGER is the table itself; any other would need an index of its own."""
Plain = JSON().with_variant(JSONB(), "postgresql")
METADATA = MetaData()

POSITIONS = Table(
    "fairdeal_positions",
    METADATA,
    Column("projection", String(100), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("link", String(64)),
)

GAMES = Table(
    "fairdeal_games",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("opened", BigInteger, nullable=False, unique=True),
    Column("kind", String(100), nullable=False),
    Column("opener", String(200), nullable=False),
    Column("options", Plain, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("seed", String(64)),
    Column("opening", String(20)),
    Column("rated", Boolean, nullable=False),
    Column("players", Plain, nullable=False),
    Column("free_seats", Integer, nullable=False),
    Column("phase", String(20), nullable=False),
    Column("turn", Plain, nullable=False),
    Column("winners", Plain, nullable=False),
    Column("scores", Plain, nullable=False),
    Column("reason", String(200)),
    Column("moves", Integer, nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    Column("last_at", Moment, nullable=False),
    Column("version", Integer, nullable=False),
    Column("link", String(64), nullable=False),
    Column("position", BigInteger, nullable=False),
    Index("fairdeal_games_by_kind", "kind", "opened"),
    Index("fairdeal_games_by_phase", "phase", "opened"),
)

SEATS = Table(
    "fairdeal_seats",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(200), nullable=False),
    Column("kind", String(100), nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("result", String(20)),
    Index("fairdeal_seats_by_player", "player", "opened"),
)

TIMELINE = Table(
    "fairdeal_timeline",
    METADATA,
    Column("position", Position, primary_key=True, autoincrement=False),
    Column("game_id", Uuid, nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(100), nullable=False),
    Column("event", String(100), nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", String(200), nullable=False),
    Column("player", String(200), nullable=False),
    Column("line", Text, nullable=False),
    Index("fairdeal_timeline_by_game", "game_id", "version"),
    Index("fairdeal_timeline_by_player", "player", "position"),
    Index("fairdeal_timeline_by_event", "event", "position"),
    Index("fairdeal_timeline_by_time", "at"),
)

STATISTICS = Table(
    "fairdeal_statistics",
    METADATA,
    Column("kind", String(100), primary_key=True),
    Column("player", String(200), primary_key=True),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("abandoned", Integer, nullable=False),
    Column("broken_off", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    Column("moves", BigInteger, nullable=False),
    Column("microseconds", BigInteger, nullable=False),
    Column("last_at", Moment, nullable=False),
    Index("fairdeal_statistics_by_player", "player"),
)

RATINGS = Table(
    "fairdeal_ratings",
    METADATA,
    Column("kind", String(100), primary_key=True),
    Column("player", String(200), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
    Index("fairdeal_ratings_by_rating", "kind", "rating", "player"),
)

RATING_STEPS = Table(
    "fairdeal_rating_steps",
    METADATA,
    Column("kind", String(100), primary_key=True),
    Column("player", String(200), primary_key=True),
    Column("games", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("rating", Double, nullable=False),
    Index("fairdeal_rating_steps_by_player", "player", "at"),
)
"""What every rated game made of a player's rating."""

ONLY_APPENDED_TO = (TIMELINE, RATING_STEPS)
"""Tables that no projection reads while it folds."""

CONDUCT = Table(
    "fairdeal_conduct",
    METADATA,
    Column("player", String(200), primary_key=True),
    Column("tables_closed", Integer, nullable=False),
    Column("tables_undealt", Integer, nullable=False),
    Column("tables_broken_off", Integer, nullable=False),
    Column("seals_kept_shut", Integer, nullable=False),
    Column("seals_used_before", Integer, nullable=False),
)

SEALS = Table(
    "fairdeal_seals",
    METADATA,
    Column("seal", String(64), primary_key=True),
    Column("game_id", Uuid, nullable=False),
    Column("player", String(200), nullable=False),
)
"""Where each seal was used first."""

DEAD_LETTERS = Table(
    "fairdeal_dead_letters",
    METADATA,
    Column("projection", String(100), primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", Uuid, nullable=False),
    Column("version", Integer, nullable=False),
    Column("name", String(200), nullable=False),
    Column("error", Text),
    Column("tries", Integer, nullable=False),
    Column("put_aside_at", Moment, nullable=False),
    Index("fairdeal_dead_letters_by_game", "projection", "game_id", "position"),
)

REBUILDS = Table(
    "fairdeal_rebuilds",
    METADATA,
    Column("projections", String(1000), primary_key=True),
    Column("id", Uuid, nullable=False),
)
