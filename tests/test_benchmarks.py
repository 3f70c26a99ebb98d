"""The benchmark runs and writes down what it found; how fast things are is no test's business."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
KINDS = {
    *("import fairdeal", "random play", "stored state per move", "replay from SQLite", "full audit from SQLite"),
    "replay of a whole ledger from SQLite",
    "full audit of a whole ledger from SQLite, two processes",
} | {
    f"durable {what}, {database}"
    for what in ("command, one caller", "commands, 32 callers")
    for database in ("SQLite", "PostgreSQL")
}


@pytest.mark.xdist_group("postgres")
def test_the_benchmark_measures_everything_and_writes_it_down(tmp_path: Path, postgres: str) -> None:
    found = tmp_path / "found.json"
    command = [sys.executable, "-m", "benchmarks", "--tiny", "--json", str(found), "--postgres", postgres]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(found.read_text(encoding="utf-8"))["figures"]
    assert {figure["what"] for figure in figures} >= KINDS
    assert all(figure["value"] > 0 for figure in figures if figure["what"] != "import fairdeal")
    assert all(name in done.stdout for name in KINDS)
