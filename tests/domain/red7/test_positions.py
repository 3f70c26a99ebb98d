"""Positions that a table could not go on from are refused before they are laid."""

from dataclasses import replace
from typing import Any

import pytest

from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.red7.cards import Card
from fairdeal.domain.red7.deal import check_position
from fairdeal.domain.red7.events import PositionLaid

HAND, PALETTE = (Card("G7"),), (Card("B4"),)
FINE = PositionLaid((HAND,) * 3, (PALETTE,) * 3, (), (), (2,), ((),) * 3, 0)


def test_a_position_with_a_seat_that_is_out_is_fine() -> None:
    check_position(3, FINE)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hands": (HAND,) * 2},
        {"palettes": (PALETTE,) * 4},
        {"scores": ()},
        {"out": (1, 2)},
        {"turn": 2},
        {"turn": 7},
        {"deck": (None,)},
        {"hands": (HAND, (None,), HAND)},
    ],
)
def test_a_position_that_cannot_go_on_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove) as refused:
        check_position(3, replace(FINE, **wrong))
    assert refused.value.reason is HouseRefusal.BAD_POSITION
