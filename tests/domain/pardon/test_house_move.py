"""What the house plays for somebody whose time has run out."""

from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import TAKE, ChooseFaceUp, PlayCards, TakeTable
from fairdeal.testing import play


def test_the_house_takes_the_table_or_plays_the_first_legal_move() -> None:
    played: set[type] = set()
    for step in play(PARDON).steps:
        legal = PARDON.play.legal(step.before, step.seat)
        move = PARDON.play.house_move(PARDON.eyes.view(step.before, step.seat), legal)
        assert move == (TAKE if TAKE in legal else legal[0])
        assert not isinstance(move, PlayCards) or len(move.cards) == 1
        played.add(type(move))
    assert {ChooseFaceUp, TakeTable, PlayCards} <= played
