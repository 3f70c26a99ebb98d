"""Statistics, ratings, dead letters and rebuilds; what is new here is folded from the beginning."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "fairdeal_statistics",
        sa.Column("kind", sa.String(100), primary_key=True),
        sa.Column("player", sa.String(200), primary_key=True),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("abandoned", sa.Integer, nullable=False),
        sa.Column("broken_off", sa.Integer, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("best_streak", sa.Integer, nullable=False),
        sa.Column("moves", sa.BigInteger, nullable=False),
        sa.Column("microseconds", sa.BigInteger, nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
    )
    op.create_index("fairdeal_statistics_by_player", "fairdeal_statistics", ["player"])
    op.create_table(
        "fairdeal_ratings",
        sa.Column("kind", sa.String(100), primary_key=True),
        sa.Column("player", sa.String(200), primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
    )
    op.create_index("fairdeal_ratings_by_rating", "fairdeal_ratings", ["kind", "rating", "player"])
    op.create_table(
        "fairdeal_dead_letters",
        sa.Column("projection", sa.String(100), primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game_id", sa.Uuid, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("put_aside_at", MOMENT, nullable=False),
    )
    op.create_index("fairdeal_dead_letters_by_game", "fairdeal_dead_letters", ["projection", "game_id", "position"])
    op.create_table(
        "fairdeal_rebuilds",
        sa.Column("projections", sa.String(1000), primary_key=True),
        sa.Column("id", sa.Uuid, nullable=False),
    )
