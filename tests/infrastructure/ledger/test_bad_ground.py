"""Bad ground: whatever is wrong with a database, there is a typed error, and nothing gets worse."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from unittest import mock
from uuid import uuid4

import pytest

from fairdeal import Fairdeal, LedgerError
from fairdeal.application.errors import (
    LedgerFull,
    LedgerReadOnly,
    LedgerUnavailable,
    NewerLedger,
    NotALedger,
)
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.addresses import open_ledger
from fairdeal.infrastructure.ledger.sqlite import recorder
from fairdeal.infrastructure.ledger.sqlite.file import connect
from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger
from fairdeal.testing.ledger import head_of, some_records
from kits.players import play_until_no_room
from kits.processes import in_processes
from kits.stranger import as_a_stranger, folder_for_everybody


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def stored(ledger: Ledger) -> list[object]:
    return [record for _, record in ledger.since(0, 1000)]


class TestSQLite:
    """A file that cannot be used, or not at the moment."""

    def test_every_connection_waits_for_the_disk_and_keeps_a_write_ahead_log(self, path: Path) -> None:
        with closing(connect(str(path), lock_timeout=1)) as connection:
            settings = ("journal_mode", "synchronous", "fullfsync")
            assert [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in settings] == ["wal", 2, 1]

    def test_a_folder_that_does_not_exist_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(LedgerError, match=r"the folder .*/nowhere does not exist"):
            SQLiteLedger(str(tmp_path / "nowhere" / "games.db"))
        assert not (tmp_path / "nowhere").exists()

    def test_a_folder_is_not_a_ledger(self, tmp_path: Path) -> None:
        with pytest.raises(LedgerError, match="it is a folder"):
            SQLiteLedger(str(tmp_path))

    def test_a_file_that_is_not_a_database_is_left_alone(self, path: Path) -> None:
        path.write_bytes(b"Dear diary, " * 500)
        with pytest.raises(NotALedger, match="not an SQLite database"):
            SQLiteLedger(str(path))
        assert path.read_bytes() == b"Dear diary, " * 500

    def test_a_newer_schema_is_refused_and_left_alone(self, path: Path) -> None:
        SQLiteLedger(str(path)).close()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE fairdeal_ledger SET value = '2'")
        with pytest.raises(NewerLedger, match="has schema 2, but this version of Fairdeal knows only up to 1"):
            SQLiteLedger(str(path))

    def test_a_broken_database_is_reported_as_that(self, path: Path) -> None:
        with closing(SQLiteLedger(str(path))) as ledger:
            for _ in range(50):
                ledger.append(some_records(uuid4(), 1, 20))
        with path.open("r+b") as file:
            file.seek(4096 * 3)
            file.write(os.urandom(4096 * 40))
        with closing(SQLiteLedger(str(path))) as ledger, pytest.raises(NotALedger, match="broken SQLite database"):
            ledger.since(0, 10_000)

    def test_a_locked_database_is_waited_for_and_then_reported(self, path: Path) -> None:
        with closing(SQLiteLedger(str(path), lock_timeout=0.1)) as ledger:
            first, second = some_records(uuid4(), 1, 2)
            ledger.append([first])
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(LedgerUnavailable, match="stayed locked by another process"):
                    ledger.append([second], continues=head_of([first]))
                assert stored(ledger) == [first], "reading goes on"
            ledger.append([second], continues=head_of([first]))
            assert stored(ledger) == [first, second]

    def test_a_full_database_stores_nothing_but_can_be_read(self, path: Path) -> None:
        def with_little_room(path: str, lock_timeout: float) -> sqlite3.Connection:
            connection = connect(path, lock_timeout)
            connection.execute("PRAGMA max_page_count = 12")
            return connection

        with mock.patch.object(recorder, "connect", with_little_room), closing(SQLiteLedger(str(path))) as ledger:
            batch = some_records(uuid4(), 1, 5)
            ledger.append(batch)
            with pytest.raises(LedgerFull, match="no room is left"):
                ledger.append(some_records(uuid4(), 1, 1000))
            assert stored(ledger) == batch
            with pytest.raises(LedgerFull):
                ledger.append(some_records(uuid4(), 1, 300))
        with closing(SQLiteLedger(str(path))) as ledger:
            ledger.append(some_records(uuid4(), 1, 1000))
            assert stored(ledger)[:5] == batch

    def test_a_disk_that_takes_no_more_loses_nothing_that_was_answered(self, path: Path) -> None:
        address = f"sqlite:///{path}"
        ((answers, code),) = in_processes(play_until_no_room, [(address, 300_000)])
        assert code == "ledger_error"
        assert answers
        with Fairdeal(address) as fairdeal:
            for answer in answers:
                link = fairdeal.ledger.records(answer.game_id, after=answer.version - 1)[0].link
                assert link.hex() == answer.receipt.link
                assert fairdeal.audit(answer.game_id).good

    def test_a_read_only_file_is_read_but_not_written(self) -> None:
        with folder_for_everybody() as folder:
            path = folder / "games.db"
            first, second = some_records(uuid4(), 1, 2)
            with closing(SQLiteLedger(str(path))) as owners_ledger:
                owners_ledger.append([first])
                with as_a_stranger(path), closing(SQLiteLedger(str(path))) as ledger:
                    assert stored(ledger) == [first]
                    with pytest.raises(LedgerReadOnly, match="may be read but not written"):
                        ledger.append([second], continues=head_of([first]))
                    assert stored(ledger) == [first]

    def test_a_file_that_may_not_be_opened_is_reported(self) -> None:
        with folder_for_everybody() as folder:
            path = folder / "games.db"
            SQLiteLedger(str(path)).close()
            path.chmod(0)
            with as_a_stranger(path, mode=0), pytest.raises(LedgerError, match="copy it to where it may"):
                SQLiteLedger(str(path))


@pytest.mark.parametrize(
    "address",
    ["", "games.db", "sqlite://games.db", "sqlite:///", "sqlite:///:memory:", "mysql://ann:secret@host/games"],
)
def test_a_bad_address_is_refused_without_showing_a_password(address: str) -> None:
    with pytest.raises(LedgerError, match="expected sqlite:///FILE, postgresql://… or memory:") as reported:
        open_ledger(address)
    assert "secret" not in str(reported.value)


def test_a_ledger_from_before_a_fork_refuses_to_be_used(address: str) -> None:
    with closing(open_ledger(address)) as ledger:
        attempts: list[Callable[[], object]] = [lambda: ledger.append(some_records(uuid4(), 1)), ledger.head]

        def child() -> None:
            for attempt in attempts:
                with pytest.raises(LedgerUnavailable, match="opened before a fork"):
                    attempt()

        process = get_context("fork").Process(target=child)
        process.start()
        process.join(30)
        assert process.exitcode == 0
        ledger.append(some_records(uuid4(), 1))  # its own process goes on
