"""What the house plays for somebody whose time has run out."""

from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN
from fairdeal.testing import play


def test_the_house_ends_the_turn() -> None:
    for step in play(TCG).steps:
        legal = TCG.play.legal(step.before, step.seat)
        assert TCG.play.house_move(TCG.eyes.view(step.before, step.seat), legal) == END_TURN
