"""What the house plays for somebody whose time has run out."""

from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.testing import play


def test_the_house_asks_the_first_seat_for_the_lowest_value() -> None:
    for step in play(REVIIYOT, seats=3).steps:
        legal = REVIIYOT.play.legal(step.before, step.seat)
        move = REVIIYOT.play.house_move(REVIIYOT.eyes.view(step.before, step.seat), legal)
        assert move == Ask(1 if step.seat == 0 else 0, next(iter(step.before.values(step.seat))))
