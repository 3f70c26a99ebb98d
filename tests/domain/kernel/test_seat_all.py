"""A whole party sits down at once."""

from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.game import KINGS_CORNERS


@pytest.fixture
def table() -> Game:
    return Game.open(UUID(int=0), KINGS_CORNERS, "host", NoOptions(), bytes(32))


def test_everybody_gets_a_seat_in_order(table: Game) -> None:
    table.seat_all(["Anna", "Ben"])
    assert table.players == ("Anna", "Ben")


@pytest.mark.parametrize("party", [[], ["Anna"], ["Anna"] * 7])
def test_too_few_or_too_many_is_said_before_who_comes_twice(table: Game, party: list[str]) -> None:
    with pytest.raises(IllegalMove) as refused:
        table.seat_all(party)
    assert refused.value.reason is HouseRefusal.PLAYER_COUNT
    assert table.players == ()


def test_nobody_sits_down_twice(table: Game) -> None:
    with pytest.raises(IllegalMove) as refused:
        table.seat_all(["Anna", "Anna"])
    assert refused.value.reason is HouseRefusal.DUPLICATE_PLAYER


def test_who_sits_already_counts(table: Game) -> None:
    table.join("Anna")
    table.seat_all(["Ben"])
    assert table.players == ("Anna", "Ben")


def test_a_started_game_takes_no_party(table: Game) -> None:
    table.seat_all(["Anna", "Ben"])
    table.start("host")
    with pytest.raises(IllegalMove) as refused:
        table.seat_all(["Carl"])
    assert refused.value.reason is HouseRefusal.ALREADY_STARTED
