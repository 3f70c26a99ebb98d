"""A worker whose clock is wrong: a database with a clock of its own refuses it, another one plays on."""

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import ClassVar, Self

import pytest

from fairdeal import Fairdeal, FairdealError
from fairdeal.application.commands import handlers
from fairdeal.application.errors import ClockAhead
from fairdeal.infrastructure.ledger.postgres.server_clock import MOST_AHEAD, ServerClock

END_TURN = {"move": "end_turn"}


class WrongClock(datetime):
    """The clock of this machine, which goes wrong by so much."""

    wrong_by: ClassVar[timedelta] = timedelta(days=365 * 7900)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        moment = datetime.now(tz) + cls.wrong_by
        return cls.combine(moment.date(), moment.timetz())


@pytest.mark.xdist_group("postgres")
def test_a_clock_of_the_far_future_stores_nothing_on_postgresql(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Fairdeal(postgres) as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        head = fairdeal.ledger.head()
        with monkeypatch.context() as wrong:
            wrong.setattr(handlers, "datetime", WrongClock)
            with pytest.raises(ClockAhead, match="ahead of the database's"):
                fairdeal.move(game, "ann", END_TURN)
            with pytest.raises(ClockAhead, match="ahead of the database's"):
                fairdeal.start_game("kings_corners", ["ann", "bob"])
        assert fairdeal.ledger.head() == head
        # Set right again, it plays on.
        player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
        fairdeal.move(game, player, END_TURN)
        assert fairdeal.audit(game).good


@pytest.mark.xdist_group("postgres")
def test_a_clock_that_was_given_is_believed(postgres: str) -> None:
    with Fairdeal(postgres, clock=lambda: datetime(9999, 12, 30, tzinfo=UTC)) as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        assert fairdeal.replay(game).go_to(1).at == "9999-12-30T00:00:00.000000Z"


def test_on_sqlite_there_is_no_other_clock_and_the_game_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        with monkeypatch.context() as wrong:
            wrong.setattr(handlers, "datetime", WrongClock)
            fairdeal.move(game, fairdeal.look(game).players[fairdeal.look(game).active[0]], END_TURN)
        fairdeal.move(game, fairdeal.look(game).players[fairdeal.look(game).active[0]], END_TURN)
        replay = fairdeal.replay(game)
        last = replay.go_to(replay.head)
        assert last.at is not None
        assert last.at > "9900"
        assert fairdeal.audit(game).good


def test_the_server_is_asked_again_only_before_somebody_is_refused() -> None:
    now, slept = datetime(2026, 1, 1, tzinfo=UTC), [0.0]
    asked: list[datetime] = []

    def ask() -> datetime:
        asked.append(now)
        return now

    clock = ServerClock(ask, lambda: slept[0])
    clock.must_not_be_ahead(now + MOST_AHEAD)
    slept[0] += 100
    clock.must_not_be_ahead(now + MOST_AHEAD + timedelta(seconds=100))
    assert len(asked) == 1
    now += timedelta(hours=2)  # which this machine has slept through
    clock.must_not_be_ahead(now)
    assert len(asked) == 2
    with pytest.raises(FairdealError) as caught:
        clock.must_not_be_ahead(now + MOST_AHEAD + timedelta(seconds=1))
    assert caught.value.code == "clock_ahead"
    assert len(asked) == 3
