"""Commands that only read: they make no ledger, write nothing, and need no right to write."""

import os
import sys
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest

from fairdeal import Fairdeal
from fairdeal.infrastructure.checkpoints import signing
from kits.audit import batch_ends
from kits.cli import GAME, ID, RUNNING_ID, prepared, refused, run
from kits.stranger import as_a_stranger, folder_for_everybody

READING = [
    ("games",),
    ("audit",),
    ("audit", ID),
    ("audit", "--jobs", "2"),
    ("replay", ID, "--version", "9"),
    ("diff", ID, "--from", "9", "--to", "9"),
    ("export", "--all"),
    ("export", ID),
    ("checkpoint", "make", "--key", "{keys}/house.key"),
]
WRITING = ("branch", ID, str(batch_ends(GAME)[4]))


def spelt(command: tuple[str, ...], keys: Path) -> list[str]:
    return [word.format(keys=keys) for word in command]


@pytest.fixture
def keys(tmp_path: Path) -> Generator[Path]:
    """A folder with a key that strangers may read."""
    with folder_for_everybody() as folder:
        secret, _ = signing.new_keys()
        (folder / "house.key").write_text(secret, encoding="utf-8")
        yield folder


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A ledger of two games in a folder that everybody sees."""
    with folder_for_everybody() as folder:
        yield prepared(folder, monkeypatch) / "games.db"
        monkeypatch.undo()


@pytest.mark.parametrize("command", READING)
def test_a_ledger_where_nobody_may_write_is_read(place: Path, keys: Path, command: tuple[str, ...]) -> None:
    before = {file: file.read_bytes() for file in place.parent.iterdir()}
    with as_a_stranger(place, folder_mode=0o555):
        if "--jobs" in command and not os.access(sys.executable, os.X_OK, effective_ids=True):
            pytest.skip("a stranger may not even start Python here")
        run(*spelt(command, keys))
    assert {file: file.read_bytes() for file in place.parent.iterdir()} == before


@pytest.mark.parametrize("command", READING)
def test_evidence_is_not_touched_even_where_one_may(place: Path, keys: Path, command: tuple[str, ...]) -> None:
    before = {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in place.parent.iterdir()}
    run(*spelt(command, keys))
    assert {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in place.parent.iterdir()} == before


def test_the_doctor_finds_nothing_wrong_with_a_ledger_that_may_not_be_written(place: Path) -> None:
    before = {file: file.read_bytes() for file in place.parent.iterdir()}
    with as_a_stranger(place, folder_mode=0o555):
        told = run("doctor", f"sqlite:///{place}").stdout
    assert "Nothing is wrong." in told
    assert {file: file.read_bytes() for file in place.parent.iterdir()} == before


def test_a_branch_needs_a_ledger_that_may_be_written(place: Path) -> None:
    with as_a_stranger(place, folder_mode=0o555):
        assert refused(*WRITING).startswith("ledger_read_only: ")
    place.chmod(0o644)
    run(*WRITING)
    run("audit", RUNNING_ID)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("command", [*READING, WRITING])
def test_an_empty_postgresql_stays_empty(postgres: str, keys: Path, command: tuple[str, ...]) -> None:
    assert refused(*spelt(command, keys), "--ledger", postgres).startswith("not_a_ledger: There is no ledger at")
    with psycopg.connect(postgres) as connection:
        query = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        assert connection.execute(query).fetchone() == (0,)


@pytest.mark.xdist_group("postgres")
def test_a_postgresql_is_read_and_written_by_those_who_should(postgres: str, keys: Path, place: Path) -> None:
    run("export", ID, "-o", keys / "game.jsonl")
    run("import", keys / "game.jsonl", "--ledger", postgres)
    for command in READING:
        run(*spelt(command, keys), "--ledger", postgres)
    run(*WRITING, "--ledger", postgres)
    with Fairdeal(postgres, read_only=True) as fairdeal:
        assert len(list(fairdeal.audit_all())) == 2


@pytest.mark.xdist_group("postgres")
def test_no_screen_shows_the_password_of_a_ledger(postgres: str) -> None:
    in_front, behind = postgres.replace(":@", ":secret@"), f"{postgres}&password=secret"
    assert "secret" in in_front
    for address in (in_front, behind):
        fresh = run("doctor", address, status=1).stdout
        assert "if there never was one, a game makes it: fairdeal play red7 --ledger" in fresh
        assert "secret" not in fresh
    for address in (in_front, behind):
        simulated = run("simulate", "red7", "--bots", "random,random", "--games", 1, "--save", "--ledger", address)
        played = run("play", "red7", "--ledger", address, typed="quit\n")
        assert "***" in simulated.stdout
        assert "fairdeal resume" in played.stdout
        assert "***" in played.stdout
        assert "secret" not in simulated.stdout + played.stdout


def test_the_doctor_asks_whether_a_server_runs_and_who_holds_a_file(place: Path) -> None:
    told = run("doctor", f"postgresql://postgres@/games?host={place.parent}", status=1).stdout
    assert "see that the server runs" in told
    assert "who holds it" not in told


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:secret%zz@127.0.0.1:1/x",
        "postgresql://ann:secret@127.0.0.1:1/x?nonsense=1",
        "postgresql://ann:sec ret@127.0.0.1:1/x",
        "postgresql://[::1/secret",
    ],
)
def test_a_malformed_address_is_a_sentence_without_its_password(address: str) -> None:
    told = refused("games", "--ledger", address)
    assert told.startswith("ledger_error: This PostgreSQL address makes no sense")
    assert "sec" not in told
