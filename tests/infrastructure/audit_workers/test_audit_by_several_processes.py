"""The audit of a whole ledger by several processes: the same reports, and no process is left behind."""

import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import fields
from multiprocessing import active_children
from pathlib import Path
from threading import Event, Thread
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace as other_record

from fairdeal import Fairdeal, InvalidQuery, Receipt
from fairdeal.application.audit import ledger as ledger_audit
from fairdeal.application.audit.verdicts import Grade, Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import DamagedRecord, NotALedger, TamperedLedger
from fairdeal.domain.kernel.rules import Rules
from fairdeal.infrastructure.audit_workers import ordered
from fairdeal.infrastructure.audit_workers.worker import Failure, NotSendable, WorkerLost, WorkerTask, packed
from fairdeal.testing import changed
from fairdeal.testing.recorded import recorded_game
from kits.audit import batch_ends, forged, golden
from kits.parallel import DEADLY, HOUSE, PARDON
from kits.postgres import psutil
from kits.processes import CONTEXT, new_process
from kits.stranger import folder_for_everybody, work_as_a_stranger

CUT_SHORT = golden("kings_corners-classic-6")


def fill(fairdeal: Fairdeal) -> list[Receipt]:
    """Games of every kind, honest, branched, damaged and forged; receipts of some, and of one that is missing."""
    for number in range(3):
        for kind in KINDS:
            fairdeal.ledger.append(recorded_game(KINDS[kind], number, most=25))
    origin = recorded_game(KINDS["kings_corners"], 7)
    fairdeal.ledger.append(origin)
    fairdeal.branch(origin[0].game_id, batch_ends(origin)[5], "zoe")
    fairdeal.ledger.append(forged(recorded_game(KINDS["pardon"], 9), 9, lambda payload: payload.update(by="eve")))
    fairdeal.ledger.append(CUT_SHORT[:-1])
    damaged = recorded_game(KINDS["tcg"], 8, most=25)
    fairdeal.ledger.append([*damaged[:5], other_record(damaged[5], link=bytes(32)), *damaged[6:]])
    beyond = Receipt(CUT_SHORT[0].game_id, len(CUT_SHORT), CUT_SHORT[-1].link.hex())
    good = Receipt(origin[0].game_id, len(origin), origin[-1].link.hex())
    return [Receipt(uuid4(), 3, "00" * 32), good, beyond]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game is a run of its own, so that small ledgers keep several processes busy."""
    monkeypatch.setattr(ordered, "FIRST_GAMES", 1)
    monkeypatch.setattr(ordered, "RECORDS", 1)


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture
def filled(fairdeal: Fairdeal) -> Fairdeal:
    fill(fairdeal)
    return fairdeal


@pytest.fixture(autouse=True)
def nobody_is_left_behind() -> Iterator[None]:
    yield
    assert active_children() == []


# -- the same reports ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def test_any_number_of_processes_gives_the_same_reports_in_the_same_order(
    request: pytest.FixtureRequest, address: str, database: str
) -> None:
    with Fairdeal(address if database == "sqlite" else request.getfixturevalue("postgres")) as fairdeal:
        receipts = fill(fairdeal)
        alone = list(fairdeal.audit_all(receipts))
        assert sum(not report.good for report in alone) == 4
        assert alone[-1].game_id == receipts[0].game_id
        assert {"1 receipts" in report.untouched.why for report in alone} == {True, False}
        assert Grade.YES in {report.legal.grade for report in alone if "not at hand" not in report.legal.why}
        for jobs in (2, 3):
            assert list(fairdeal.audit_all(receipts, jobs=jobs)) == alone


def test_long_runs_and_rows_that_are_not_records_make_no_difference(filled: Fairdeal, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        games = [row[0] for row in database.execute("SELECT DISTINCT originator_id FROM stored_events")]
        for game, damage in zip(
            games,
            ("originator_version='one'", "topic=7", "state='text'", "topic=CAST(X'FF' AS TEXT)", "state=X'00'"),
            strict=False,
        ):
            database.execute(
                f"UPDATE stored_events SET {damage} WHERE originator_id=? AND originator_version=2", (game,)
            )
    alone = list(filled.audit_all())
    assert sum(not report.good for report in alone) >= 5
    assert list(filled.audit_all(jobs=2)) == alone


def test_what_was_found_before_the_ledger_turns_out_to_be_tampered_with_is_told_first(
    filled: Fairdeal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_audit, "PAGE", 4)
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        database.execute("UPDATE stored_events SET originator_id='mine' WHERE rowid=1")

    def told(jobs: int) -> list[Report]:
        reports: list[Report] = []
        with pytest.raises(TamperedLedger):
            reports.extend(filled.audit_all(jobs=jobs))
        return reports

    assert told(1)
    assert told(2) == told(1)


def test_an_empty_ledger_needs_no_process(fairdeal: Fairdeal) -> None:
    lost = Receipt(uuid4(), 3, "00" * 32)
    assert list(fairdeal.audit_all([lost], jobs=2)) == list(fairdeal.audit_all([lost]))


def test_a_ledger_in_memory_is_audited_where_it_is() -> None:
    with Fairdeal("memory:") as fairdeal:
        receipts = fill(fairdeal)
        reports = fairdeal.audit_all(receipts, jobs=3)
        assert next(reports) == next(fairdeal.audit_all(receipts))
        assert active_children() == []
        assert list(reports) == list(fairdeal.audit_all(receipts))[1:]


@pytest.mark.parametrize("jobs", [0, -1])
def test_less_than_one_process_is_refused(fairdeal: Fairdeal, jobs: int) -> None:
    with pytest.raises(InvalidQuery, match=f"jobs: expected 1 or more, not {jobs}"):
        fairdeal.audit_all(jobs=jobs)


# -- games of an embedder --------------------------------------------------------------------------------------------


def test_processes_know_exactly_the_games_that_are_registered(address: str) -> None:
    with Fairdeal(address, kinds={"house": HOUSE, "red7": KINDS["red7"]}) as fairdeal:
        game = fairdeal.start_game("house", ["ann", "bob"]).game_id
        fairdeal.move(game, "ann", fairdeal.look(game, "ann").legal[0])
        for kind in KINDS:
            fairdeal.ledger.append(recorded_game(KINDS[kind], most=25))
        alone = {report.kind: report for report in fairdeal.audit_all()}
        assert [kind for kind, report in alone.items() if report.legal.grade is Grade.YES] in (
            ["house", "red7"], ["red7", "house"],
        )  # fmt: skip
        assert {report.kind: report for report in fairdeal.audit_all(jobs=2)} == alone


def test_a_game_that_cannot_be_sent_is_refused_before_anything_starts(address: str) -> None:
    def decide(draft: Any, seat: int, move: Any, chance: Any) -> None: ...

    with Fairdeal(address, kinds={"house": changed(HOUSE, decide=decide)}) as fairdeal:
        with pytest.raises(NotSendable, match=r"cannot be sent .*decide.* audit with jobs=1"):
            fairdeal.audit_all(jobs=2)
        assert list(fairdeal.audit_all(jobs=1)) == []


def test_a_game_that_processes_cannot_import_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only_here = ModuleType("only_here")
    exec("def decide(draft, seat, move, chance): ...", only_here.__dict__)
    monkeypatch.setitem(sys.modules, "only_here", only_here)
    with Fairdeal(address, kinds={"house": changed(HOUSE, decide=only_here.decide)}) as fairdeal:
        fairdeal.start_game("house", ["ann", "bob"])
        with pytest.raises(NotSendable, match=r"No module named 'only_here'.* audit with jobs=1"):
            list(fairdeal.audit_all(jobs=2))


# -- what goes wrong in a process ------------------------------------------------------------------------------------


def test_a_ledger_that_fails_in_a_process_is_the_error_that_it_is(filled: Fairdeal, tmp_path: Path) -> None:
    (tmp_path / "poem.db").write_text("Roses are red, this is not a database\n" * 99, encoding="utf-8")
    address = f"sqlite:///{tmp_path / 'poem.db'}"
    with pytest.raises(NotALedger, match=r"poem\.db is not an SQLite database"):
        list(ordered.audit_in_processes(filled.ledger, address, KINDS, (), 2))


def test_errors_come_home_as_they_are() -> None:
    error = DamagedRecord(uuid4(), 7, "why not")
    found = pickle.loads(pickle.dumps(Failure.of(error))).error()
    assert (type(found), str(found), vars(found)) == (DamagedRecord, error.message, vars(error))


class Vanishing(Rules[Any, Any, Any, Any, Any]):
    """Rules that are there when they are sent, and gone when they arrive."""

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(None), ()


def test_a_process_that_fails_is_one_clear_error(filled: Fairdeal, address: str) -> None:
    vanishing = Vanishing(**{field.name: getattr(HOUSE, field.name) for field in fields(HOUSE)})
    kinds: dict[str, Any] = {**KINDS, "house": vanishing}
    with pytest.raises(WorkerLost, match=r"failed \(KeyError.*audit with jobs=1"):
        list(ordered.audit_in_processes(filled.ledger, address, kinds, (), 2))


def test_games_that_a_process_does_not_find_are_told(filled: Fairdeal, tmp_path: Path) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'other.db'}"
    Fairdeal(elsewhere).close()  # an empty ledger, in which the games are missing
    reports = list(ordered.audit_in_processes(filled.ledger, elsewhere, KINDS, (), 2))
    assert {report.untouched.why for report in reports} == {
        "the ledger lists this game, but none of its records is found"
    }


def test_a_process_reads_where_nobody_may_write() -> None:
    with folder_for_everybody() as folder:
        path = folder / "games.db"
        with Fairdeal(f"sqlite:///{path}") as fairdeal:
            game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
        path.chmod(0o444)
        folder.chmod(0o555)
        mine, theirs = CONTEXT.Pipe()
        process = new_process(work_as_a_stranger, theirs, WorkerTask(f"sqlite:///{path}", packed(KINDS), {}))
        mine.send_bytes(game.bytes)
        assert mine.poll(60)
        ((report, _),) = mine.recv()
        assert (report.game_id, report.good) == (game, True)
        mine.close()
        theirs.close()
        process.join()
        assert list(folder.iterdir()) == [path]


def test_a_program_without_a_guard_is_told_so(filled: Fairdeal, tmp_path: Path) -> None:
    lines = [
        "from fairdeal import Fairdeal",
        "fairdeal = Fairdeal('sqlite:///games.db')",
        "list(fairdeal.audit_all(jobs=2))",
    ]
    (tmp_path / "careless.py").write_text("\n".join(lines), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "careless.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert 'WorkerLost: The program must be guarded by if __name__ == "__main__":' in done.stderr
    assert 'exit status 1; is the program guarded by if __name__ == "__main__":?' in done.stderr.splitlines()[-1]


def test_a_process_that_ends_is_one_clear_error(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        fairdeal.ledger.append(recorded_game(PARDON, most=25))
    with Fairdeal(address, kinds={"pardon": DEADLY}) as fairdeal, pytest.raises(WorkerLost, match="exit status 3"):
        list(fairdeal.audit_all(jobs=2))


@pytest.mark.usefixtures("one_by_one")
def test_a_process_that_is_killed_is_one_clear_error(filled: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    # So few that there is work left for either process, however much faster the other one was born.
    monkeypatch.setattr(ordered, "MOST_RUNS", 2)
    reports = filled.audit_all(jobs=2)
    next(reports)
    victim = active_children()[0]
    os.kill(victim.pid or 0, signal.SIGKILL)
    with pytest.raises(WorkerLost, match=r"died \(signal 9;.* the audit is not complete"):
        list(reports)


@pytest.mark.usefixtures("one_by_one")
def test_whoever_closes_it_early_ends_the_processes(filled: Fairdeal) -> None:
    reports = filled.audit_all(jobs=2)
    next(reports)
    children = active_children()
    assert len(children) == 2
    reports.close()
    assert not any(child.is_alive() for child in children)


@pytest.mark.usefixtures("one_by_one")
def test_processes_do_not_hear_interrupts_from_their_birth_on(filled: Fairdeal) -> None:
    heard: set[int] = set()
    over = Event()

    def interrupt() -> None:
        while not over.wait(0.002):
            for pid in newborn():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGINT)
                    heard.add(pid)

    thread = Thread(target=interrupt)
    thread.start()
    try:
        reports = list(filled.audit_all(jobs=2))
    finally:
        over.set()
        thread.join()
    assert reports == list(filled.audit_all())
    assert len(heard) == 2


def newborn() -> list[int]:
    """The processes that this one has started for an audit, as soon as they can be told from others."""
    found: list[int] = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if "multiprocessing.spawn" in " ".join(child.cmdline()):
                found.append(child.pid)
    return found
