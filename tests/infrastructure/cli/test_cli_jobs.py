"""`fairdeal audit --jobs`: the same output, and nothing is left of it when it is interrupted or killed."""

import os
import signal
import subprocess
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal, Receipt
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli.app import app
from fairdeal.infrastructure.cli.commands import audit
from fairdeal.testing.recorded import recorded_game
from kits.process_groups import group, wait_until_nobody_is_left

GAME = recorded_game(KINDS["kings_corners"])
RUNNING = recorded_game(KINDS["pardon"], most=40)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a ledger of two games, one of them without its last record."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRDEAL_LEDGER", "sqlite:///games.db")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        fairdeal.ledger.append(GAME[:-1])
        fairdeal.ledger.append(RUNNING)


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["audit", *arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("more", [(), ("--json",), ("--receipt", f"{RUNNING[0].game_id}:9:{RUNNING[8].link.hex()}")])
def test_several_processes_say_the_same_as_one(more: tuple[str, ...]) -> None:
    alone = run("--jobs", "1", *more)
    assert alone[0] == 1
    assert run("--jobs", "2", *more) == alone


@pytest.mark.parametrize("jobs", ["0", "-3"])
def test_less_than_one_process_is_a_sentence(jobs: str) -> None:
    sentence = f"cannot_do: --jobs {jobs} makes no sense: it takes at least one process to audit.\n"
    assert run("--jobs", jobs) == (2, "", sentence)


@pytest.mark.parametrize(("large", "jobs"), [(10**9, 1), (1, 3)])
def test_a_large_ledger_gets_a_process_for_every_core(monkeypatch: pytest.MonkeyPatch, large: int, jobs: int) -> None:
    asked: list[int] = []
    audit_all = Fairdeal.audit_all

    def noticed(fairdeal: Fairdeal, receipts: Iterable[Receipt] = (), *, jobs: int = 1, **more: Any) -> Any:
        asked.append(jobs)
        return audit_all(fairdeal, receipts, **more)

    def cores(process: int) -> set[int]:
        return {0, 2, 5}

    monkeypatch.setattr(Fairdeal, "audit_all", noticed)
    monkeypatch.setattr(audit, "LARGE", large)
    monkeypatch.setattr(os, "sched_getaffinity", cores, raising=False)
    run()
    assert asked == [jobs]


# -- what is left of it ----------------------------------------------------------------------------------------------


@contextmanager
def stuck_audit() -> Generator[subprocess.Popen[str]]:
    """An audit by two processes that has begun to speak, and cannot end because nobody hears it out."""
    with Fairdeal("sqlite:///many.db") as fairdeal:
        for number in range(300):
            fairdeal.ledger.append(recorded_game(KINDS["pardon"], number, most=1))
    with group("audit", "--json", "--jobs", "2", "--ledger", "sqlite:///many.db") as audit:
        assert audit.stdout is not None
        assert audit.stdout.readline().startswith('{"game"')
        yield audit


def test_an_interrupt_ends_all_processes_without_a_traceback() -> None:
    with stuck_audit() as audit:
        os.killpg(audit.pid, signal.SIGINT)  # as a terminal does: to all of them
        assert audit.wait(60) == 130
        assert audit.stderr is not None
        assert audit.stderr.read() == ""
        wait_until_nobody_is_left(audit.pid)


def test_processes_do_not_outlive_an_audit_that_is_killed() -> None:
    with stuck_audit() as audit:
        audit.kill()
        audit.wait(60)
        wait_until_nobody_is_left(audit.pid)
