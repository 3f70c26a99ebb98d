"""Given, when, then: the sentences hold when they should, and fail when they should."""

import pytest

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kings_corners.events import CardDrawn, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.testing import given
from positions.kings_corners import laid

TABLE = given(KINGS_CORNERS, laid("JD / 3C", deck="10D"))


def test_what_happened_is_compared_exactly() -> None:
    ended = TABLE.when(0, END_TURN)
    ended.then(CardDrawn(0, Card.D10), TurnPassed(1))
    for events in ([], [CardDrawn(0, Card.D10)], [TurnPassed(1), CardDrawn(0, Card.D10)]):
        with pytest.raises(AssertionError, match="expected"):
            ended.then(*events)


def test_the_state_afterwards_can_be_asked() -> None:
    TABLE.when(0, END_TURN).then_state(lambda state: state.turn == 1)
    with pytest.raises(AssertionError, match="does not hold"):
        TABLE.when(0, END_TURN).then_state(lambda state: state.turn == 0)


def test_a_refusal_is_compared_by_its_reason() -> None:
    TABLE.when(1, END_TURN).then_refused(Refusal.NOT_YOUR_TURN).then_refused("not_your_turn")
    with pytest.raises(AssertionError, match="got not_your_turn"):
        TABLE.when(1, END_TURN).then_refused(Refusal.GAME_OVER)
    with pytest.raises(AssertionError, match="happened"):
        TABLE.when(0, END_TURN).then_refused(Refusal.GAME_OVER)


def test_a_refused_move_has_no_events_no_state_and_no_next_move() -> None:
    refused = TABLE.when(1, END_TURN)
    with pytest.raises(AssertionError, match="refused"):
        refused.then()
    with pytest.raises(AssertionError, match="refused"):
        refused.then_state(lambda state: True)
    with pytest.raises(AssertionError, match="refused"):
        refused.when(0, END_TURN)


def test_a_table_can_be_used_again() -> None:
    TABLE.when(0, END_TURN).when(1, END_TURN)
    TABLE.when(0, END_TURN).then(CardDrawn(0, Card.D10), TurnPassed(1))


def test_seats_can_be_chosen() -> None:
    assert len(given(KINGS_CORNERS).state.hands) == 2
    assert len(given(KINGS_CORNERS, seats=4).state.hands) == 4
