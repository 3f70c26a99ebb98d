"""A little of each campaign that kills and cuts nothing; others have tests of their own, and `make attack` runs all."""

import json
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from campaigns import worlds
from campaigns.__main__ import CAMPAIGNS
from fairdeal.application.catalogue import KINDS
from fairdeal.testing import changed
from kits.processes import in_processes

LITTLE = ("lost_tails", "worlds", "logs", "databases", "rewritten_pasts", "proofs", "commands", "words")
SECONDS = 1.0


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("name", LITTLE)
def test_a_little_of_a_campaign_breaks_nothing(name: str) -> None:
    (done,) = in_processes(import_module(f"campaigns.{name}").run, [(1, SECONDS)])
    assert done.breaks == []
    assert done.tries > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_shows_its_cards_to_everybody_breaks_the_campaign_of_worlds(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def shown(event: Any, seat: int | None) -> Any:
        return event

    monkeypatch.setattr(worlds, "KINDS", {kind: changed(KINDS[kind], redact=shown)})
    done = worlds.run(1, SECONDS)
    assert done.breaks
    assert "can tell" in done.breaks[0]


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
