"""The link of the record at each position, by which read models know the ledger that they follow."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("fairdeal_positions", sa.Column("link", sa.String(64)))
