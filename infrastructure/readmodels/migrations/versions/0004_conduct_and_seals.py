"""Who was in the way of deals, and where each seal was used first; folded from the beginning."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "fairdeal_conduct",
        sa.Column("player", sa.String(200), primary_key=True),
        sa.Column("tables_closed", sa.Integer, nullable=False),
        sa.Column("tables_undealt", sa.Integer, nullable=False),
        sa.Column("tables_broken_off", sa.Integer, nullable=False),
        sa.Column("seals_kept_shut", sa.Integer, nullable=False),
        sa.Column("seals_used_before", sa.Integer, nullable=False),
    )
    op.create_table(
        "fairdeal_seals",
        sa.Column("seal", sa.String(64), primary_key=True),
        sa.Column("game_id", sa.Uuid, nullable=False),
        sa.Column("player", sa.String(200), nullable=False),
    )
