"""What an event loop does by itself: moves that wait for nothing. Whatever would wait is left over, unchanged."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from threading import Lock
from typing import Any
from unittest import mock

import pytest

from fairdeal import Answer, Fairdeal
from fairdeal.application.commands import handlers
from fairdeal.application.commands.handlers import Outcome, Sent
from fairdeal.application.commands.policy import STRICT, Caller, Policy, TableFacts
from fairdeal.application.ports import Append
from fairdeal.application.time_limit import TimeLimit

END = {"move": "end_turn"}
PLAYERS = ("ann", "bob")


@pytest.fixture(autouse=True)
def any_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the disk is on which the tests run."""
    monkeypatch.setattr(handlers, "LONGEST_SECONDS", 60)
    monkeypatch.setattr(handlers, "QUICK_SECONDS", 60)


@pytest.fixture
def games(fairdeal: Fairdeal) -> list[Any]:
    """Three games that are loaded."""
    return [fairdeal.start_game("kings_corners", PLAYERS).game_id for _ in range(3)]


def move(game: Any, *, player: str = "ann", command_id: str = "m", policy: Policy | None = None) -> Sent:
    told = {"command": "make_move", "game_id": game, "player": player, "move": END, "command_id": command_id}
    return Sent(told, None, policy, TimeLimit(10))


def at_once(fairdeal: Fairdeal, sent: Sequence[Sent]) -> dict[int, Outcome]:
    """What came of those that were done; the others are left over, each of them."""
    outcomes: dict[int, Outcome] = {}
    left_over = fairdeal.handle_at_once(sent, outcomes.__setitem__)
    assert sorted([*outcomes, *(number for number, _ in left_over)]) == list(range(len(sent)))
    return outcomes


def versions(fairdeal: Fairdeal, games: Sequence[Any]) -> list[int]:
    return [fairdeal.look(game).version for game in games]


def test_moves_in_loaded_games_are_stored_together_and_answered(fairdeal: Fairdeal, games: list[Any]) -> None:
    with mock.patch.object(fairdeal.ledger, "append_all", wraps=fairdeal.ledger.append_all) as stored:
        outcomes = at_once(fairdeal, [move(game) for game in games])
    assert [len(call.args[0]) for call in stored.call_args_list] == [3]
    for game, outcome in zip(games, outcomes.values(), strict=True):
        assert isinstance(outcome, Answer)
        assert outcome.receipt == fairdeal.look(game).receipt
        assert fairdeal.audit(game, [outcome.receipt]).good


def test_what_is_not_a_command_is_refused_at_once(fairdeal: Fairdeal, games: list[Any]) -> None:
    outcomes = at_once(fairdeal, [Sent({"command": "?"}, None, None, TimeLimit(10)), move(games[0])])
    assert isinstance(outcomes[0], Exception)
    assert isinstance(outcomes[1], Answer)


class Asking:
    """A policy of a host, which may take its time."""

    def may_act_as(self, who: Caller, player: str, table: TableFacts | None) -> None:
        STRICT.may_act_as(who, player, table)

    def may_send(self, who: Caller, command: Any, table: TableFacts | None) -> None:
        STRICT.may_send(who, command, table)

    def may_see(self, who: Caller | None, viewer: str | None, table: TableFacts) -> None:
        STRICT.may_see(who, viewer, table)


def test_what_would_look_or_may_take_long_is_left_over(fairdeal: Fairdeal, games: list[Any]) -> None:
    game, other, third = games
    fairdeal.handle(move(other).command)
    with Fairdeal(fairdeal.address) as somebody:
        elsewhere = somebody.start_game("kings_corners", PLAYERS).game_id
    starts = {"command": "quick_start", "player": "ann", "kind": "kings_corners", "players": PLAYERS}
    before = versions(fairdeal, games)
    left_over = [
        move(game, player="bob"),  # a refusal counts only after a look at the ledger
        move(other),  # it is there already
        move(elsewhere),  # it is not loaded
        move(third, policy=Asking()),
        Sent(starts, None, None, TimeLimit(10)),
    ]
    assert not at_once(fairdeal, left_over)
    assert versions(fairdeal, games) == before


def test_a_game_that_somebody_else_changes_is_left_over(fairdeal: Fairdeal, games: list[Any]) -> None:
    cache = fairdeal._parts.cache  # pyright: ignore[reportPrivateUsage]
    here = Lock()
    with here:
        held = cache.place(games[0])
        held.wait_for_turn(here, TimeLimit(10))
        assert [*at_once(fairdeal, [move(game) for game in games])] == [1, 2]
        cache.leave(held, here)
    assert [*at_once(fairdeal, [move(games[0])])] == [0]


def test_a_game_that_another_process_has_changed_is_left_over(fairdeal: Fairdeal, games: list[Any]) -> None:
    with Fairdeal(fairdeal.address) as other:
        other.handle(move(games[0], command_id="theirs").command)
    assert [*at_once(fairdeal, [move(game) for game in games])] == [1, 2]
    assert fairdeal.audit(games[0]).good


@pytest.fixture
def locked(fairdeal: Fairdeal) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(fairdeal.address.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_nobody_waits_for_a_database_that_is_locked(
    fairdeal: Fairdeal, games: list[Any], locked: sqlite3.Connection
) -> None:
    before = versions(fairdeal, games)
    began = time.monotonic()
    assert not at_once(fairdeal, [move(game) for game in games])
    assert time.monotonic() - began < 5  # and not for as long as commands wait
    locked.execute("ROLLBACK")
    assert versions(fairdeal, games) == before
    assert all(isinstance(fairdeal.handle(move(game).command), Answer) for game in games)


def test_while_to_store_takes_long_it_is_left_to_others(
    fairdeal: Fairdeal, games: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "QUICK_SECONDS", 0.002)
    now, takes = 100.0, 0.001
    monkeypatch.setattr(handlers, "perf_counter", lambda: now)
    store = fairdeal.ledger.append_all

    def stored(appends: Sequence[Append]) -> Any:
        nonlocal now
        now += takes
        return store(appends)

    def moved(game: Any, player: str, command_id: str) -> bool:
        return bool(at_once(fairdeal, [move(game, player=player, command_id=command_id)]))

    with mock.patch.object(fairdeal.ledger, "append_all", stored):
        assert [moved(game, "ann", "m") for game in games] == [True, True, True]
        takes = 0.015
        assert moved(games[0], "bob", "n")  # nobody knows before
        assert moved(games[1], "bob", "n")  # and once is nothing
        assert not moved(games[2], "bob", "n")
        takes = 0.0005
        for again in range(20):  # whoever stores is told how long it takes
            player = ("ann", "bob")[again % 2]
            told: dict[int, Outcome] = {}
            fairdeal.handle_all([move(games[0], player=player, command_id=str(again))], told.__setitem__)
        assert moved(games[2], "bob", "n")


def test_a_game_that_is_slow_to_decide_is_left_to_others(
    fairdeal: Fairdeal, games: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "LONGEST_SECONDS", 0.005)
    moments = iter([0.0, 1.0, 1.01])  # whether to try; before it is decided, and after
    monkeypatch.setattr(handlers, "perf_counter", lambda: next(moments, 2.0))
    assert [*at_once(fairdeal, [move(games[0])])] == [0]
    assert [*at_once(fairdeal, [move(games[0], player="bob", command_id="n"), move(games[1])])] == [1]


def test_a_database_behind_a_network_is_left_to_others(fairdeal: Fairdeal, games: list[Any]) -> None:
    with mock.patch.object(type(fairdeal.ledger), "is_in_process", False):
        assert not at_once(fairdeal, [move(game) for game in games])


def test_an_interrupt_leaves_no_game_taken(fairdeal: Fairdeal, games: list[Any]) -> None:
    with (
        mock.patch.object(fairdeal.ledger, "append_all", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        at_once(fairdeal, [move(game) for game in games])
    assert all(isinstance(one, Answer) for one in at_once(fairdeal, [move(game) for game in games]).values())
