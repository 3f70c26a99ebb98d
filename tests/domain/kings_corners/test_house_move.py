"""What the house plays for somebody whose time has run out."""

from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN
from fairdeal.testing import play


def test_the_house_ends_the_turn() -> None:
    for step in play(KINGS_CORNERS).steps:
        legal = KINGS_CORNERS.play.legal(step.before, step.seat)
        assert KINGS_CORNERS.play.house_move(KINGS_CORNERS.eyes.view(step.before, step.seat), legal) == END_TURN
