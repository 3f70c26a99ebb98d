"""Many processes at once: no move is lost, none is made twice, and everything ends."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from typing import Any, cast
from uuid import uuid4

import psycopg
import pytest

from fairdeal import Answer, Fairdeal
from fairdeal.application.commands.messages import MakeMove
from fairdeal.application.ports import Append
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger
from fairdeal.testing.ledger import some_records
from kits.players import contend, open_and_start, send, some_game
from kits.processes import in_processes
from kits.waiting import until

WRITERS = 8
TABLES = 20
MOVES = 40
"""That each of the writers gets through."""


def test_8_processes_play_the_same_20_games_at_once(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        tables = [fairdeal.handle(some_game(Random(seed))).game_id for seed in range(TABLES)]
    results = in_processes(contend, [(address, seed, tables, MOVES) for seed in range(WRITERS)])
    accepted: dict[str, Answer] = {}
    refusals: Counter[str] = Counter()
    for answers, refused in results:
        assert not accepted.keys() & answers.keys()
        accepted |= answers
        refusals += refused
    assert len(accepted) == WRITERS * MOVES
    assert not {"ledger_error", "ledger_unavailable", "version_conflict", "busy"} & refusals.keys()
    with Fairdeal(address) as fairdeal:
        stored: Counter[str] = Counter()
        for game in tables:
            receipts = [answer.receipt for answer in accepted.values() if answer.game_id == game]
            assert fairdeal.audit(game, receipts).good
            decoded_records = [fairdeal.codec.read(record) for record in fairdeal.ledger.records(game)]
            stored.update(decoded.batch.id for decoded in decoded_records[1:] if decoded.batch is not None)
        assert stored == Counter(accepted.keys())


def test_8_processes_open_a_new_ledger_at_once(address: str) -> None:
    versions = in_processes(open_and_start, [(address, seed) for seed in range(WRITERS)])
    with Fairdeal(address) as fairdeal:
        assert fairdeal.ledger.head() == sum(versions)


@pytest.mark.parametrize("round_", range(3))
def test_a_command_sent_twice_at_the_same_moment_happens_once_and_gets_one_answer(address: str, round_: int) -> None:
    with Fairdeal(address) as fairdeal:
        start = some_game(Random(round_))
        first, second = in_processes(send, [(address, start)] * 2)
        assert first == second
        assert isinstance(first, Answer)
        look = fairdeal.look(first.game_id)
        player = look.players[look.active[0]]
        move = fairdeal.look(first.game_id, player).legal[0]
        command = MakeMove(game_id=first.game_id, player=player, move=move, expected_version=look.version)
        answers = in_processes(send, [(address, command)] * 3)
        assert isinstance(answers[0], Answer)
        assert answers[0] == answers[1] == answers[2]
        batches = [fairdeal.codec.read(record).batch for record in fairdeal.ledger.records(first.game_id)]
        assert len([batch for batch in batches if batch]) == 2


def test_of_two_different_moves_at_the_same_moment_one_is_made(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        game = fairdeal.handle(some_game(Random(5))).game_id
        look = fairdeal.look(game)
        player = look.players[look.active[0]]
        move = fairdeal.look(game, player).legal[0]
        commands = [MakeMove(game_id=game, player=player, move=move, expected_version=look.version) for _ in range(4)]
        results = in_processes(send, [(address, command) for command in commands])
        assert len([result for result in results if isinstance(result, Answer)]) == 1
        assert [result for result in results if not isinstance(result, Answer)] == ["stale_version"] * 3


@pytest.mark.xdist_group("postgres")
def test_who_comes_while_other_processes_are_waited_for_is_stored_with_those_who_wait_already(postgres: str) -> None:
    with (
        Fairdeal(postgres) as fairdeal,
        psycopg.connect(postgres) as other,
        psycopg.connect(postgres, autocommit=True) as watcher,
        ThreadPoolExecutor(4) as pool,
    ):
        recorder = cast("Any", fairdeal.ledger).engine.recorder
        recorder._is_crowded = True  # as after a wait that several callers have shared

        def someone_waits() -> object:
            found = watcher.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'fairdeal_events'::regclass"
            )
            return found.fetchone() != (0,)

        other.execute("LOCK TABLE fairdeal_events IN EXCLUSIVE MODE")
        first = pool.submit(fairdeal.handle, some_game(Random(0)))
        until(someone_waits)
        others = [pool.submit(fairdeal.handle, some_game(Random(seed))) for seed in range(1, 4)]
        until(lambda: len(recorder._groups._waiting) == 3)
        other.rollback()
        for answer in (first, *others):
            assert fairdeal.audit(answer.result().game_id, [answer.result().receipt]).good
        assert watcher.execute("SELECT count(DISTINCT xmin::text) FROM fairdeal_events").fetchone() == (1,)


@pytest.mark.xdist_group("postgres")
def test_how_to_store_is_planned_once_however_few_store_together_and_however_small_the_ledger_is(postgres: str) -> None:
    with closing(PostgresLedger(postgres)) as ledger, psycopg.connect(postgres, autocommit=True) as other:
        for size in (1, 2, 2):
            for _ in range(10):
                appends = [Append(some_records(uuid4(), 1)) for _ in range(size)]
                assert ledger.append_all(appends) == [None] * size
            other.execute("DELETE FROM fairdeal_events WHERE notification_id > 10")
            other.execute("VACUUM ANALYZE fairdeal_events")  # now the server knows how small it is
        ledger.append_all([Append(some_records(uuid4(), 1)) for _ in range(2)])
        recorder = cast("Any", ledger.engine.recorder)
        plans, used = recorder._store.writers.use(plans_to_store)
    assert len(plans) == 2
    assert used == {"generic": True, "custom": False}
    assert not [plan for plan in plans if "Seq Scan" in plan]


def plans_to_store(writer: Any) -> tuple[list[str], dict[str, bool]]:
    """The plans that the server keeps for this connection, and which sorts of plans it has used."""
    where = "FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO%'"
    used = writer.execute(
        f"SELECT sum(generic_plans) > 0 AS generic, sum(custom_plans) > 0 AS custom {where}"
    ).fetchone()
    plans: list[str] = []
    for kept in writer.execute(f"SELECT name, cardinality(parameter_types) AS given {where}").fetchall():
        lines = writer.execute(f"EXPLAIN EXECUTE {kept['name']} ({','.join(['NULL'] * kept['given'])})").fetchall()
        plans.append("\n".join(line["QUERY PLAN"] for line in lines))
    return plans, used
