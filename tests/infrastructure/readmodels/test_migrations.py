"""Tables made by an earlier release become those of this one, and hold the same rows as if made today."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from typing import Any
from uuid import UUID

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from fairdeal import Fairdeal
from fairdeal.application.log.record import Record
from fairdeal.application.projections.errors import NewerReadModel
from fairdeal.infrastructure.readmodels.database import Database, open_database
from fairdeal.infrastructure.readmodels.read_side import ReadSide, built_in
from fairdeal.infrastructure.readmodels.schema import (
    MIGRATIONS,
    bring_up_to_date,
    take_turns,
    version_of,
)
from fairdeal.infrastructure.readmodels.stamps import HEAD, VERSION_TABLE
from fairdeal.infrastructure.readmodels.tables import METADATA
from kits.ledger import plant
from kits.postgres import new_schema
from kits.readmodels import clean_run, rows

EARLIER = Path(__file__).parent / "earlier_release"
"""Records of a few games, and the read models that the first release had made of the first of them."""


@pytest.fixture
def place(address: str) -> str:
    return address.replace("games.db", "read.db")


@pytest.fixture
def database(place: str) -> Iterator[Database]:
    opened = open_database(place)
    yield opened
    opened.close()


def is_ours(name: str | None, kind: str, _: Any) -> bool:
    return kind != "table" or name in METADATA.tables


def test_the_newest_migration_is_the_one_that_is_expected() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_migrations_lead_to_exactly_the_tables_that_are_used(database: Database) -> None:
    bring_up_to_date(database, built_in())
    with database.reading() as connection:
        found = MigrationContext.configure(
            connection,
            opts={"version_table": VERSION_TABLE, "include_name": is_ours},
        )
        assert compare_metadata(found, METADATA) == []
        assert version_of(connection) == HEAD


def test_migrating_twice_changes_nothing_and_several_may_try_at_once(place: str) -> None:
    failures: list[Exception] = []

    def migrate() -> None:
        database = open_database(place)
        try:
            bring_up_to_date(database, built_in())
        except Exception as error:
            failures.append(error)
        finally:
            database.close()

    threads = [Thread(target=migrate) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    migrate()
    assert failures == []


def test_several_may_open_a_fresh_file_at_once(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def write(database: Database, together: Barrier) -> None:
        together.wait()
        try:
            with database.writing() as connection:
                connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS one (name)")
        except Exception as error:
            failures.append(error)
        database.close()

    for number in range(40):
        together = Barrier(8)
        databases = [open_database(f"sqlite:///{tmp_path / f'{number}.db'}") for _ in range(8)]
        threads = [Thread(target=write, args=(database, together)) for database in databases]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_who_migrates_keeps_no_other_schema_waiting(postgres_server: str) -> None:
    mine, other = open_database(new_schema(postgres_server)), open_database(new_schema(postgres_server))
    with closing(mine), closing(other), mine.writing() as connection:
        take_turns(connection)
        bring_up_to_date(other, built_in())


def test_a_database_of_the_first_release_is_brought_up_to_date(tmp_path: Path) -> None:
    restore(EARLIER / "read-0001.sql", tmp_path / "games.read.db")
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        store_again(fairdeal)
        upgraded = fairdeal.read
        with upgraded.database.reading() as connection:
            assert version_of(connection) == HEAD
        assert upgraded.as_it_stands().games().items, "what was there is still there"
        upgraded.catch_up()
        assert rows(upgraded.database) == clean_run(fairdeal, f"sqlite:///{tmp_path / 'clean.db'}")
        assert upgraded.ratings("kings_corners").items


def test_a_half_way_migration_on_either_database_ends_the_same(place: str, tmp_path: Path) -> None:
    with Fairdeal("memory:") as fairdeal:
        store_again(fairdeal)
        old = open_database(place)
        bring_up_to_date(old, (), to="0001")
        old.close()
        read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", where=place)
        read.catch_up()
        assert rows(read.database) == clean_run(fairdeal, f"sqlite:///{tmp_path / 'clean.db'}")
        read.close()


def test_tables_of_a_newer_release_are_left_alone(database: Database) -> None:
    bring_up_to_date(database, built_in())
    with database.writing() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(NewerReadModel):
        bring_up_to_date(database, built_in())


def store_again(fairdeal: Fairdeal) -> None:
    """The ledger of that time, record by record."""
    for line in (EARLIER / "records.jsonl").read_text(encoding="utf-8").splitlines():
        stored = json.loads(line)
        payload, link = stored["payload"].encode(), bytes.fromhex(stored["link"])
        plant(fairdeal.ledger, [Record(UUID(stored["game"]), stored["version"], stored["name"], payload, link)])


def restore(dump: Path, path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(dump.read_text(encoding="utf-8"))
    connection.close()
