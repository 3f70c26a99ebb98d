"""The command `fairdeal` as a process: interrupted at any moment, and with an output that takes nothing."""

import os
import shlex
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from subprocess import PIPE

import pytest

from fairdeal import Fairdeal
from kits.cli import ID, prepared, run
from kits.terminal import Terminal

SOURCE = str(Path(__file__).parents[3] / "src")
FULL = Path("/dev/full")

SCRIPT = """
import os, sys

class Bell:
    def find_spec(name, *_):
        if name == "fairdeal.infrastructure.cli.app":
            os.write(2, b".")

sys.path.insert(0, {source!r})
sys.meta_path.insert(0, Bell)
from fairdeal.__main__ import main
sys.argv = ["fairdeal", *{arguments!r}]
main()
"""
"""What the installed script does; and it says when loading begins: before that, Python itself is being started."""


def begun(*arguments: str, first: str = "") -> subprocess.Popen[bytes]:
    """A command that has just begun to load what it needs, after something else was done."""
    script = first + SCRIPT.format(source=SOURCE, arguments=arguments)
    child = subprocess.Popen([sys.executable, "-c", script], stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert child.stderr is not None
    assert child.stderr.read(1) == b"."
    return child


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


@pytest.mark.parametrize("seconds", [0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1])
def test_an_interrupt_is_status_130_at_any_moment(place: Path, seconds: float) -> None:
    # In the end it waits for a word, so that it is there to be interrupted, however quick it is.
    with begun("replay", ID, "--step", "--ledger", "sqlite:///games.db") as child:
        time.sleep(seconds)
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 130
        assert child.stderr is not None
        assert child.stderr.read() == b""


HALF_MADE = """
import os, signal, time
from eventsourcing.persistence import ConnectionPool
def interrupted(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(30)
ConnectionPool.__init__ = interrupted
"""


def test_what_is_half_made_when_an_interrupt_comes_says_nothing(place: Path) -> None:
    with begun("replay", ID, "--ledger", "sqlite:///games.db", first=HALF_MADE) as child:
        assert child.wait(30) == 130
        assert child.stderr is not None
        assert child.stderr.read() == b""


THROWN_AWAY = """
import os, signal, time
from eventsourcing.persistence import ConnectionPool
class Interrupted:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30)
made = ConnectionPool.__init__
def make(*given, **more):
    Interrupted()  # and thrown away at once
    made(*given, **more)
ConnectionPool.__init__ = make
"""


def test_an_interrupt_that_comes_while_something_is_thrown_away_is_not_lost(place: Path) -> None:
    with begun("replay", ID, "--step", "--ledger", "sqlite:///games.db", first=THROWN_AWAY) as child:
        assert child.wait(30) == 130
        assert child.stderr is not None
        assert child.stderr.read() == b""


def test_who_was_told_to_ignore_interrupts_goes_on(place: Path) -> None:
    """As a shell tells what it runs in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = begun("audit", "--ledger", "sqlite:///games.db")
    finally:
        signal.signal(signal.SIGINT, before)
    child.send_signal(signal.SIGINT)
    said, complained = child.communicate(timeout=60)
    assert (child.returncode, complained) == (0, b"")
    assert b"all good" in said


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [("--help",), ("--version",), (), ("checkpoint", "--help"), ("games",)])
def test_an_output_without_room_is_a_sentence(place: Path, arguments: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = module(*arguments, stdout=full.fileno())
    told = done.stderr.decode()
    if arguments:
        assert (done.returncode, told) == (2, "cannot_do: The output cannot be used: No space left on device.\n")
    else:
        assert (done.returncode, "Traceback" in told) == (2, False)  # the help goes to the error stream


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_that_nobody_reads_is_not_a_finding(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = module(*arguments, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def module(*arguments: str, stdout: int) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-m", "fairdeal", *arguments]
    return subprocess.run(command, env=environment, stdout=stdout, stderr=subprocess.PIPE, check=False)


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"fairdeal {version('fairdeal')}\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_whoever_closes_the_input_or_an_output_gets_no_traceback_and_whole_files(place: Path, closed: str) -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    for arguments, status in (
        (f"export {ID} -o game.log", 0),
        ("games", 0),
        ("simulate red7 --bots random,random --games 2 --save", 0),
        ("games --kind nonsense", 2),
    ):
        line = f"{shlex.quote(sys.executable)} -m fairdeal {arguments} {closed}"
        done = subprocess.run(["/bin/sh", "-c", line], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert "Traceback" not in done.stderr
    run("verify", "game.log")
    run("audit", "--ledger", "sqlite:///games.db")


def test_signs_that_a_terminal_cannot_show_are_question_marks_and_exports_stay_whole(place: Path) -> None:
    with Fairdeal("sqlite:///games.db") as fairdeal:
        game = str(fairdeal.start_game("kings_corners", ["Zoë ♥", "bob"]).game_id)
    environment = {**os.environ, "PYTHONPATH": SOURCE, "PYTHONIOENCODING": "latin-1"}

    def said(*arguments: str) -> bytes:
        command = [sys.executable, "-m", "fairdeal", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    for shown in (said("replay", game, "--version", "5"), said("games")):
        assert "Zoë ?".encode("latin-1") in shown
    assert b"?" in said("rules", "red7")
    (place / "game.log").write_bytes(said("export", game))
    run("verify", "game.log")


def test_a_terminal_without_suits_tells_cards_by_their_letters(place: Path) -> None:
    with Terminal("replay", ID, environment={"PYTHONIOENCODING": "latin-1"}) as terminal:
        assert terminal.status() == 0
        assert "opens the table" in terminal.shown
        assert "?" not in terminal.shown
