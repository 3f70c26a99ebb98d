"""The benchmark runs and writes down what it found; how fast things are is not for tests to say."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
IN_PLAIN_PYTHON = {
    *("import fairdeal", "replay of a whole ledger from SQLite"),
    *("events(after=head-1) of a long game", "memory of a follower", "durable commands, AsyncFairdeal, 32 callers"),
    *("commit to follower, same process, SQLite", "commit to follower, from another process, PostgreSQL"),
    "full audit of a whole ledger from SQLite, two processes",
}
IN_BOTH_BUILDS = {
    *("random play", "stored state per move", "replay from SQLite", "full audit from SQLite"),
    "load: 32 games, 32 moves, 32 callers",
} | {
    f"durable {what}, {database}"
    for what in ("command, one caller", "commands, 32 callers")
    for database in ("SQLite", "PostgreSQL")
}
KINDS = IN_PLAIN_PYTHON | IN_BOTH_BUILDS | {f"{kind}, compiled build" for kind in IN_BOTH_BUILDS}


@pytest.mark.xdist_group("postgres")
def test_the_benchmark_measures_everything_and_writes_it_down(tmp_path: Path, postgres: str) -> None:
    found = tmp_path / "found.json"
    # What stands for the compiled build here is not compiled: both are measured in the same way.
    places = ["--postgres", postgres, "--compiled", "src"]
    command = [sys.executable, "-m", "benchmarks", "--tiny", "--json", str(found), *places]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(found.read_text(encoding="utf-8"))["figures"]
    assert {figure["what"] for figure in figures} >= KINDS
    assert all(figure["value"] > 0 for figure in figures if figure["what"] != "import fairdeal")
    assert all(name in done.stdout for name in KINDS)


def test_two_runs_are_compared_and_differences_within_the_noise_are_called_that(tmp_path: Path) -> None:
    def run(name: str, value: float) -> Path:
        figure = {"what": "random play", "game": "red7", "value": value, "ratio": None, "spread": 0.02}
        kept = tmp_path / name
        kept.write_text(json.dumps({"noise": {"usual": 0.01, "most": 0.3}, "figures": [figure]}), encoding="utf-8")
        return kept

    old = run("old.json", 100.0)
    assert "within the noise (5%)" in compared(old, run("same.json", 104.0))
    assert "more, by value" in compared(old, run("faster.json", 110.0))


def compared(old: Path, new: Path) -> str:
    command = [sys.executable, "-m", "benchmarks.compare", str(old), str(new)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


@pytest.mark.xdist_group("postgres")
def test_growth_is_measured_and_drawn(tmp_path: Path, postgres: str) -> None:
    picture = tmp_path / "growth.svg"
    sizes = ["--events", "50", "300", "--games", "20", "--long", "300"]
    words = [*sizes, "--postgres", postgres, "--plot", str(picture)]
    command = [sys.executable, "-m", "benchmarks.growth", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert all(what in done.stdout for what in ("command", "projection step", "games served", "a game of"))
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_the_benchmark_of_http_prints_every_bar(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    command = [sys.executable, "-m", "benchmarks.http", "--tiny", "--json", str(found)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(found.read_text(encoding="utf-8"))
    assert [figure["what"] for figure in figures] == [
        "durable moves over HTTP, 16 callers",
        "processor time of a durable move over HTTP",
        "GET look, 16 callers",
        "join payload, a long game beside a short one",
        "memory of an idle stream",
        "a move until spectators have it",
    ]
    assert all(figure["what"] in done.stdout for figure in figures)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize(
    ("module", "words", "told"),
    [
        ("writers", ["--tiny", "--postgres"], ("bare", "ledger", "schemas", "fence", "PostgreSQL, commit", "SQLite,")),
        ("checkpoints", ["--records", "200", "400", "--new", "50"], ("over everything",)),
    ],
)
def test_figures_for_operators_are_printed(module: str, words: list[str], told: tuple[str, ...], postgres: str) -> None:
    given = [postgres] if "--postgres" in words else []
    command = [sys.executable, "-m", f"benchmarks.{module}", *words, *given]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [word for word in told if word not in done.stdout] == []
