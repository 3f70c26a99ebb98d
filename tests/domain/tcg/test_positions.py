"""Positions set up by hand (RULES 10)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.tcg.cards import Card, CardDefinition, Kind
from fairdeal.domain.tcg.events import PositionLaid
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from positions.tcg_positions import position_of

GOOD = position_of(
    {"active": "B", "A": {"board": [{"card": "d1"}] * 9, "health": 99}, "B": {"mana": 9, "hand": ["d9x"]}}
)
DRAGON = CardDefinition("d9x", Kind.DAMAGE, 9, 9)


def start(position: PositionLaid) -> Game:
    game = Game.open(UUID(int=1), TCG, "Ann", TcgOptions(), bytes(32))
    game.seat_all(["Ann", "Bea"])
    game.start("Ann", position=position)
    return game


def test_a_strange_position_is_played_from_as_it_lies() -> None:
    game = start(replace(GOOD, cards=(*STARTER, DRAGON)))
    assert game.state.sides[0].health == 99
    assert [move.card for move in game.legal("Bea")[:1]] == ["d9x"]


def with_side(**fields: Any) -> PositionLaid:
    position = replace(GOOD, cards=(*STARTER, DRAGON))
    return replace(position, sides=(replace(position.sides[0], **fields), position.sides[1]))


@pytest.mark.parametrize(
    ("position", "word"),
    [
        (GOOD, "printed"),
        (replace(GOOD, cards=()), "1 to 500"),
        (replace(GOOD, cards=(*STARTER, replace(DRAGON, cost=11))), "cost"),
        (replace(GOOD, sides=GOOD.sides[:1]), "side for each seat"),
        (replace(GOOD, active=2), "active"),
        (with_side(hand=(None,)), "shows them all"),
        (with_side(deck=(None,)), "shows them all"),
        (with_side(discard=(Card(0, "dragon"),)), "printed"),
        (with_side(hand=(Card(77, "d1"),), discard=(Card(77, "d1"),)), "same number"),
    ],
)
def test_a_table_that_cannot_go_on_is_refused(position: PositionLaid, word: str) -> None:
    with pytest.raises(IllegalMove, match=word) as refused:
        start(position)
    assert refused.value.reason == HouseRefusal.BAD_POSITION
