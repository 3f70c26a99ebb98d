"""Whoever fills empty tables makes the indexes afterwards; whatever comes in between, they are made."""

from collections.abc import Iterator

import pytest
from sqlalchemy import inspect, select

from fairdeal import Fairdeal
from fairdeal.infrastructure.readmodels.folding import projector
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.infrastructure.readmodels.tables import RATING_STEPS, TIMELINE
from fairdeal.testing.workload import fill
from kits.readmodels import clean_run, rows

ALL = {str(index.name) for table in (TIMELINE, RATING_STEPS) for index in table.indexes}
EVENTS = 600


@pytest.fixture(autouse=True)
def worth_it_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "WORTH_IT", 100)


@pytest.fixture
def busy(address: str) -> Iterator[Fairdeal]:
    with Fairdeal(address) as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, EVENTS, tables=6)
        yield fairdeal


def side(fairdeal: Fairdeal, *projections: Projection) -> ReadSide:
    """Another one on the same tables, as a process of its own would have it."""
    where = fairdeal.read.database.engine
    return ReadSide(
        fairdeal.ledger,
        fairdeal.codec,
        fairdeal.kinds,
        address="memory:",
        where=where,
        projections=projections,
        batch=200,
    )


def indexes(fairdeal: Fairdeal) -> set[str]:
    look = inspect(fairdeal.read.database.engine)
    return {str(one["name"]) for table in (TIMELINE, RATING_STEPS) for one in look.get_indexes(table.name)}


class BrokenOff(Exception):
    pass


def break_off(read: ReadSide, target: int = EVENTS) -> None:
    """After the first transaction that has folded something."""

    def over(reached: int) -> None:
        if reached:
            raise BrokenOff

    with pytest.raises(BrokenOff):
        read._projector.catch_up(target, after_each=over)  # pyright: ignore[reportPrivateUsage]


def test_indexes_are_made_at_the_end_and_rows_are_those_of_any_other_run(
    busy: Fairdeal, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    class Looking(Projection):
        name = "looking"

        def fold(self, connection: object, events: object) -> None:
            seen.append(len(indexes(busy)))

    side(busy, Looking()).catch_up()
    assert set(seen) == {0}
    assert indexes(busy) == ALL
    monkeypatch.setattr(projector, "WORTH_IT", 10**9)
    assert rows(busy.read.database, (TIMELINE,)) == {TIMELINE.name: clean_run(busy, elsewhere)[TIMELINE.name]}


def test_who_comes_after_one_that_was_broken_off_makes_the_indexes(busy: Fairdeal) -> None:
    break_off(side(busy))
    assert indexes(busy) == set()
    busy.read.games()
    assert indexes(busy) == ALL


def test_who_has_seen_all_indexes_looks_again_when_others_were_at_work(busy: Fairdeal) -> None:
    busy.read.catch_up()
    with busy.read.database.writing() as connection:
        for name in ALL:
            connection.exec_driver_sql(f"DROP INDEX {name}")
    fill(busy.ledger, busy.codec, 20, tables=2, first=1000)
    break_off(side(busy), busy.ledger.head() + 1000)
    fill(busy.ledger, busy.codec, 20, tables=2, first=2000)
    busy.read.games()
    assert indexes(busy) == ALL


def test_who_folds_only_what_is_new_keeps_the_indexes(busy: Fairdeal) -> None:
    busy.read.catch_up()
    head = busy.ledger.head()
    fill(busy.ledger, busy.codec, EVENTS, tables=6, first=1000)
    break_off(side(busy), busy.ledger.head())
    assert busy.read.progress().position > head
    assert indexes(busy) == ALL


def test_nobody_waits_for_who_reads_and_nobody_who_reads_waits(busy: Fairdeal) -> None:
    with busy.read.database.reading() as connection:
        assert connection.execute(select(TIMELINE.c.position)).first() is None
        if busy.read.database.dialect == "sqlite":
            return  # there readers and the one writer never wait for one another
        break_off(side(busy))
        assert indexes(busy) == ALL, "they could be removed only by who has the tables alone"
        assert connection.execute(select(TIMELINE.c.position)).first() is None
    busy.read.catch_up()
    assert indexes(busy) == ALL


def test_a_rebuild_makes_them_once_where_the_rows_are_copied_to(busy: Fairdeal) -> None:
    busy.read.catch_up()
    busy.read.rebuild()
    assert indexes(busy) == ALL
