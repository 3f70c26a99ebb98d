"""Where alembic starts: the connection is handed over, or comes from `alembic -x url=…`."""

from alembic import context
from sqlalchemy import Connection

from fairdeal.infrastructure.readmodels.database import open_database
from fairdeal.infrastructure.readmodels.stamps import VERSION_TABLE
from fairdeal.infrastructure.readmodels.tables import METADATA


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        version_table=VERSION_TABLE,
        # A service's own tables in the same database are none of our business.
        include_name=lambda name, kind, _: kind != "table" or name in METADATA.tables,
    )
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    given: Connection | None = context.config.attributes.get("connection")
    if given is not None:
        migrate(given)
        return
    with open_database(context.get_x_argument(as_dictionary=True)["url"]).writing() as opened:
        migrate(opened)


if hasattr(context, "config"):  # alembic has called, nobody has just imported this
    main()
