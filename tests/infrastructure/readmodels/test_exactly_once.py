"""Whatever happens to runners, the tables are those of one clean run, row for row."""

import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from typing import Any, cast
from uuid import UUID

import pytest
from sqlalchemy import Connection

from fairdeal import Fairdeal, LeaveGame
from fairdeal.application.log.record import Record
from fairdeal.application.log.story import tell
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.readmodels.database import open_database
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.infrastructure.readmodels.tables import TIMELINE
from fairdeal.testing.workload import fill
from kits.postgres import new_schema, shared_server
from kits.readmodels import BUILT_IN, clean_run, play, rows
from kits.runner_child import fold_for_ever, rebuild

KILLS = 30


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Children are forked from a clean process that has loaded everything already: they start at once."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["runner_child"])
    return server


def start(context: Any, address: str, *, batch: int = 20, work: Any = fold_for_ever) -> BaseProcess:
    """A child that has opened its databases and is about to fold."""
    ready = context.Event()
    child: BaseProcess = context.Process(target=work, args=(address, batch, ready), daemon=True)
    child.start()
    assert ready.wait(60)
    return child


def test_a_runner_killed_thirty_times_leaves_the_tables_of_a_clean_run(
    both: Fairdeal, address: str, elsewhere: str, context: Any
) -> None:
    fill(both.ledger, both.codec, 4000, tables=20)
    rng = Random(1)
    positions: list[int] = []
    for number in count():
        child = start(context, address)
        if number % 2:
            wait_for_progress(both, positions[-1])
        sleep(rng.random() * 0.1)
        child.kill()
        child.join()
        positions.append(both.read.progress().position)
        if number + 1 >= KILLS:
            break
        fill(both.ledger, both.codec, 100, tables=5, first=10_000 + 100 * number)
    both.read.catch_up()
    assert len(set(positions)) > KILLS // 3, "the runners never got anywhere before they were killed"
    assert rows(both.read.database) == clean_run(both, elsewhere)


def wait_for_progress(fairdeal: Fairdeal, beyond: int) -> None:
    for _ in range(10_000):
        if fairdeal.read.progress().position > beyond:
            return
        sleep(0.001)


def test_a_rebuild_that_is_killed_again_and_again_comes_to_its_end(
    both: Fairdeal, address: str, elsewhere: str, context: Any
) -> None:
    fill(both.ledger, both.codec, 800, tables=20)
    both.read.catch_up()
    before = rows(both.read.database)
    with both.read.database.writing() as connection:
        connection.execute(TIMELINE.delete())
    rng = Random(2)
    ended = 0
    for number in range(60):
        child = start(context, address, batch=40, work=rebuild)
        child.join((0.2 + number / 50) * rng.random())
        child.kill()
        child.join()
        ended += child.exitcode == 0
        if ended == 2:
            break
    assert ended == 2, "once in pieces, once more from the beginning"
    assert rows(both.read.database) == before == clean_run(both, elsewhere)


def test_two_runners_and_questions_at_the_same_time_fold_everything_once(
    both: Fairdeal, address: str, elsewhere: str, context: Any
) -> None:
    fill(both.ledger, both.codec, 1500, tables=10)
    children = [start(context, address, batch=7) for _ in range(2)]
    threads = [Thread(target=both.read.games) for _ in range(3)]
    runner = both.read.start_runner()
    for thread in threads:
        thread.start()
    fill(both.ledger, both.codec, 500, tables=10, first=500)
    for thread in threads:
        thread.join()
    both.read.catch_up(within=60)
    runner.stop()
    for child in children:
        child.kill()
        child.join()
    assert rows(both.read.database) == clean_run(both, elsewhere)


def test_commands_that_come_in_while_runners_run_are_folded_too(both: Fairdeal, elsewhere: str) -> None:
    with both.read.start_runner():
        for seed in range(4):
            play(both, ["ann", "bob", "cleo"][: 2 + seed % 2], seed=seed, moves=12)
        both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=9, moves=2), player="bob"))
        both.read.catch_up(within=30)
    assert rows(both.read.database) == clean_run(both, elsewhere)


def test_sqlite_and_postgresql_hold_the_same_rows(fairdeal: Fairdeal, elsewhere: str, postgres: str) -> None:
    fill(fairdeal.ledger, fairdeal.codec, 1000, tables=10)
    assert clean_run(fairdeal, elsewhere) == clean_run(fairdeal, postgres)


@pytest.mark.parametrize("batch", [1, 3, 50, 10_000])
def test_how_much_is_folded_at_a_time_does_not_matter(fairdeal: Fairdeal, tmp_path: Path, batch: int) -> None:
    fill(fairdeal.ledger, fairdeal.codec, 400, tables=7)
    expected = clean_run(fairdeal, f"sqlite:///{tmp_path / 'clean.db'}")
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", batch=batch)
    read.catch_up()
    assert rows(read.database) == expected
    read.close()


def test_readers_never_see_half_a_command(fairdeal: Fairdeal) -> None:
    """Starting a game leaves six records: with room for four, all six are folded together."""
    fairdeal.start_game("kings_corners", ["ann", "bob", "cleo"])
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", batch=4)
    reached: list[int] = []
    read._projector.catch_up(fairdeal.ledger.head(), after_each=reached.append)  # pyright: ignore[reportPrivateUsage]
    assert reached == [6]
    read.close()


class Stumbling(Projection):
    """Fails in the middle of its work, after rows were written."""

    name = "stumbling"
    stumbles = 3

    def fold(self, connection: Any, events: Any) -> None:
        if self.stumbles:
            self.stumbles -= 1
            raise KeyboardInterrupt


def test_a_transaction_that_is_broken_off_leaves_nothing_behind(fairdeal: Fairdeal, elsewhere: str) -> None:
    fill(fairdeal.ledger, fairdeal.codec, 300, tables=5)
    stumbling = Stumbling()
    read = ReadSide(
        fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", projections=[stumbling], batch=100
    )
    empty: dict[str, list[Any]] = {table.name: [] for table in BUILT_IN}
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            read.catch_up()
        assert rows(read.database) == empty
    read.catch_up()
    found = rows(read.database)
    found["fairdeal_positions"] = [row for row in found["fairdeal_positions"] if row[0] != "stumbling"]
    assert found == clean_run(fairdeal, elsewhere)
    read.close()


class Repeating:
    """A ledger that says some things twice."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        start = max(0, position - 5)
        return self._ledger.since(start, limit + position - start)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)


def test_an_event_that_comes_again_changes_nothing(fairdeal: Fairdeal, elsewhere: str) -> None:
    fill(fairdeal.ledger, fairdeal.codec, 300, tables=5)
    repeating = cast("Ledger", Repeating(fairdeal.ledger))
    read = ReadSide(repeating, fairdeal.codec, fairdeal.kinds, address="memory:", batch=30)
    read.catch_up()
    assert rows(read.database) == clean_run(fairdeal, elsewhere)
    read.close()


@pytest.fixture
def public_events(fairdeal: Fairdeal) -> Iterator[list[PublicEvent]]:
    seen: list[PublicEvent] = []

    class Listening(Projection):
        name = "listening"

        def fold(self, connection: Any, events: Any) -> None:
            seen.extend(events)

    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", projections=[Listening()])
    fill(fairdeal.ledger, fairdeal.codec, 600, tables=6)
    read.catch_up()
    yield seen
    read.close()


def test_only_what_can_be_folded_again_does_not_wait_for_the_disk() -> None:
    """Accounts write through the same class: what they have answered must be there after a loss of power."""
    seen: list[object] = []

    class Asking(Projection):
        name = "asking"

        def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
            seen.append(connection.exec_driver_sql("SHOW synchronous_commit").scalar_one())

    with Fairdeal(new_schema(shared_server()), projections=[Asking()]) as opened:
        opened.start_game("red7", ["ann", "bob"])
        opened.read.games()
        with opened.read.database.writing() as connection:
            seen.append(connection.exec_driver_sql("SHOW synchronous_commit").scalar_one())
    assert seen == ["off", "on"]


def test_every_public_event_comes_once_in_the_order_of_the_ledger(
    fairdeal: Fairdeal, public_events: list[PublicEvent]
) -> None:
    assert [one.position for one in public_events] == list(range(1, fairdeal.ledger.head() + 1))


def test_public_events_tell_no_more_than_a_spectator_may_know(
    fairdeal: Fairdeal, public_events: list[PublicEvent]
) -> None:
    games: dict[UUID, Game] = {}
    for one, (_, record) in zip(public_events, fairdeal.ledger.since(0, len(public_events)), strict=True):
        event = fairdeal.codec.read(record).event
        if one.version == 1:
            games[one.game_id] = Game.replayed(one.game_id, fairdeal.codec.rules_of(record), [event])
        else:
            games[one.game_id].apply(event)
        game = games[one.game_id]
        assert one.event == game.redact(event, None)
        assert one.line == tell(game.rules, game.players, game.redact(event, None))
        assert one.table.seed is None or game.over
        assert (one.table.players, one.table.active) == (game.players, game.active())


def test_a_foreign_engine_with_the_drivers_own_transactions_is_safe_too(
    fairdeal: Fairdeal, tmp_path: Path, elsewhere: str
) -> None:
    """SQLAlchemy's default engine on SQLite loses updates between two runners; ours must not, whatever the engine."""
    from sqlalchemy import create_engine

    where = tmp_path / "service.db"
    open_database(f"sqlite:///{where}").close()
    fill(fairdeal.ledger, fairdeal.codec, 600, tables=6)
    sides = [
        ReadSide(
            fairdeal.ledger,
            fairdeal.codec,
            fairdeal.kinds,
            address="memory:",
            where=create_engine(f"sqlite:///{where}", connect_args={"timeout": 30}),
            batch=5,
        )
        for _ in range(3)
    ]
    threads = [Thread(target=side.catch_up) for side in sides]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(sides[0].database) == clean_run(fairdeal, elsewhere)
    for side in sides:
        side.database.engine.dispose()
