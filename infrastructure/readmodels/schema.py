"""Brings the tables of whatever release made them up to this one's."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.schema import sort_tables

from fairdeal.application.projections.errors import NewerReadModel
from fairdeal.infrastructure.readmodels.database import Database, said
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.stamps import HEAD, VERSION_TABLE
from fairdeal.infrastructure.readmodels.tables import METADATA

MIGRATIONS = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 0x66616972


def bring_up_to_date(database: Database, projections: Sequence[Projection], *, to: str = HEAD) -> None:
    """Migrates our tables and creates those of the service's own projections where they are missing."""
    with database.reading() as connection:
        current, is_standby = version_of(connection), database.is_standby(connection)
    own = [table for projection in projections for table in projection.tables if table.metadata is not METADATA]
    if current == to and (not own or is_standby):
        return
    with database.writing() as connection:
        take_turns(connection)
        if version_of(connection) != to:
            _migrate(connection, to)
        for table in sort_tables(own):
            table.create(connection, checkfirst=True)


def take_turns(connection: Connection) -> None:
    """Whoever changes the tables of a schema does so alone; on SQLite whoever writes is alone anyway."""
    if connection.dialect.name == "postgresql":
        lock = "SELECT pg_advisory_xact_lock(:key, hashtext(current_schema()))"
        connection.execute(text(lock), {"key": ADVISORY_LOCK})


def version_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - our own name


def _migrate(connection: Connection, to: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise NewerReadModel(f"The tables of the read models were made by a newer release: {said(error)}.") from error
