"""Bad ground in PostgreSQL: whatever is wrong with a server, there is a typed error, and nothing gets worse."""

import re
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import sleep
from unittest import mock
from uuid import uuid4

import psycopg
import pytest

from fairdeal import LedgerError
from fairdeal.application.errors import LedgerFull, LedgerReadOnly, LedgerUnavailable, NewerLedger, NotALedger
from fairdeal.application.log.links import NOTHING_YET
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.addresses import open_ledger
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger
from fairdeal.infrastructure.ledger.postgres.server import connect
from fairdeal.testing.ledger import head_of, some_records
from kits.postgres import new_schema

pytestmark = pytest.mark.xdist_group("postgres")


def stored(ledger: Ledger) -> list[object]:
    return [record for _, record in ledger.since(0, 1000)]


def test_a_server_that_is_not_there_is_reported_without_the_password() -> None:
    with pytest.raises(LedgerUnavailable, match="cannot be reached") as reported:
        open_ledger("postgresql://ann:secret@127.0.0.1:1/games", patience=0.1)
    assert "secret" not in str(reported.value)
    assert "127.0.0.1:1/games" in str(reported.value)


def test_a_database_that_is_not_there_is_reported(postgres_server: str) -> None:
    address = postgres_server.replace("/postgres?", "/nowhere?")
    with pytest.raises(LedgerError, match='database "nowhere" does not exist'):
        PostgresLedger(address)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://ann:secret%zz@127.0.0.1:1/games", "invalid percent-encoded token"),
        ("postgresql://ann:secret@127.0.0.1:1/games?nonsense=1", "invalid URI query parameter"),
        ("postgresql://ann:sec ret@127.0.0.1:1/games", "unexpected spaces"),
        ("postgresql://ann:secret@[::1/games", "end of string"),
        ("postgresql://ann:secret@host:port/games", "port is not a number"),
        ("postgresql://ann:s3@cret@127.0.0.1:1/games", "not a connection URL"),
        ("postgresql://ann:sec/ret@127.0.0.1:1/games", "not a connection URL"),
        ("postgresql://ann:1/cret@127.0.0.1:1/games", "not a connection URL"),
        ("postgresql://ann:sec\0ret@127.0.0.1:1/games", "not a connection URL"),
        ("postgresql://ann:sec\udcffret@127.0.0.1:1/games", "not a text"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_an_address_that_makes_no_sense_is_one_sentence_and_never_quoted(
    address: str, why: str, read_only: bool
) -> None:
    with pytest.raises(LedgerError, match=why) as reported:
        open_ledger(address, read_only=read_only)
    told = "".join(traceback.format_exception_only(reported.value))
    assert not re.search("sec|ret|cret|ann|games", told.partition("expected")[0])
    assert told.count("\n") == 1
    assert (reported.value.__cause__, reported.value.__context__) == (None, None)


@pytest.mark.parametrize("address", ["postgresql://ann:s%40c%2Fr%25t@127.0.0.1:1/a%40b", "postgres://?host=/nowhere@x"])
def test_odd_signs_are_welcome_where_they_are_encoded(address: str) -> None:
    with pytest.raises(LedgerUnavailable, match="cannot be reached"):
        open_ledger(address, patience=0.1)


def test_a_ledger_needs_a_place_with_a_schema(postgres_server: str) -> None:
    with pytest.raises(NotALedger, match="search_path"):
        PostgresLedger(f"{postgres_server}&options=-csearch_path%3Dnowhere")


def test_a_newer_schema_is_refused_and_left_alone(postgres: str) -> None:
    PostgresLedger(postgres).close()
    with psycopg.connect(postgres) as connection:
        connection.execute("UPDATE fairdeal_ledger SET value = '2'")
    with pytest.raises(NewerLedger, match="has schema 2, but this version of Fairdeal knows only up to 1"):
        PostgresLedger(postgres)


def test_a_locked_table_is_waited_for_and_then_reported(postgres: str) -> None:
    with closing(PostgresLedger(postgres)) as ledger:
        first, second = some_records(uuid4(), 1, 2)
        ledger.append([first])
        # Hasty only here: whoever stores anything on this server also waits while others commit their NOTIFY.
        with psycopg.connect(postgres) as other, closing(PostgresLedger(postgres, lock_timeout=0.1)) as hasty:
            other.execute("LOCK TABLE fairdeal_events IN SHARE MODE")
            with pytest.raises(LedgerUnavailable, match="stayed locked by another session"):
                hasty.append([second], continues=head_of([first]))
            assert stored(hasty) == [first], "reading goes on"
        ledger.append([second], continues=head_of([first]))
        assert stored(ledger) == [first, second]


def test_a_ledger_that_is_just_being_made_keeps_no_other_waiting(postgres_server: str) -> None:
    slow, quick = new_schema(postgres_server), new_schema(postgres_server)
    name = f"slow-{uuid4().hex[:8]}"
    with ThreadPoolExecutor(1) as pool, psycopg.connect(slow) as other:
        other.execute("CREATE TABLE fairdeal_ledger ()")  # not committed: who makes the same table waits
        opening = pool.submit(PostgresLedger, f"{slow}&application_name={name}")
        wait_until_locked(postgres_server, name)
        PostgresLedger(quick, lock_timeout=0.1).close()
        other.rollback()
        opening.result().close()


def wait_until_locked(server: str, name: str) -> None:
    query = "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"
    with psycopg.connect(server, autocommit=True) as connection:
        for _ in range(2000):
            if connection.execute(query, (name,)).fetchone():
                return
            sleep(0.01)
    raise AssertionError("it does not wait")


def test_a_read_only_database_is_read_but_not_written(postgres: str) -> None:
    first, second = some_records(uuid4(), 1, 2)
    with closing(PostgresLedger(postgres)) as ledger:
        ledger.append([first])
    read_only = f"{postgres}%20-cdefault_transaction_read_only%3Don"
    with closing(PostgresLedger(read_only)) as ledger:
        assert stored(ledger) == [first]
        with pytest.raises(LedgerReadOnly):
            ledger.append([second], continues=head_of([first]))
        assert stored(ledger) == [first]


def test_tables_that_are_gone_are_reported(postgres: str) -> None:
    with closing(PostgresLedger(postgres)) as ledger:
        with psycopg.connect(postgres) as connection:
            connection.execute("DROP TABLE fairdeal_events")
        with pytest.raises(NotALedger, match="lacks its tables"):
            ledger.append(some_records(uuid4(), 1))
        with pytest.raises(NotALedger):
            ledger.head()


NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON fairdeal_events EXECUTE FUNCTION no_room();
"""
"""The server answers as it does when a file cannot grow: no disk has to be filled for that."""


def test_a_full_disk_is_reported_and_nothing_is_lost(postgres: str) -> None:
    with closing(PostgresLedger(postgres)) as ledger:
        first, second = some_records(uuid4(), 1, 2)
        ledger.append([first])
        with psycopg.connect(postgres, autocommit=True) as server:
            server.execute(NO_ROOM)
            for _ in range(2):
                with pytest.raises(LedgerFull, match="no room is left for it; nothing was stored"):
                    ledger.append([second], continues=head_of([first]))
                assert stored(ledger) == [first], "reading goes on"
            server.execute("DROP TRIGGER no_room ON fairdeal_events")
        ledger.append([second], continues=head_of([first]))
        assert stored(ledger) == [first, second]


def test_connections_that_were_cut_are_made_anew(postgres: str) -> None:
    mine = f"cut-{uuid4().hex[:8]}"  # other tests on this server keep their connections
    with closing(PostgresLedger(f"{postgres}&application_name={mine}")) as ledger:
        game, head = uuid4(), NOTHING_YET
        for version in range(1, 6):
            records = some_records(game, version)
            ledger.append(records, continues=head)
            head = head_of(records)
            assert len(ledger.records(game)) == version
            with psycopg.connect(postgres, autocommit=True) as other:
                cut = other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (mine,)
                )
                assert len(cut.fetchall()) == 2, "the one for reading and the one for writing"


def test_a_lax_database_is_made_to_wait_for_the_disk(postgres: str) -> None:
    lax = f"{postgres}%20-csynchronous_commit%3Doff"
    with closing(connect(lax, lock_timeout=1)) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == {"synchronous_commit": "on"}


def test_without_its_driver_it_is_said_what_to_install() -> None:
    with (
        mock.patch.dict("sys.modules", {"fairdeal.infrastructure.ledger.postgres.recorder": None}),
        pytest.raises(LedgerError, match=r"pip install 'fairdeal\[postgres\]'") as refused,
    ):
        open_ledger("postgresql://localhost/games")
    assert refused.value.code == "not_installed"
