"""What the house plays for somebody whose time has run out."""

from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import END_TURN, GIVE_UP
from fairdeal.testing import play


def test_the_house_ends_the_turn_or_gives_up() -> None:
    played: set[object] = set()
    for seed in range(5):
        for step in play(RED7, options=RED7.setup.presets["actions"], seed=seed).steps:
            legal = RED7.play.legal(step.before, step.seat)
            move = RED7.play.house_move(RED7.eyes.view(step.before, step.seat), legal)
            assert move == (END_TURN if END_TURN in legal else GIVE_UP)
            played.add(move)
    assert played == {END_TURN, GIVE_UP}
