"""`fairdeal simulate --jobs`: the same figures, quickly begun, and nothing is left of it however it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import NoReturn

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli import side_by_side
from fairdeal.infrastructure.cli.kinds import rules_of
from fairdeal.infrastructure.cli.side_by_side import Context, GamesToPlay, simulation
from fairdeal.infrastructure.cli.simulation import Match, Played, games_of
from kits.cli import prepared, refused
from kits.process_groups import SOURCE, group, wait_until_nobody_is_left

MATCH = Match("red7", rules_of("red7").setup.presets["basic"], ("careful", "random"), seed=3, keeps_moves=True)
LONG = ("simulate", "pardon", "--bots", "strong,strong", "--games", "100000", "--jobs", "3")
FORKED, SPAWNED = get_context("fork"), get_context("spawn")

ODD = """
import multiprocessing, os
from dataclasses import replace
from fairdeal.domain.red7.game import RED7


def alone(act):
    def choose(view, legal, rng):
        if multiprocessing.parent_process() is not None:
            act()
        return legal[0]
    return choose


def fail():
    raise ValueError("I cannot play")


ODD = replace(RED7, kind="odd", bots={"dies": alone(lambda: os.kill(os.getpid(), 9)), "fails": alone(fail)})
"""
"""A game from outside, whose bots play well only in the process that was started first."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "odd_games.py").write_text(ODD, encoding="utf-8")
    return prepared(tmp_path, monkeypatch)


def by(context: Context, monkeypatch: pytest.MonkeyPatch, *, games: int, jobs: int) -> list[Played]:
    monkeypatch.setattr(side_by_side, "_context", lambda: context)
    with simulation(MATCH, games, jobs) as playing:
        return sorted(playing, key=lambda played: played.number)


@pytest.mark.parametrize(("context", "jobs"), [(FORKED, 2), (FORKED, 5), (SPAWNED, 2)])
def test_processes_play_each_game_once_and_as_it_is_played_alone(
    context: Context, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert by(context, monkeypatch, games=300, jobs=jobs) == list(games_of(MATCH, range(300)))


def test_there_are_no_more_processes_than_games(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(by(FORKED, monkeypatch, games=2, jobs=256)) == 2


@pytest.mark.parametrize(("games", "jobs"), [(1, 1), (3, 2), (4000, 2), (100_000, 7)])
def test_all_games_are_taken_in_portions_that_get_smaller(games: int, jobs: int) -> None:
    to_play, portions = GamesToPlay(FORKED, games, jobs), list[range]()
    while portion := to_play.take():
        portions.append(portion)
    assert [number for portion in portions for number in portion] == list(range(games))
    sizes = list(map(len, portions))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= max(1, games // jobs // 16)
    assert sizes[-1] == 1


def test_one_game_is_known_without_loading_the_others() -> None:
    code = "import sys; from fairdeal.infrastructure.cli.kinds import rules_of; rules_of('red7'); print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    loaded = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    games = {name.split(".")[2] for name in loaded.stdout.split() if name.startswith("fairdeal.domain.")}
    assert games == {"kernel", "red7"}
    for kind, rules in KINDS.items():
        assert rules_of(kind) is rules


@pytest.mark.parametrize(
    ("bot", "told"), [("dies", "died (signal 9; is memory scarce?)"), ("fails", "failed (ValueError('I cannot play'))")]
)
def test_a_process_that_does_not_play_to_the_end_is_a_sentence(bot: str, told: str) -> None:
    asked = ("simulate", "odd", "--kinds", "odd_games:ODD", "--bots", f"{bot},{bot}", "--games", "5000", "--jobs", "2")
    with group(*asked) as simulating:
        said, complained = simulating.communicate(timeout=60)
    assert (simulating.returncode, said) == (2, "")
    assert complained == f"cannot_do: A process that was playing {told}: try it with --jobs 1.\n"


def test_processes_that_cannot_be_started_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(SpawnContext):
        def Lock(self) -> NoReturn:  # noqa: N802 – as the context calls it
            raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(side_by_side, "_context", Full)
    told = refused("simulate", "red7", "--bots", "random,random", "--games", 9, "--jobs", 9)
    assert "could not be started ([Errno 11] Resource temporarily unavailable)" in told
    assert "fewer --jobs" in told


# -- what is left of it ----------------------------------------------------------------------------------------------


def wait_until_all_play(group_id: int, processes: int) -> None:
    """Until so many processes of the group have used the processor for a while after they were started."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if sum(spent >= 0.05 for spent in times_of(group_id)) >= processes:
            return
        time.sleep(0.01)
    raise AssertionError("not all of them play")


def times_of(group_id: int) -> Sequence[float]:
    """Seconds of processor time of each process of a group."""
    found = list[float]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group_id:
            found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return found


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no list of processes in /proc")


@needs_proc
def test_an_interrupt_ends_all_processes_at_once_without_a_traceback() -> None:
    with group(*LONG) as simulating:
        wait_until_all_play(simulating.pid, 3)
        os.killpg(simulating.pid, signal.SIGINT)  # as a terminal does: to all of them
        said, complained = simulating.communicate(timeout=10)
        assert (simulating.returncode, said, complained) == (130, "", "")
        wait_until_nobody_is_left(simulating.pid)


@needs_proc
def test_processes_do_not_outlive_a_simulation_that_is_killed() -> None:
    with group(*LONG) as simulating:
        wait_until_all_play(simulating.pid, 3)
        simulating.kill()
        simulating.wait(60)
        wait_until_nobody_is_left(simulating.pid)
