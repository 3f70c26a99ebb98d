"""Every ledger keeps the contract, and every recorder the one that the library ships."""

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from eventsourcing.persistence import ApplicationRecorder, StoredEvent

from fairdeal.application.errors import VersionConflict
from fairdeal.application.ports import Append, Ledger
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger
from fairdeal.infrastructure.ledger.memory import memory_ledger
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger
from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger
from fairdeal.testing import LedgerContract
from fairdeal.testing.ledger import NONE, some_records

# Its tests load a cipher that recorders do not need and that would need one more package.
with mock.patch.dict(sys.modules, {"eventsourcing.cipher": mock.Mock()}):
    from eventsourcing.tests.persistence import ApplicationRecorderTestCase, NonInterleavingNotificationIDsBaseCase


class TestMemory(LedgerContract):
    @pytest.fixture
    def ledger(self) -> Iterator[Ledger]:
        with contextlib.closing(memory_ledger()) as ledger:
            yield ledger

    @pytest.fixture
    def twin(self, ledger: Ledger) -> Ledger:
        return ledger


class TestSQLite(LedgerContract):
    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Iterator[Ledger]:
        with contextlib.closing(SQLiteLedger(str(tmp_path / "games.db"))) as ledger:
            yield ledger

    @pytest.fixture
    def twin(self, tmp_path: Path) -> Iterator[Ledger]:
        with contextlib.closing(SQLiteLedger(str(tmp_path / "games.db"))) as ledger:
            yield ledger


@pytest.mark.xdist_group("postgres")
class TestPostgreSQL(LedgerContract):
    @pytest.fixture
    def ledger(self, postgres: str) -> Iterator[Ledger]:
        with contextlib.closing(PostgresLedger(postgres)) as ledger:
            yield ledger

    @pytest.fixture
    def twin(self, postgres: str) -> Iterator[Ledger]:
        with contextlib.closing(PostgresLedger(postgres)) as ledger:
            yield ledger


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def recording_ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventSourcedLedger]:
    match request.param:
        case "memory":
            ledger = memory_ledger()
        case "sqlite":
            ledger = SQLiteLedger(str(tmp_path / "games.db"))
        case _:
            ledger = PostgresLedger(request.getfixturevalue("postgres"))
    with contextlib.closing(ledger):
        yield ledger


TESTS_OF_THE_LIBRARY = [
    (case, name)
    for case in (ApplicationRecorderTestCase, NonInterleavingNotificationIDsBaseCase)
    for name in dir(case)
    if name.startswith("test") and name != "test_performance"
]


@pytest.mark.parametrize(("case", "name"), TESTS_OF_THE_LIBRARY, ids=lambda value: getattr(value, "__name__", value))
def test_the_contract_of_the_library_is_kept(case: Any, name: str, recording_ledger: EventSourcedLedger) -> None:
    def create_recorder(_: Any) -> ApplicationRecorder:
        return recording_ledger.engine.recorder

    recorder_test: type[Any] = type(case.__name__, (case,), {"create_recorder": create_recorder, "runTest": None})
    with contextlib.redirect_stdout(io.StringIO()):
        getattr(recorder_test(), name)()


def test_what_somebody_put_before_the_first_version_keeps_a_game_from_beginning(
    recording_ledger: EventSourcedLedger,
) -> None:
    games = [uuid4() for _ in range(3)]
    early = [StoredEvent(game, -1, "some_game.something.v1", bytes(40)) for game in games[:2]]
    recording_ledger.engine.recorder.insert_events(early)
    appends = [Append(some_records(game, 1)) for game in games]
    assert [type(error) for error in recording_ledger.append_all(appends)] == [VersionConflict, VersionConflict, NONE]
    with pytest.raises(VersionConflict):
        recording_ledger.append(some_records(games[0], 1))
