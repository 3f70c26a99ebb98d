"""Bots and clocks are served by a thread or a process, which may die at any moment; no turn is lost or played twice."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import AddBot, Fairdeal, JoinGame, OpenGame, StartGame
from fairdeal.bots import BotRunner
from fairdeal.domain.kernel.game import TIMEKEEPER
from fairdeal.domain.kernel.lifecycle import SeatTimedOut
from fairdeal.infrastructure.bots.only_one import only_one_for
from fairdeal.infrastructure.bots.timetable import Timetable
from fairdeal.policy import Caller
from kits.processes import new_process
from kits.runners import held_lock

SECONDS = 60
"""How long a test waits for what must happen, on a machine that is busy."""


def until(holds: Callable[[], Any], what: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"it never came to pass: {what}"
        time.sleep(0.02)


def table(
    fairdeal: Fairdeal, *bots: str, kind: str = "kings_corners", people: tuple[str, ...] = (), **terms: Any
) -> UUID:
    game = fairdeal.handle(OpenGame(player="ann", kind=kind, **terms)).game_id
    for person in people:
        fairdeal.handle(JoinGame(game_id=game, player=person))
    for bot in bots:
        fairdeal.handle(AddBot(game_id=game, player="ann", bot=bot))
    fairdeal.handle(StartGame(game_id=game, player="ann"))
    return game


@contextmanager
def playing(fairdeal: Fairdeal, **more: Any) -> Generator[BotRunner]:
    runner = BotRunner(fairdeal, **more).start()
    try:
        yield runner
    finally:
        runner.stop()


@contextmanager
def process(address: str) -> Generator["subprocess.Popen[bytes]"]:
    started = subprocess.Popen([sys.executable, "-m", "fairdeal.bots", address])
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def must_be_good(fairdeal: Fairdeal, game: UUID) -> None:
    report = fairdeal.audit(game)
    assert (report.untouched.grade, report.legal.grade) == ("yes", "yes"), report


@pytest.mark.parametrize("kind", ["kings_corners", "pardon", "red7", "reviiyot", "tcg"])
def test_bots_play_a_whole_game_without_http(fairdeal: Fairdeal, kind: str) -> None:
    with playing(fairdeal):
        game = table(fairdeal, "careful", "random", kind=kind)
        until(lambda: fairdeal.look(game).outcome, "the game ends")
    must_be_good(fairdeal, game)


def test_bots_wait_for_people_and_go_on_after_them(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, "careful", people=("ann",))
    with playing(fairdeal):
        while (look := fairdeal.look(game, "ann")).outcome is None:
            if look.seat in look.active:
                fairdeal.move(game, "ann", look.legal[-1])
            else:
                time.sleep(0.01)
    must_be_good(fairdeal, game)


def test_a_branch_is_left_to_whoever_made_it(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, "careful", "careful")
    version = fairdeal.look(game).version
    with playing(fairdeal):
        until(lambda: fairdeal.look(game).outcome, "the game ends")
        branch = fairdeal.branch(game, version, "ann").game_id
        head = fairdeal.look(branch).version
        other = table(fairdeal, "careful", "careful")
        until(lambda: fairdeal.look(other).outcome, "a later game ends")
        assert fairdeal.look(branch).version == head


def test_killed_again_and_again_in_mid_turn_it_goes_on_and_plays_no_turn_twice(fairdeal: Fairdeal) -> None:
    games = [table(fairdeal, "careful", "random") for _ in range(12)]

    def moved(since: int) -> bool:
        return fairdeal.ledger.head() > since

    for _ in range(3):
        with process(fairdeal.address) as runner:
            until(partial(moved, fairdeal.ledger.head()), "somebody moves")
            os.kill(runner.pid, signal.SIGKILL)
    with process(fairdeal.address):
        until(lambda: all(fairdeal.look(game).outcome for game in games), "all games end")
    for game in games:
        must_be_good(fairdeal, game)
        sent = [fairdeal.codec.batch(record) for record in fairdeal.records(game)]
        ids = [(batch.by, batch.id) for batch in sent if batch is not None]
        assert len(ids) == len(set(ids))


def test_two_runners_that_both_believe_to_be_alone_play_no_turn_twice(
    fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairdeal.infrastructure.bots import runner as module
    from fairdeal.infrastructure.bots.only_one import Alone

    def nobody_else(_: str) -> Alone:
        return Alone()

    monkeypatch.setattr(module, "only_one_for", nobody_else)
    with Fairdeal(fairdeal.address) as other, playing(fairdeal), playing(other):
        games = [table(fairdeal, "careful", "random") for _ in range(5)]
        until(lambda: all(fairdeal.look(game).outcome for game in games), "all games end")
    for game in games:
        must_be_good(fairdeal, game)


@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_one_process_at_a_time_has_the_lock_and_another_takes_over_when_it_is_killed(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}" if where == "sqlite" else request.getfixturevalue("postgres")
    told = tmp_path / "told"
    holder = new_process(held_lock, address, str(told))
    mine = only_one_for(address)
    try:
        until(told.exists, "the other process has the lock")
        assert not mine.has_it()
        assert holder.pid is not None
        os.kill(holder.pid, signal.SIGKILL)
        until(mine.has_it, "this process has the lock")
        assert mine.has_it()
    finally:
        holder.kill()
        holder.join()
        mine.release()


def test_another_process_takes_over_when_the_one_that_plays_is_killed(fairdeal: Fairdeal) -> None:
    with process(fairdeal.address) as first:
        game = table(fairdeal, "careful", "careful")
        until(lambda: fairdeal.look(game).outcome, "the first plays")
        with process(fairdeal.address):
            os.kill(first.pid, signal.SIGKILL)
            game = table(fairdeal, "careful", "careful")
            until(lambda: fairdeal.look(game).outcome, "the second plays")


# -- clocks ----------------------------------------------------------------------------------------------------------


class Watch:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def tick(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def timed(tmp_path: Path, watch: Watch) -> Iterator[Fairdeal]:
    with Fairdeal(f"sqlite:///{tmp_path / 'timed.db'}", clock=watch) as opened:
        yield opened


def test_who_is_late_is_called_by_the_service_itself(timed: Fairdeal, watch: Watch) -> None:
    game = table(timed, people=("ann", "bob"), clock={"move_seconds": 60})
    with playing(timed):
        version = timed.look(game).version
        watch.tick(61)  # past the deadline, but not by two seconds
        time.sleep(0.3)
        assert timed.look(game).version == version
        watch.tick(2)
        until(lambda: timed.look(game).version > version, "the seat is called late")
    events = timed.events(game, after=version).events
    assert isinstance(events[0].event, SeatTimedOut)
    assert {event.by for event in events} == {TIMEKEEPER}
    must_be_good(timed, game)


def test_who_takes_over_finds_the_clocks_that_ran_out_meanwhile(timed: Fairdeal, watch: Watch) -> None:
    game = table(timed, people=("ann", "bob"), clock={"move_seconds": 60, "on_timeout": "forfeit"})
    sealed = timed.handle(OpenGame(player="ann", kind="red7", clock={"move_seconds": 60})).game_id
    for person in ("ann", "bob"):
        seal = hashlib.sha256(person.encode() * 16).hexdigest()
        timed.handle(JoinGame(game_id=sealed, player=person, seal=seal))
    timed.handle(StartGame(game_id=sealed, player="ann"))
    watch.tick(70)
    with playing(timed):
        until(lambda: timed.look(game).outcome, "the late seat forfeits")
        until(lambda: timed.look(sealed).phase == "void", "the sealed game is void")


def test_a_lobby_that_nobody_joined_expires_when_the_service_says_so(timed: Fairdeal, watch: Watch) -> None:
    deserted = timed.handle(OpenGame(player="ann", kind="red7")).game_id
    timed.handle(JoinGame(game_id=deserted, player="ann"))
    timed.handle(AddBot(game_id=deserted, player="ann", bot="careful"))
    joined = timed.handle(OpenGame(player="ann", kind="red7")).game_id
    timed.handle(JoinGame(game_id=joined, player="bob"))
    watch.tick(3600)
    young = timed.handle(OpenGame(player="ann", kind="red7")).game_id
    assert timed.expire_lobbies(timedelta(hours=2)) == ()
    assert timed.expire_lobbies(timedelta(hours=1)) == (deserted,)
    assert timed.expire_lobbies(timedelta(hours=1)) == ()
    assert timed.look(deserted).phase == "void"
    assert timed.story(deserted)[-1] == "The game is void (nobody came)."
    assert {timed.look(game).phase for game in (joined, young)} == {"lobby"}
    must_be_good(timed, deserted)


def test_the_runner_clears_lobbies_if_it_is_told_to(timed: Fairdeal, watch: Watch) -> None:
    deserted = timed.handle(OpenGame(player="ann", kind="red7")).game_id
    watch.tick(3600)
    with playing(timed, lobbies_after=timedelta(minutes=30)):
        until(lambda: timed.look(deserted).phase == "void", "the lobby is cleared")


def test_a_strict_service_lets_its_own_bots_and_clocks_act(tmp_path: Path, watch: Watch) -> None:
    from fairdeal.policy import STRICT

    with Fairdeal(f"sqlite:///{tmp_path / 'strict.db'}", policy=STRICT, clock=watch) as strict:
        bots = table(strict, "careful", "careful")
        late = (
            strict.visitor(Caller("ann"))
            .handle(OpenGame(player="ann", kind="kings_corners", clock={"move_seconds": 60}))
            .game_id
        )
        for one in ("ann", "bob"):
            strict.visitor(one).handle({"command": "join_game", "game_id": late})
        version = strict.visitor("ann").handle({"command": "start_game", "game_id": late}).version
        watch.tick(100)
        with playing(strict):
            until(lambda: strict.look(bots).outcome, "bots play")
            until(lambda: strict.look(late).version > version, "the late seat is called")


def test_a_timetable_names_each_game_at_its_newest_moment() -> None:
    timetable, noon = Timetable(), datetime(2026, 1, 1, 12, tzinfo=UTC)
    one, two = UUID(int=1), UUID(int=2)
    timetable.note(one, noon)
    timetable.note(two, noon + timedelta(seconds=1))
    timetable.note(one, noon + timedelta(seconds=2))
    assert timetable.due(noon + timedelta(seconds=1)) == [two]
    assert timetable.due(noon + timedelta(seconds=2)) == [one]
    assert timetable.due(noon + timedelta(days=1)) == []
    timetable.note(one, noon)
    timetable.note(one, None)
    assert timetable.due(noon) == []
