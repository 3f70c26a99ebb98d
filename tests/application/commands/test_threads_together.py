"""Threads that call at the same time: one decides and stores for all, and each is answered as if it had been alone."""

import sqlite3
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from threading import Event, Lock, get_ident
from typing import Any
from unittest import mock
from uuid import UUID

import pytest

from fairdeal import Answer, Fairdeal, IllegalMove, LedgerUnavailable
from fairdeal.application.commands.policy import Trusting
from fairdeal.application.ports import Append
from fairdeal.application.time_limit import TimeLimit
from kits.compiled import plain_python_only
from kits.waiting import until

END = {"move": "end_turn"}
THREADS = 16


@pytest.fixture
def pool() -> Generator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(THREADS) as pool:
        yield pool


@pytest.fixture
def games(fairdeal: Fairdeal) -> list[UUID]:
    return [fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(6)]


@pytest.fixture
def nobody_is_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is: nobody takes the lead over."""
    monkeypatch.setattr("fairdeal.application.commands.combining.HELD_UP_SECONDS", 30)


class Gate:
    """Holds up the first of those who store, until the others wait for them."""

    def __init__(self, fairdeal: Fairdeal) -> None:
        self.groups: list[int] = []
        self.threads: set[int] = set()
        self.entered, self.opened = Event(), Event()
        self._ledger = fairdeal.ledger
        self._append, self._append_all = self._ledger.append, self._ledger.append_all
        self._waiting = fairdeal._parts.handlers._combining._waiting  # pyright: ignore[reportPrivateUsage] — nothing else shows who waits

    def __enter__(self) -> "Gate":
        self._patch = mock.patch.multiple(self._ledger, append=self.append, append_all=self.append_all)
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.set()
        self._patch.stop()

    def append(self, *given: Any, **more: Any) -> None:
        self._enter(1)
        self._append(*given, **more)

    def append_all(self, appends: Sequence[Append]) -> Sequence[Exception | None]:
        self._enter(len(appends))
        return self._append_all(appends)

    def _enter(self, size: int) -> None:
        self.groups.append(size)
        self.threads.add(get_ident())
        self.entered.set()
        assert self.opened.wait(30)

    def until_waiting(self, count: int) -> None:
        until(lambda: len(self._waiting) >= count, every=0)


def move(fairdeal: Fairdeal, game: UUID, **more: Any) -> Answer:
    return fairdeal.handle({"command": "make_move", "game_id": game, "player": "ann", "move": END, **more})


def moves_behind_the_first(
    fairdeal: Fairdeal, pool: ThreadPoolExecutor, gate: Gate, games: Sequence[UUID]
) -> list[Future[Answer]]:
    """The first one is being stored, the others wait for that, in their order."""
    first, *others = games
    moves = [pool.submit(move, fairdeal, first)]
    assert gate.entered.wait(10)
    for count, game in enumerate(others, 1):
        moves.append(pool.submit(move, fairdeal, game))
        gate.until_waiting(count)
    return moves


@pytest.mark.usefixtures("nobody_is_held_up")
def test_those_who_come_while_somebody_stores_are_stored_together_by_one_of_them(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    with Gate(fairdeal) as gate:
        moves = moves_behind_the_first(fairdeal, pool, gate, games)
        gate.opened.set()
        answers = [one.result(30) for one in moves]
    assert gate.groups == [1, 5]
    assert len(gate.threads) == 2
    for game, answer in zip(games, answers, strict=True):
        assert answer.receipt == fairdeal.look(game).receipt
        assert answer.seen == fairdeal.events(game, "ann", after=answer.version - len(answer.seen)).events
        assert fairdeal.audit(game, [answer.receipt]).good


@pytest.mark.usefixtures("nobody_is_held_up")
def test_each_is_refused_or_answered_as_if_alone(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    told: list[str] = []
    fairdeal.observers.add(lambda observed: told.append(observed.code))
    one, other, third, *_ = games
    move(fairdeal, other, command_id="sent before")
    with Gate(fairdeal) as gate:
        first = pool.submit(move, fairdeal, one)
        assert gate.entered.wait(10)
        refused = pool.submit(move, fairdeal, other)
        gate.until_waiting(1)
        repeated = pool.submit(move, fairdeal, other, command_id="sent before")
        gate.until_waiting(2)
        moved = pool.submit(move, fairdeal, third)
        gate.until_waiting(3)
        gate.opened.set()
        assert isinstance(refused.exception(30), IllegalMove)
        assert repeated.result(30).receipt == fairdeal.look(other).receipt
        assert moved.result(30).receipt == fairdeal.look(third).receipt
        assert first.result(30).receipt == fairdeal.look(one).receipt
    assert sorted(told) == ["done", "done", "done", "done", "not_your_turn"]


def test_a_game_that_somebody_else_changes_just_now_holds_up_no_other(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    cache, here = fairdeal._parts.cache, Lock()  # pyright: ignore[reportPrivateUsage]
    with here:
        held = cache.place(games[0])
        held.wait_for_turn(here, TimeLimit(10))
        stuck = [pool.submit(move, fairdeal, games[0], command_id=str(n)) for n in range(4)]
        hasty = pool.submit(fairdeal.move, games[0], "ann", END, command_id="hasty")
        for game in games[1:]:
            pool.submit(move, fairdeal, game).result(10)
        assert not any(one.done() for one in (*stuck, hasty))
        cache.leave(held, here)
    done = [one for one in (*stuck, hasty) if one.exception(30) is None]
    assert len(done) == 1  # then it is bob's turn


@plain_python_only
def test_moves_in_other_games_go_on_while_whoever_leads_is_stuck(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    handlers = fairdeal._parts.handlers  # pyright: ignore[reportPrivateUsage]
    decide, slow, entered = handlers._decide, Event(), Event()  # pyright: ignore[reportPrivateUsage]

    def slowly(cached: Any, *given: Any) -> Any:
        if cached.game_id == games[0]:
            entered.set()
            assert slow.wait(30)
        return decide(cached, *given)

    with mock.patch.object(handlers, "_decide", slowly):
        stuck = pool.submit(move, fairdeal, games[0])
        assert entered.wait(10)
        others = [pool.submit(move, fairdeal, game) for game in games[1:]]
        assert all(isinstance(one.result(10), Answer) for one in others)
        assert not stuck.done()
        slow.set()
        assert isinstance(stuck.result(10), Answer)


def test_whoever_leads_waits_no_longer_than_they_want_to_and_the_others_go_on_waiting(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    with closing(sqlite3.connect(fairdeal.address.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        hasty = pool.submit(fairdeal.handle, command_for(games[0]), patience=0.3)
        patient = [pool.submit(move, fairdeal, game) for game in games[1:]]
        with pytest.raises(LedgerUnavailable):
            hasty.result(10)
        with pytest.raises(LedgerUnavailable):
            fairdeal.handle(command_for(games[0]), patience=0.05)
        assert not any(one.done() for one in patient)
        other.execute("ROLLBACK")
    assert all(isinstance(one.result(30), Answer) for one in patient)
    move(fairdeal, games[0])


@pytest.mark.usefixtures("nobody_is_held_up")
def test_whoever_stores_for_all_leaves_when_their_own_time_is_over(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    path = fairdeal.address.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        with Gate(fairdeal) as gate:
            append = gate._append  # pyright: ignore[reportPrivateUsage]

            def then_lock(*given: Any, **more: Any) -> None:
                gate._append = append  # pyright: ignore[reportPrivateUsage]
                append(*given, **more)
                other.execute("BEGIN IMMEDIATE")

            gate._append = then_lock  # pyright: ignore[reportPrivateUsage]
            first = pool.submit(move, fairdeal, games[0])
            assert gate.entered.wait(10)
            hasty = pool.submit(fairdeal.handle, command_for(games[1]), patience=1.0)
            gate.until_waiting(1)
            patient = [pool.submit(move, fairdeal, game) for game in games[2:]]
            gate.until_waiting(5)
            gate.opened.set()
            assert isinstance(first.result(10), Answer)
            with pytest.raises(LedgerUnavailable):
                hasty.result(10)
        assert gate.groups[:2] == [1, 5]
        assert not any(one.done() for one in patient)
        other.execute("ROLLBACK")
    assert all(isinstance(one.result(30), Answer) for one in patient)


def command_for(game: UUID) -> dict[str, Any]:
    return {"command": "make_move", "game_id": game, "player": "ann", "move": END}


@pytest.mark.usefixtures("nobody_is_held_up")
def test_if_whoever_stores_for_all_is_interrupted_the_others_are_stored_once_all_the_same(
    fairdeal: Fairdeal, games: list[UUID], pool: ThreadPoolExecutor
) -> None:
    append_all = fairdeal.ledger.append_all
    interrupts = [KeyboardInterrupt()]

    def interrupted_after(appends: Sequence[Append]) -> Sequence[Exception | None]:
        outcomes = append_all(appends)
        if interrupts:
            raise interrupts.pop()
        return outcomes

    with Gate(fairdeal) as gate:
        moves = moves_behind_the_first(fairdeal, pool, gate, games)
        gate._append_all = interrupted_after  # pyright: ignore[reportPrivateUsage]
        gate.opened.set()
        told = [type(one.exception(30)) for one in moves]
    assert sorted(kind.__name__ for kind in told) == ["KeyboardInterrupt", *["NoneType"] * 5]
    for game in games:
        assert len(fairdeal.events(game, "ann").events) == fairdeal.look(game).version
        assert fairdeal.audit(game).good
        with pytest.raises(IllegalMove):
            move(fairdeal, game)  # it was moved once, so it is bob's turn
    assert [one.result().receipt for one in moves if one.exception() is None] == [
        fairdeal.look(game).receipt for game, one in zip(games, moves, strict=True) if one.exception() is None
    ]


def test_a_policy_of_the_host_is_asked_in_the_thread_that_calls(tmp_path: Any, pool: ThreadPoolExecutor) -> None:
    asked: dict[str, set[int]] = {}

    class OfTheHost(Trusting):
        def may_send(self, who: Any, command: Any, table: Any) -> None:
            asked.setdefault(command.command_id, set()).add(get_ident())
            super().may_send(who, command, table)

    def moved(fairdeal: Fairdeal, game: UUID, command_id: str) -> int:
        move(fairdeal, game, command_id=command_id)
        return get_ident()

    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", policy=OfTheHost()) as fairdeal:
        games = [fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(THREADS)]
        calls = [pool.submit(moved, fairdeal, game, f"move {n}") for n, game in enumerate(games)]
        for number, call in enumerate(calls):
            thread = call.result(30)
            assert asked[f"move {number}"] == {thread}


def test_many_threads_at_few_tables(fairdeal: Fairdeal, pool: ThreadPoolExecutor) -> None:
    """Every thread moves for whoever has the turn: at one table, of which each move is somebody's, and at some more."""
    tables = [fairdeal.start_game("kings_corners", ["ann", "bob", "cy"]).game_id for _ in range(3)]

    def play(thread: int) -> list[Answer]:
        answers: list[Answer] = []
        while len(answers) < 12:
            game = tables[thread % 3 if thread % 2 else 0]
            look = fairdeal.look(game)
            if not look.active:
                break
            try:
                answers.append(fairdeal.move(game, look.players[look.active[0]], END, expected_version=look.version))
            except IllegalMove as late:
                assert late.code in ("not_your_turn", "game_over")
            except Exception as late:
                assert getattr(late, "code", "") == "stale_version", late
        return answers

    answers = [answer for found in pool.map(play, range(THREADS)) for answer in found]
    assert len({answer.receipt for answer in answers}) == len(answers)
    for game in tables:
        mine = [answer for answer in answers if answer.game_id == game]
        assert fairdeal.audit(game, [answer.receipt for answer in mine]).good
        assert sum(len(answer.events) for answer in mine) == fairdeal.look(game).version - start_of(fairdeal, game)


def start_of(fairdeal: Fairdeal, game: UUID) -> int:
    """The version right after the table was dealt."""
    first = fairdeal.codec.batch(fairdeal.records(game)[0])
    assert first is not None
    return first.size
