"""How ratings have come to be what they are; folded from the beginning."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "fairdeal_rating_steps",
        sa.Column("kind", sa.String(100), primary_key=True),
        sa.Column("player", sa.String(200), primary_key=True),
        sa.Column("games", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
    )
    op.create_index("fairdeal_rating_steps_by_player", "fairdeal_rating_steps", ["player", "at"])
