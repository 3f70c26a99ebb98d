"""Games, seats and the timeline, with the positions of their projections."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)
POSITION = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PLAIN = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "fairdeal_positions",
        sa.Column("projection", sa.String(100), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "fairdeal_games",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("opened", sa.BigInteger, nullable=False, unique=True),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("opener", sa.String(200), nullable=False),
        sa.Column("options", PLAIN, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("seed", sa.String(64)),
        sa.Column("opening", sa.String(20)),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("players", PLAIN, nullable=False),
        sa.Column("free_seats", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(20), nullable=False),
        sa.Column("turn", PLAIN, nullable=False),
        sa.Column("winners", PLAIN, nullable=False),
        sa.Column("scores", PLAIN, nullable=False),
        sa.Column("reason", sa.String(200)),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("opened_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT),
        sa.Column("ended_at", MOMENT),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("link", sa.String(64), nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
    )
    op.create_index("fairdeal_games_by_kind", "fairdeal_games", ["kind", "opened"])
    op.create_index("fairdeal_games_by_phase", "fairdeal_games", ["phase", "opened"])
    op.create_table(
        "fairdeal_seats",
        sa.Column("game_id", sa.Uuid, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("result", sa.String(20)),
    )
    op.create_index("fairdeal_seats_by_player", "fairdeal_seats", ["player", "opened"])
    op.create_table(
        "fairdeal_timeline",
        sa.Column("position", POSITION, primary_key=True, autoincrement=False),
        sa.Column("game_id", sa.Uuid, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("event", sa.String(100), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("by", sa.String(200), nullable=False),
        sa.Column("player", sa.String(200), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.create_index("fairdeal_timeline_by_game", "fairdeal_timeline", ["game_id", "version"])
    op.create_index("fairdeal_timeline_by_player", "fairdeal_timeline", ["player", "position"])
    op.create_index("fairdeal_timeline_by_event", "fairdeal_timeline", ["event", "position"])
    op.create_index("fairdeal_timeline_by_time", "fairdeal_timeline", ["at"])
