"""Followers miss nothing, hear nothing twice and nothing out of order, whatever happens to those who write."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from uuid import UUID

import pytest

from fairdeal import Fairdeal, FairdealError, LedgerRolledBack, LedgerUnavailable, NewEvents
from fairdeal.infrastructure import watcher
from kits.followers import following_process
from kits.ledger import set_ledger_back
from kits.players import Heard, playing_process
from kits.postgres import MortalServer

PLAYERS = ["ann", "bob"]
PATIENCE = 60.0
"""For tests that fail: seconds until a follower gives up."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    return f"sqlite:///{tmp_path / 'games.db'}"


class Follower:
    """Follows a game in a thread of its own, from the first version on."""

    def __init__(self, fairdeal: Fairdeal, game: UUID, viewer: str | None = None) -> None:
        self.heard: SimpleQueue[NewEvents | FairdealError | None] = SimpleQueue()
        self.versions: list[int] = []
        self._thread = Thread(target=self._follow, args=(fairdeal, game, viewer), daemon=True)
        self._thread.start()

    def _follow(self, fairdeal: Fairdeal, game: UUID, viewer: str | None) -> None:
        try:
            for new in fairdeal.follow(game, viewer):
                self.heard.put(new)
            self.heard.put(None)
        except FairdealError as error:
            self.heard.put(error)

    def next(self) -> NewEvents:
        new = self.heard.get(timeout=PATIENCE)
        assert isinstance(new, NewEvents), new
        self.versions += [event.version for event in new.events]
        return new

    def hear_up_to(self, version: int) -> None:
        while not self.versions or self.versions[-1] < version:
            self.next()

    def must_have_heard_everything(self) -> None:
        assert self.versions == list(range(1, len(self.versions) + 1))


def turn(fairdeal: Fairdeal, game: UUID) -> int:
    look = fairdeal.look(game)
    return fairdeal.move(game, look.players[look.active[0]], {"move": "end_turn"}).version


@contextmanager
def without_polling(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(watcher, "POLL_SECONDS", 3600.0)
        yield


def test_a_command_of_the_same_process_wakes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with without_polling(monkeypatch), Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        game = fairdeal.start_game("kings_corners", PLAYERS).game_id
        follower = Follower(fairdeal, game)
        follower.next()
        for _ in range(5):
            follower.hear_up_to(turn(fairdeal, game))
        follower.must_have_heard_everything()


def test_commands_of_another_service_are_heard(address: str) -> None:
    with Fairdeal(address) as mine, Fairdeal(address) as other:
        game = other.start_game("kings_corners", PLAYERS).game_id
        followers = [Follower(mine, game, viewer) for viewer in (None, *PLAYERS)]
        for _ in range(10):
            version = turn(other, game)
            for follower in followers:
                follower.hear_up_to(version)
        for follower in followers:
            follower.must_have_heard_everything()


def test_a_new_follower_is_served_after_all_others_have_left(address: str) -> None:
    with Fairdeal(address) as mine, Fairdeal(address) as other:
        game = other.start_game("kings_corners", PLAYERS).game_id
        for _ in range(3):
            messages = mine.follow(game)
            next(messages)
            version = turn(other, game)
            assert next(messages).version == version
            messages.close()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


def test_the_stream_ends_with_the_game_and_a_finished_one_at_once(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        game = fairdeal.start_game("kings_corners", PLAYERS).game_id
        follower = Follower(fairdeal, game)
        follower.next()
        answer = fairdeal.handle({"command": "leave_game", "game_id": game, "player": "bob"})
        assert follower.next().over
        assert follower.heard.get(timeout=PATIENCE) is None
        (late,) = fairdeal.follow(game, after=answer.version)
        assert (late.events, late.over) == ((), True)


def test_whoever_has_no_patience_is_let_go(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", PLAYERS).game_id
    assert len(list(fairdeal.follow(game, patience=0.01))) == 1


def test_closing_ends_those_who_follow(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", PLAYERS).game_id
    follower = Follower(fairdeal, game)
    follower.next()
    fairdeal.close()
    assert isinstance(follower.heard.get(timeout=PATIENCE), LedgerUnavailable)


def test_nothing_is_missed_while_writers_are_killed(address: str) -> None:
    heard = Heard()
    with Fairdeal(address) as fairdeal:
        games = [fairdeal.start_game("pardon", PLAYERS).game_id for _ in range(3)]
        followers = [Follower(fairdeal, game, viewer) for game in games for viewer in (None, "ann")]
        for kill in range(3):
            with playing_process(address, seed=kill, tables=list(games)) as (process, pipe):
                heard.listen_for(pipe, 15)
                process.kill()
                process.join()
                heard.listen(pipe, until=lambda: False)
        for number, follower in enumerate(followers):
            follower.hear_up_to(fairdeal.look(games[number // 2]).version)
            follower.must_have_heard_everything()
        for game in games:
            answered = [answer.receipt for answer in heard.answered.values() if answer.game_id == game]
            assert fairdeal.audit(game, answered).good


def test_several_processes_follow_while_several_write_and_any_of_them_is_killed(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        games = [fairdeal.start_game("pardon", PLAYERS).game_id for _ in range(4)]
        with following_process(address, games) as lasting, following_process(address, games) as killed:
            for kill in range(2):
                with (
                    playing_process(address, seed=2 * kill, tables=games[:2], threads=2) as (first, pipe),
                    playing_process(address, seed=2 * kill + 1, tables=games[2:], threads=2) as (_, other),
                ):
                    Heard().listen_for(pipe, 10)
                    first.kill()
                    Heard().listen_for(other, 10)
                    killed.listen(PATIENCE)
                    killed.kill()
                    killed.start()
            heads = {game: fairdeal.look(game).version for game in games}
            for following in (lasting, killed):
                while any(len(following.versions[game]) < heads[game] for game in games):
                    assert following.listen(PATIENCE), "something was missed"
                for game in games:
                    assert following.versions[game] == list(range(1, heads[game] + 1))


@pytest.mark.xdist_group("postgres")
def test_nothing_is_missed_across_a_restart_of_the_server() -> None:
    server = MortalServer()
    try:
        with Fairdeal(server.address) as mine, Fairdeal(server.address) as other:
            game = other.start_game("kings_corners", PLAYERS).game_id
            follower = Follower(mine, game)
            follower.hear_up_to(turn(other, game))
            for _ in range(2):
                server.kill()
                server.start()
                follower.hear_up_to(turn(other, game))
            follower.must_have_heard_everything()
    finally:
        server.stop()


def test_after_a_restart_of_the_service_one_goes_on_where_one_was(address: str) -> None:
    versions: list[int] = []
    with Fairdeal(address) as writer:
        game = writer.start_game("kings_corners", PLAYERS).game_id
        for _ in range(4):
            with Fairdeal(address) as service:
                messages = service.follow(game, "bob", after=len(versions))
                versions += [event.version for event in next(messages).events]
                turn(writer, game)
                versions += [event.version for event in next(messages).events]
            turn(writer, game)
        assert versions == list(range(1, len(versions) + 1))


def test_nobody_asks_the_ledger_while_nobody_follows(fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fairdeal.start_game("kings_corners", PLAYERS).game_id
    asked: list[str] = []

    def since(position: int, limit: int) -> None:
        asked.append(f"since {position} {limit}")

    monkeypatch.setattr(fairdeal.ledger, "since", since)
    monkeypatch.setattr(fairdeal.ledger, "head", lambda: asked.append("head"))
    turn(fairdeal, game)
    fairdeal.events(game)
    assert asked == []


def test_followers_of_a_ledger_that_was_set_back_are_told(address: str, tmp_path: Path) -> None:
    with Fairdeal(address) as mine, Fairdeal(address) as other:
        kept, moved = (other.start_game("kings_corners", PLAYERS).game_id for _ in range(2))
        head = other.ledger.head()
        version = turn(other, moved)
        followers = [Follower(mine, game) for game in (kept, moved)]
        followers[0].next()
        followers[1].hear_up_to(version)
        set_ledger_back(address, tmp_path / "games.db", head)
        assert isinstance(followers[1].heard.get(timeout=PATIENCE), LedgerRolledBack)
        # Who follows what is still there goes on, although new records stand at old positions.
        with Fairdeal(address) as third:
            followers[0].hear_up_to(turn(third, kept))
        followers[0].must_have_heard_everything()
