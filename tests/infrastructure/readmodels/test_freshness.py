"""Answers are as fresh as they must be: no command waits for that, a question does, but not for ever."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from fairdeal import Fairdeal, LedgerError, OpenGame, UnknownGame
from fairdeal.application.log.record import Receipt
from fairdeal.application.projections.errors import NotCaughtUp, ReadModelError
from fairdeal.infrastructure.readmodels.folding.runner import Runner
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.projections.games import Games
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.testing.workload import fill
from kits.readmodels import clean_run, play, rows

ROOT = Path(__file__).resolve().parents[3]
KIND = "kings_corners"


def opened(fairdeal: Fairdeal, number: int) -> Any:
    return fairdeal.handle(OpenGame(player="ann", kind=KIND, command_id=f"open {number}"))


def test_a_question_sees_every_command_that_was_answered_before(both: Fairdeal) -> None:
    for number in range(5):
        answer = opened(both, number)
        assert both.read.games(limit=1).items[0].id == answer.game_id


def test_a_receipt_is_enough_to_see_ones_own_deed(both: Fairdeal) -> None:
    answer = opened(both, 1)
    both.read.catch_up()
    opened(both, 2)
    assert len(both.read.after(answer.receipt).games().items) == 1, "no need to catch up with others"
    later = opened(both, 3)
    assert len(both.read.after(later.receipt).games().items) == 3


def test_one_can_take_the_tables_as_they_stand(both: Fairdeal) -> None:
    opened(both, 1)
    assert both.read.as_it_stands().games().items == ()
    assert both.read.games().items != ()
    assert both.read.as_it_stands().games().items != ()


def test_a_receipt_of_another_ledger_is_told_apart(both: Fairdeal) -> None:
    with Fairdeal("memory:") as elsewhere:
        foreign = opened(elsewhere, 77).receipt
    with pytest.raises(UnknownGame):
        both.read.after(foreign).games()


@contextmanager
def somebody_else_writing(read: ReadSide) -> Generator[None]:
    """Another runner that holds the lock and does not come forward."""
    from fairdeal.infrastructure.readmodels.folding.projector import claim

    with read.database.writing() as connection:
        claim(connection, {projection.name: projection for projection in read.projections})
        yield


def test_a_question_waits_no_longer_than_told(both: Fairdeal) -> None:
    answer = opened(both, 1)
    both.read.catch_up()
    opened(both, 2)
    other = ReadSide(both.ledger, both.codec, both.kinds, address="memory:", where=both.read.database.engine)
    with somebody_else_writing(other):
        before = monotonic()
        with pytest.raises(NotCaughtUp) as late:
            both.read.within(0.3).games()
        assert 0.2 < monotonic() - before < 5
        assert late.value.code == "not_caught_up"
        assert late.value.wanted == both.ledger.head()
        assert both.read.after(answer.receipt).games().items, "what was folded already is answered at once"
        assert both.read.as_it_stands().games().items


def test_a_question_that_finds_another_thread_folding_waits_no_longer_than_told(fairdeal: Fairdeal) -> None:
    class Slow(Projection):
        name = "slow"

        def fold(self, connection: Any, events: Any) -> None:
            sleep(1.0)

    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", projections=[Slow()])
    opened(fairdeal, 1)
    thread = Thread(target=read.catch_up)
    thread.start()
    sleep(0.2)
    with pytest.raises(NotCaughtUp):
        read.within(0.1).games()
    thread.join()
    assert read.within(0.1).games().items
    read.close()


def test_a_command_never_waits_for_a_projection(both: Fairdeal) -> None:
    opened(both, 1)
    with somebody_else_writing(both.read):
        assert opened(both, 2).version == 1, "answered while nobody can fold anything"


def test_commands_load_neither_sqlalchemy_nor_alembic_nor_openskill() -> None:
    script = (
        "import sys; from fairdeal import Fairdeal; fd = Fairdeal('memory:');"
        "answer = fd.start_game('kings_corners', ['ann', 'bob']); fd.move(answer.game_id, 'ann', {'move': 'end_turn'});"
        "fd.look(answer.game_id); print(*{'sqlalchemy', 'alembic', 'openskill'} & set(sys.modules)); fd.read.games();"
        "print('sqlalchemy' in sys.modules); fd.close()"
    )
    said = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["True"]


def wait_for(fairdeal: Fairdeal, position: int, seconds: float) -> None:
    """Until the tables, as they stand, have come so far."""
    before = monotonic()
    while fairdeal.read.progress().position < position:
        assert monotonic() - before < seconds, "the runner does not come forward"
        sleep(0.002)


def test_a_runner_brings_news_without_being_asked(both: Fairdeal) -> None:
    """How soon, `python -m benchmarks.projections` says."""
    with both.read.start_runner() as runner:
        for number in range(15):
            opened(both, number)
            wait_for(both, both.ledger.head(), 20)
            sleep(0.01 * (number % 4))
        assert runner.status.error is None


def test_cut_connections_heal(postgres_server: str, postgres: str, elsewhere: str) -> None:
    mine = f"cut-{uuid4().hex[:8]}"  # other tests on this server keep their connections
    address = f"{postgres}&application_name={mine}"
    with Fairdeal(address) as fairdeal, fairdeal.read.start_runner() as runner:
        for number in range(3):
            play(fairdeal, ["ann", "bob"], seed=number, moves=3)
            wait_for(fairdeal, fairdeal.ledger.head(), 20)
            with psycopg.connect(postgres_server, autocommit=True) as server:
                cut = server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (mine,)
                ).fetchall()
            assert len(cut) >= 3, "the bell's, the ledger's and the tables' own connections"
            play(fairdeal, ["ann", "bob"], seed=100 + number, moves=3)
            wait_for(fairdeal, fairdeal.ledger.head(), 30)
        assert fairdeal.read.games(limit=1).items
        wait_until_calm(runner)
        assert rows(fairdeal.read.database) == clean_run(fairdeal, elsewhere)


def wait_until_calm(runner: Runner) -> None:
    for _ in range(200):
        if runner.status.error is None:
            return
        sleep(0.05)
    raise AssertionError(runner.status.error)


def test_a_runner_outlives_errors_and_tells_of_them(fairdeal: Fairdeal) -> None:
    read = fairdeal.read
    runner = read.runner()
    runner._first = lambda: 1 / 0  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    runner.start()
    for _ in range(200):
        if runner.status.error is not None:
            break
        sleep(0.01)
    assert runner.status.error == "ZeroDivisionError: division by zero"
    runner._first = lambda: None  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    opened(fairdeal, 1)
    wait_for(fairdeal, fairdeal.ledger.head(), 20)
    wait_until_calm(runner)
    runner.stop()


def test_a_runner_is_a_process_of_its_own_if_one_likes(fairdeal: Fairdeal, tmp_path: Path) -> None:
    fill(fairdeal.ledger, fairdeal.codec, 200, tables=5)
    address = f"sqlite:///{tmp_path / 'games.db'}"
    child = subprocess.Popen(
        [sys.executable, "-m", "fairdeal.projections", address],
        env={"PYTHONPATH": str(ROOT / "src")},
        stderr=subprocess.PIPE,
    )
    wait_for(fairdeal, fairdeal.ledger.head(), 60)
    child.terminate()
    assert child.communicate(timeout=30)[1] == b""
    assert child.returncode == 0


def test_what_cannot_hold_read_models_is_refused_in_words(tmp_path: Path, fairdeal: Fairdeal) -> None:
    for where in ("sqlite://", "mysql+pymysql://somewhere/db", "nonsense", f"sqlite:///{tmp_path / 'no' / 'where.db'}"):
        with pytest.raises(ReadModelError), Fairdeal("memory:", read_models=where) as wrong:
            wrong.read.games()


def test_a_database_that_goes_away_is_an_error_of_the_read_side(fairdeal: Fairdeal, tmp_path: Path) -> None:
    fairdeal.read.games()
    with fairdeal.read.database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE fairdeal_games")
    with pytest.raises(ReadModelError) as failed:
        fairdeal.read.games()
    assert isinstance(failed.value.__cause__, OperationalError)


def test_two_projections_need_two_names(fairdeal: Fairdeal) -> None:
    with pytest.raises(ReadModelError, match="'games'"):
        ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", projections=[Games()])


def test_a_ledger_that_has_lost_its_end_is_told(fairdeal: Fairdeal) -> None:
    opened(fairdeal, 1)
    fairdeal.read.catch_up()
    with pytest.raises(LedgerError, match="nothing after position 1"):
        fairdeal.read._projector.catch_up(5)  # pyright: ignore[reportPrivateUsage]


def test_read_models_are_not_used_by_a_forked_child(fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    read = fairdeal.read
    monkeypatch.setattr("os.getpid", lambda: -1)
    with pytest.raises(ReadModelError, match="before a fork"):
        read.as_it_stands().games()
    monkeypatch.undo()


def test_receipts_are_plain_values(fairdeal: Fairdeal) -> None:
    answer = opened(fairdeal, 1)
    shown = fairdeal.read.game(answer.game_id)
    assert shown is not None
    assert Receipt(shown.id, shown.version, shown.link) == answer.receipt
