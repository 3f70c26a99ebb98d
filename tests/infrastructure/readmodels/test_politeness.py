"""A runner thread lets commands of its process go first (ADR 84); whoever folds alone does not wait for anybody."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, select

from fairdeal import Fairdeal
from fairdeal.infrastructure.readmodels.folding import projector
from fairdeal.infrastructure.readmodels.folding.dead_letters import FEW
from fairdeal.infrastructure.readmodels.projections.base import (
    FEW_ROWS,
    MORE_ROWS,
    append,
    give_way,
    in_the_background,
    upsert,
)
from fairdeal.testing.workload import fill
from kits.readmodels import rows
from kits.waiting import until

EVENTS = 300


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(projector, "sleep", found.append)
    return found


def test_a_runner_thread_pauses_between_a_few_records(tmp_path: Path, pauses: list[float]) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        stored = fill(fairdeal.ledger, fairdeal.codec, EVENTS)
        runner = fairdeal.read.start_runner()
        until(lambda: runner.status.position >= stored)
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


KEPT = Table("kept", MetaData(), Column("key", Integer, primary_key=True), Column("text", String(10)))
MANY = 3 * MORE_ROWS


def test_who_writes_in_the_background_pauses_after_statements_and_between_rows(address: str) -> None:
    pauses: list[object] = []

    def pauses_of(act: Callable[[], object]) -> int:
        pauses.clear()
        act()
        return len(pauses)

    with Fairdeal(address) as fairdeal, fairdeal.read.database.writing() as connection:
        in_the_background(connection, lambda: pauses.append(None))
        assert pauses_of(lambda: KEPT.create(connection, checkfirst=False)) == 1
        assert pauses_of(lambda: append(connection, KEPT, [(key, "old") for key in range(MANY)])) == MANY // MORE_ROWS
        new = [{"key": key, "text": "new"} for key in range(2 * FEW_ROWS + 1)]
        assert pauses_of(lambda: upsert(connection, KEPT, new)) == 3
        assert pauses_of(lambda: give_way(connection)) == 1
        found = connection.execute(select(KEPT.c.text).order_by(KEPT.c.key)).scalars().all()
        assert found == ["new"] * len(new) + ["old"] * (MANY - len(new))


def test_nobody_else_pauses_on_the_same_connection(address: str) -> None:
    pauses: list[object] = []
    with Fairdeal(address) as fairdeal:
        with fairdeal.read.database.writing() as connection:
            in_the_background(connection, lambda: pauses.append(None))
        with fairdeal.read.database.writing() as connection:
            give_way(connection)
            connection.execute(select(1))
        assert pauses == []
