"""A little of each campaign that needs no server; the others have tests of their own, and all run in `make attack`."""

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest

from campaigns.__main__ import CAMPAIGNS
from kits.processes import in_processes

LITTLE = ("lost_tails", "worlds", "logs", "databases", "rewritten_pasts", "proofs", "commands", "words")
SECONDS = 1.0


@pytest.mark.parametrize("name", LITTLE)
def test_a_little_of_a_campaign_breaks_nothing(name: str) -> None:
    (done,) = in_processes(import_module(f"campaigns.{name}").run, [(1, SECONDS)])
    assert done.breaks == []
    assert done.tries > 0


def test_every_campaign_can_be_run_alone() -> None:
    for name in CAMPAIGNS:
        assert callable(import_module(f"campaigns.{name}").run)


def test_a_break_is_told_and_is_the_status() -> None:
    program = """
import sys
from campaigns import __main__ as main
from campaigns.tally import Tally
main.in_a_process = lambda *_: Tally(7, ["the sky fell"])
sys.argv[1:] = ["--only", "logs", "--seed", "3", "--seconds", "1"]
sys.exit(main.main())
"""
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=here, check=False)
    assert done.returncode == 1, done.stderr
    assert "logs: the sky fell" in done.stdout
    assert "seed 3" in done.stdout
    alone = [sys.executable, "-m", "campaigns", "--alone", "--only", "proofs", "--seed", "3", "--seconds", "0"]
    told = json.loads(subprocess.check_output(alone, env=here))
    assert told["tries"] > 0
    assert told["breaks"] == []
