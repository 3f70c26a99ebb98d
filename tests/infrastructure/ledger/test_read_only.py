"""Ledgers that are only read: nothing is written into them or left beside them, wherever they stand."""

import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from fairdeal import Fairdeal, LedgerError, LedgerUnavailable
from fairdeal.application.errors import LedgerReadOnly, NewerLedger, NotALedger
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.addresses import open_ledger
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger
from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger
from fairdeal.testing.ledger import head_of, some_records
from kits.processes import in_processes
from kits.stranger import as_a_stranger, folder_for_everybody, store_and_stay

FIRST, SECOND, THIRD = some_records(uuid4(), 1, 3)
NO_WRITING = 0o555


def stored(ledger: Ledger) -> list[Record]:
    assert ledger.head() == len(ledger.since(0, 1000))
    return [record for _, record in ledger.since(0, 1000)]


def to_read(path: Path) -> SQLiteLedger:
    return SQLiteLedger(str(path), read_only=True)


def evidence(path: Path) -> dict[str, tuple[int, bytes]]:
    """Everything in the folder of the ledger, as it is now; an index holds nothing that is not in the log."""
    return {
        file.name: (file.stat().st_mtime_ns, b"" if file.name.endswith("-shm") else file.read_bytes())
        for file in path.parent.iterdir()
    }


@pytest.fixture
def path() -> Generator[Path]:
    """A ledger with one record, in a folder that everybody sees."""
    with folder_for_everybody() as folder:
        path = folder / "games.db"
        with closing(SQLiteLedger(str(path))) as ledger:
            ledger.append([FIRST])
        yield path


@pytest.fixture
def unmerged(path: Path) -> Path:
    """The ledger with a second record, which is in the write-ahead log because its owner was killed."""
    in_processes(store_and_stay, [(str(path), [SECOND])])
    assert path.with_name("games.db-wal").stat().st_size > 0
    return path


# -- any database ----------------------------------------------------------------------------------------------------


def test_it_is_read_but_not_written(address: str) -> None:
    with closing(open_ledger(address)) as ledger:
        ledger.append([FIRST])
    with closing(open_ledger(address, read_only=True)) as ledger:
        with pytest.raises(LedgerReadOnly, match="opened to be read only; nothing was stored"):
            ledger.append([SECOND], continues=head_of([FIRST]))
        assert stored(ledger) == [FIRST]
        assert list(ledger.records(FIRST.game_id)) == [FIRST]
        assert list(ledger.game_ids(None, 10)) == [FIRST.game_id]


def test_what_others_write_meanwhile_is_seen(address: str) -> None:
    with closing(open_ledger(address)):
        pass
    with closing(open_ledger(address, read_only=True)) as reader:
        assert stored(reader) == []
        with closing(open_ledger(address)) as writer:
            writer.append([FIRST])
            assert stored(reader) == [FIRST]
            with closing(open_ledger(address, read_only=True)) as another:
                writer.append([SECOND], continues=head_of([FIRST]))
                assert stored(reader) == stored(another) == [FIRST, SECOND]
        assert stored(reader) == [FIRST, SECOND]


def test_a_whole_fairdeal_can_be_read_only(address: str, tmp_path: Path) -> None:
    with Fairdeal(address) as fairdeal:
        game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    before = sorted(tmp_path.iterdir())
    with Fairdeal(address, read_only=True) as fairdeal:
        assert fairdeal.audit(game).good
        assert [report.game_id for report in fairdeal.audit_all(jobs=2)] == [game]
        assert [found.id for found in fairdeal.read.games().items] == [game], "from read models that nobody else sees"
        with pytest.raises(LedgerReadOnly):
            fairdeal.start_game("pardon", ["ann", "bob"])
        with pytest.raises(LedgerReadOnly):
            fairdeal.handle({"command": "leave_game", "player": "ann", "game_id": game})
    assert sorted(tmp_path.iterdir()) == before


def test_in_memory_there_is_nothing_to_read_and_nothing_is_written() -> None:
    with Fairdeal("memory:", read_only=True) as fairdeal, pytest.raises(LedgerReadOnly):
        fairdeal.start_game("pardon", ["ann", "bob"])


# -- a file ----------------------------------------------------------------------------------------------------------


def test_where_one_may_write_nothing_is_changed_or_left_behind(path: Path) -> None:
    before = evidence(path)
    with closing(to_read(path)) as ledger:
        assert stored(ledger) == [FIRST]
    assert evidence(path) == before


@pytest.mark.parametrize("folder_mode", [NO_WRITING, 0o777])
def test_where_one_may_not_write_it_is_read_without_a_trace(path: Path, folder_mode: int) -> None:
    before = evidence(path)
    with as_a_stranger(path, folder_mode=folder_mode), closing(to_read(path)) as ledger:
        assert stored(ledger) == [FIRST]
        assert evidence(path) == before
        with pytest.raises(LedgerReadOnly):
            ledger.append([SECOND], continues=head_of([FIRST]))
    assert evidence(path) == before


def test_a_log_that_was_not_merged_is_read_and_left_as_it_is(unmerged: Path) -> None:
    before = evidence(unmerged)
    with closing(to_read(unmerged)) as ledger:
        assert stored(ledger) == [FIRST, SECOND]
    assert {name: content for name, (_, content) in evidence(unmerged).items()} == {
        name: content for name, (_, content) in before.items()
    }


def test_with_its_index_beside_it_such_a_log_is_read_where_one_may_not_write(unmerged: Path) -> None:
    before = evidence(unmerged)
    with as_a_stranger(unmerged, folder_mode=NO_WRITING), closing(to_read(unmerged)) as ledger:
        assert stored(ledger) == [FIRST, SECOND]
    assert evidence(unmerged) == before


def test_without_an_index_it_is_said_what_to_copy_instead_of_leaving_records_out(unmerged: Path) -> None:
    unmerged.with_name("games.db-shm").unlink()
    with (
        as_a_stranger(unmerged, folder_mode=NO_WRITING),
        pytest.raises(LedgerError, match=r"not whole without .*games\.db-wal.*: copy both files together"),
    ):
        to_read(unmerged)
    with folder_for_everybody() as folder:
        for file in unmerged.parent.iterdir():
            shutil.copy(file, folder)
        with as_a_stranger(folder / "games.db", folder_mode=0o777), closing(to_read(folder / "games.db")) as ledger:
            assert stored(ledger) == [FIRST, SECOND]


def test_a_transaction_that_was_broken_off_is_not_taken_for_records(path: Path) -> None:
    break_off_a_transaction(path)
    with (
        as_a_stranger(path, folder_mode=NO_WRITING),
        pytest.raises(LedgerError, match=r"not whole without .*games\.db-journal"),
    ):
        to_read(path)


def break_off_a_transaction(path: Path) -> None:
    """As a program that keeps no write-ahead log leaves a file when it is killed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE notes AS SELECT randomblob(100000) AS note")
        connection.execute("UPDATE stored_events SET state = randomblob(100000)")
        files = [path, path.with_name("games.db-journal")]
        copies = {file: file.read_bytes() for file in files}
    for file, content in copies.items():
        file.write_bytes(content)


def test_an_owner_who_begins_to_write_is_noticed(path: Path) -> None:
    with as_a_stranger(path, folder_mode=NO_WRITING):
        ledger = to_read(path)
        assert stored(ledger) == [FIRST]
    in_processes(store_and_stay, [(str(path), [SECOND])])
    with as_a_stranger(path, folder_mode=NO_WRITING), closing(ledger):
        with pytest.raises(LedgerUnavailable, match="read it again"):
            ledger.since(0, 1000)
        assert stored(ledger) == [FIRST, SECOND]


def test_an_owner_who_has_written_and_gone_is_noticed(path: Path) -> None:
    with as_a_stranger(path, folder_mode=NO_WRITING):
        ledger = to_read(path)
        assert stored(ledger) == [FIRST]
    with closing(SQLiteLedger(str(path))) as owners:
        owners.append([SECOND], continues=head_of([FIRST]))
    with as_a_stranger(path, folder_mode=NO_WRITING), closing(ledger):
        with pytest.raises(LedgerUnavailable, match="read it again"):
            ledger.head()
        assert stored(ledger) == [FIRST, SECOND]


def test_an_owner_at_work_disturbs_no_stranger(path: Path) -> None:
    with closing(SQLiteLedger(str(path))) as owners:
        owners.append([SECOND], continues=head_of([FIRST]))
        with as_a_stranger(path, folder_mode=NO_WRITING), closing(to_read(path)) as ledger:
            assert stored(ledger) == [FIRST, SECOND]


def test_a_copy_without_a_write_ahead_log_stays_what_it_is(path: Path) -> None:
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"VACUUM INTO '{copy}'")
    before = copy.read_bytes()
    with closing(to_read(copy)) as ledger:
        assert stored(ledger) == [FIRST]
    assert copy.read_bytes() == before


def test_a_name_with_odd_signs_does_not_open_another_file(tmp_path: Path) -> None:
    path = tmp_path / "50%20of #all?mode=rwc.db"
    with closing(SQLiteLedger(str(path))) as ledger:
        ledger.append([FIRST])
    with closing(to_read(path)) as ledger:
        assert stored(ledger) == [FIRST]


def test_what_is_not_a_ledger_is_never_made_one(tmp_path: Path) -> None:
    with pytest.raises(NotALedger, match=r"There is no ledger .*none\.db"):
        to_read(tmp_path / "none.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE notes (note TEXT)")
    with pytest.raises(NotALedger, match="without a ledger"):
        to_read(tmp_path / "other.db")
    with pytest.raises(LedgerError, match="is a folder"):
        to_read(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_a_newer_file_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE fairdeal_ledger SET value = '2'")
    with pytest.raises(NewerLedger):
        to_read(path)


def test_a_file_that_may_not_be_read_is_called_that(path: Path) -> None:
    with as_a_stranger(path, mode=0), pytest.raises(LedgerError, match="may not be read by you"):
        to_read(path)


# -- PostgreSQL ------------------------------------------------------------------------------------------------------


@pytest.fixture
def clerk(postgres: str) -> Generator[str]:
    """The address of the ledger for somebody who may do nothing yet."""
    name = f"clerk_{uuid4().hex[:8]}"
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'pen'".encode())
        try:
            yield f"{postgres}&user={name}&password=pen"
        finally:
            owner.execute(f"DROP OWNED BY {name}".encode())
            owner.execute(f"DROP ROLE {name}".encode())


def granted(postgres: str, clerk: str, *rights: str) -> None:
    name = clerk.partition("&user=")[2].partition("&")[0]
    with psycopg.connect(postgres, autocommit=True) as owner:
        row = owner.execute("SELECT current_schema()").fetchone()
        assert row is not None
        for right in rights:
            owner.execute(f"GRANT {right} TO {name}".format(schema=row[0]).encode())


@pytest.mark.xdist_group("postgres")
def test_the_right_to_select_is_enough_to_read(postgres: str, clerk: str) -> None:
    with closing(PostgresLedger(postgres)) as ledger:
        ledger.append([FIRST])
    granted(postgres, clerk, "USAGE ON SCHEMA {schema}", "SELECT ON ALL TABLES IN SCHEMA {schema}")
    with closing(PostgresLedger(clerk, read_only=True)) as ledger:
        assert stored(ledger) == [FIRST]


@pytest.mark.xdist_group("postgres")
def test_without_it_one_is_told(postgres: str, clerk: str) -> None:
    PostgresLedger(postgres).close()
    granted(postgres, clerk, "USAGE ON SCHEMA {schema}")
    with pytest.raises(LedgerError, match=r"may not be read \(permission denied"):
        PostgresLedger(clerk, read_only=True)


@pytest.mark.xdist_group("postgres")
def test_the_server_itself_would_refuse_to_write(postgres: str) -> None:
    PostgresLedger(postgres).close()
    with closing(PostgresLedger(postgres, read_only=True)) as ledger:
        ledger.is_read_only = False
        with pytest.raises(LedgerReadOnly, match="read-only transaction"):
            ledger.append([FIRST])


@pytest.mark.xdist_group("postgres")
def test_an_empty_place_stays_empty(postgres: str) -> None:
    with pytest.raises(NotALedger, match=r"There is no ledger at postgresql://"):
        PostgresLedger(postgres, read_only=True)
    with psycopg.connect(postgres) as connection:
        query = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        assert connection.execute(query).fetchone() == (0,)


@pytest.mark.xdist_group("postgres")
def test_a_newer_database_is_refused(postgres: str) -> None:
    PostgresLedger(postgres).close()
    with psycopg.connect(postgres) as connection:
        connection.execute("UPDATE fairdeal_ledger SET value = '2'")
    with pytest.raises(NewerLedger):
        PostgresLedger(postgres, read_only=True)
