"""Backups while other processes write, and backups that are put back where other processes would go on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

from fairdeal import Fairdeal
from fairdeal.infrastructure.cli.commands import restore as restoring
from fairdeal.infrastructure.cli.commands.audit import audit_all
from fairdeal.infrastructure.cli.commands.backup import copy_ledger
from kits.cli import prepared, refused, run
from kits.failover import lost_and_doubled
from kits.players import Heard, check_everything_that_was_answered, playing_process

ADDRESS = "sqlite:///games.db"
in_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder in which nobody may write")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


@pytest.mark.parametrize("folder", ["no", pytest.param("/proc", marks=in_proc)])
def test_what_cannot_be_written_is_the_copy_and_not_the_ledger(folder: str) -> None:
    run("backup", "copy.db")
    for asked in (("backup", f"{folder}/copy.db"), ("restore", "copy.db", f"sqlite:///{folder}/games.db")):
        told = run(*asked, status=2).stderr
        assert "cannot be written" in told
        assert folder in told
        assert "games.db cannot be opened" not in told


@pytest.mark.parametrize("address", ["sqlite:///games.db", "postgresql://db/games"])
def test_a_backup_without_a_file_asks_for_one(place: Path, address: str) -> None:
    assert "Give the address of a ledger and a file" in refused("backup", address)
    assert [file.name for file in place.glob("*.db")] == ["games.db"]


def test_a_broken_ledger_is_named_and_not_its_copy(place: Path) -> None:
    with Fairdeal(ADDRESS) as fairdeal:
        for _ in range(20):
            fairdeal.start_game("red7", ["ann", "bob"])
    run("backup", "whole.db")
    pages = (place / "whole.db").read_bytes()
    (place / "broken.db").write_bytes(pages[: len(pages) // 2] + b"x" * 4096 + pages[len(pages) // 2 + 4096 :])
    told = run("backup", "sqlite:///broken.db", "copy.db", status=2).stderr
    assert "The ledger broken.db is a broken SQLite database" in told
    assert not [file.name for file in place.iterdir() if "copy.db" in file.name]


def test_a_ledger_behind_a_link_is_restored_where_it_is(place: Path) -> None:
    """Else the workers that know it by its own name would go on with the old one."""
    run("backup", "copy.db")
    (place / "link.db").symlink_to("games.db")
    with Fairdeal(ADDRESS) as fairdeal:
        fairdeal.start_game("red7", ["ann", "bob"])
    run("restore", "copy.db", "sqlite:///link.db", "--set-back")
    assert (place / "link.db").is_symlink()
    with Fairdeal(ADDRESS, read_only=True) as fairdeal, Fairdeal("sqlite:///copy.db", read_only=True) as copied:
        assert fairdeal.ledger.head() == copied.ledger.head()


class Writers:
    """Processes that play; what they tell is taken in meanwhile."""

    def __init__(self, playing: list[tuple[BaseProcess, Any]]) -> None:
        self.heard = [Heard() for _ in playing]
        self._processes = [process for process, _ in playing]
        self._threads = [
            Thread(target=heard.listen, args=(pipe,), kwargs={"until": lambda: False}, daemon=True)
            for heard, (_, pipe) in zip(self.heard, playing, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def answers(self) -> int:
        return sum(len(heard.answered) for heard in self.heard)

    def wait_for_more(self, answers: int = 20) -> None:
        enough = self.answers() + answers
        while self.answers() < enough:
            assert all(thread.is_alive() for thread in self._threads)
            sleep(0.01)

    def stop(self) -> None:
        """Killed, whatever they are doing; all that they told is taken in."""
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def writers(place: Path) -> Iterator[Writers]:
    address = f"sqlite:///{place / 'games.db'}"
    with (
        playing_process(address, seed=1, tables=[]) as one,
        playing_process(address, seed=2, tables=[]) as other,
    ):
        both = Writers([one, other])
        both.wait_for_more()
        yield both
        both.stop()


def test_a_backup_under_load_holds_all_that_was_answered_before_it_and_fits_the_newest_checkpoint(
    writers: Writers,
) -> None:
    run("checkpoint", "keygen", "house")
    for number in range(2):
        run("checkpoint", "make", "--key", "house.key", "-o", f"kept{number}.json")
        writers.wait_for_more()
        receipts = [answer.receipt for heard in writers.heard for answer in list(heard.answered.values())]
        copy = f"copy{number}.db"
        said = run("backup", ADDRESS, copy, "--checkpoint", f"kept{number}.json", "--key", "house.pub").stdout
        assert "all good" in said
        assert "the ledger still holds its" in said
        writers.wait_for_more()  # nobody was stopped by it
        with Fairdeal(f"sqlite:///{copy}") as fairdeal:
            assert lost_and_doubled(fairdeal, receipts) == (0, 0)


def test_nothing_is_put_under_processes_that_write_and_they_lose_nothing(writers: Writers) -> None:
    run("backup", ADDRESS, "copy.db")
    writers.wait_for_more()
    assert "records that copy.db lacks; --set-back gives them up" in refused("restore", "copy.db")
    assert "games.db is in use" in refused("restore", "copy.db", "--set-back")
    writers.wait_for_more()
    writers.stop()
    with Fairdeal(ADDRESS) as fairdeal:
        for heard in writers.heard:
            assert heard.errors == []
            check_everything_that_was_answered(fairdeal, heard)


def test_a_worker_that_begins_while_a_backup_is_put_back_keeps_what_it_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit of the backup takes a while: who began meanwhile, and stored something, is not set back."""
    run("backup", ADDRESS, "copy.db")

    def slowly(*args: Any, **kwargs: Any) -> int:
        with Fairdeal(ADDRESS) as fairdeal:
            fairdeal.start_game("red7", ["ann", "bob"])
        return audit_all(*args, **kwargs)

    monkeypatch.setattr(restoring, "audit_all", slowly)
    assert "records that copy.db lacks" in run("restore", "copy.db", status=2).stderr
    with Fairdeal(ADDRESS) as fairdeal:
        assert len(fairdeal.ledger.game_ids(None, 10)) == 3


def test_a_worker_that_began_is_noticed_up_to_the_moment_in_which_the_file_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("backup", ADDRESS, "copy.db")
    others: list[sqlite3.Connection] = []

    def slowly(source: Path, target: Path) -> None:
        copy_ledger(source, target)
        others.append(sqlite3.connect("games.db"))
        others[0].execute("SELECT count(*) FROM stored_events").fetchone()

    monkeypatch.setattr(restoring, "copy_ledger", slowly)
    try:
        assert "games.db is in use" in run("restore", "copy.db", status=2).stderr
    finally:
        for other in others:
            other.close()
    with closing(sqlite3.connect("games.db")) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert not Path(".games.db.part").exists()
