"""A runner thread lets commands of its process go first (ADR 84); whoever folds alone does not wait for anybody."""

from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from fairdeal import Fairdeal
from fairdeal.infrastructure.readmodels.folding import projector
from fairdeal.infrastructure.readmodels.folding.dead_letters import FEW
from fairdeal.testing.workload import fill
from kits.readmodels import rows

EVENTS = 300


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(projector, "sleep", found.append)
    return found


def wait_until(what: Callable[[], bool]) -> None:
    for _ in range(6000):
        if what():
            return
        sleep(0.01)
    raise AssertionError("it does not come")


def test_a_runner_thread_pauses_between_a_few_records(tmp_path: Path, pauses: list[float]) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        stored = fill(fairdeal.ledger, fairdeal.codec, EVENTS)
        runner = fairdeal.read.start_runner()
        wait_until(lambda: runner.status.position >= stored)
        runner.stop()
        assert len(pauses) >= stored // FEW
        politely = rows(fairdeal.read.database)
        fairdeal.read.rebuild()
        assert rows(fairdeal.read.database) == politely


def test_whoever_folds_alone_does_not_pause(tmp_path: Path, pauses: list[float]) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, EVENTS)
        fairdeal.read.catch_up()
        fairdeal.read.rebuild()
        assert pauses == []
