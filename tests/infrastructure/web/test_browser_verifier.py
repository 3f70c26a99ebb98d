"""The page's verifier agrees with the Python verifier on every log that the tests make, good or forged."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parents[2]
DENO: str = import_module("deno").find_deno_bin()
JUDGE = Path(__file__).with_name("judge.js")


def test_it_finds_every_forgery_that_the_python_verifier_finds_and_passes_every_log_that_passes(tmp_path: Path) -> None:
    rooms = sorted(TESTS.rglob("test_verifier*.py")) + sorted(TESTS.rglob("test_golden.py"))
    rooms += sorted(TESTS.rglob("test_attacks.py")) + sorted(TESTS.rglob("test_files.py"))
    asked = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "kits.verdict_recorder", "-p", "no:cacheprovider",
         "-k", "not every_byte_of_a_file", *map(str, rooms)],
        env={**os.environ, "FAIRDEAL_VERDICTS": str(tmp_path), "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""},
        cwd=TESTS.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stdout[-2000:]
    judged = subprocess.run(
        [DENO, "run", "--no-config", f"--allow-read={tmp_path}", str(JUDGE), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert judged.stdout == ""
    assert judged.returncode == 0, judged.stderr
    counts = json.loads(judged.stderr.splitlines()[-1])
    assert counts["good"] > 100
    assert counts["bad"] > 200
