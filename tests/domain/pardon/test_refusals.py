"""Every refusal, and which comes first when several apply (RULES 8)."""

from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.pardon.events import PositionLaid
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.options import PardonOptions
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.testing import given
from positions.pardon import position

PLAYING = position("9C JD 5C 6C / 4D 4S", table="8H", face_down="KC KD KH / QC QD QH")
ON_SEVEN = position("9C 9D JD 5C / 4D", table="7H 3H", face_down="KC KD KH / QC QD QH")
BLIND = position(" / 4D", table="8H", face_down="KC - KH / QC QD QH")
BARE = position("9C / 4D", face_down="KC KD KH / QC QD QH")


@pytest.mark.parametrize(
    ("laid", "seat", "move", "reason"),
    [
        (PLAYING, 0, ChooseFaceUp(("9C", "JD", "5C")), Refusal.WRONG_PHASE),
        (PLAYING, 1, ChooseFaceUp(()), Refusal.WRONG_PHASE),
        (PLAYING, 1, PlayCards(()), Refusal.NOT_YOUR_TURN),
        (PLAYING, 1, TakeTable(), Refusal.NOT_YOUR_TURN),
        (PLAYING, 1, TurnFaceDown(9), Refusal.NOT_YOUR_TURN),
        (BLIND, 0, PlayCards(()), Refusal.MUST_PLAY_FACE_DOWN),
        (BLIND, 0, PlayCards(("9C", "9C")), Refusal.MUST_PLAY_FACE_DOWN),
        (PLAYING, 0, PlayCards(()), Refusal.NO_CARDS),
        (PLAYING, 0, PlayCards(("9C", "9C")), Refusal.DUPLICATE_CARD),
        (PLAYING, 0, PlayCards(("4D", "4D", "JD")), Refusal.DUPLICATE_CARD),
        (PLAYING, 0, PlayCards(("joker", "joker")), Refusal.DUPLICATE_CARD),
        (PLAYING, 0, PlayCards(("4D",)), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("9C", "9D")), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("9C", "JD", "4D")), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("KC",)), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("",)), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("9c",)), Refusal.CARD_NOT_IN_HAND),
        (PLAYING, 0, PlayCards(("9C", "JD")), Refusal.MIXED_RANKS),
        (PLAYING, 0, PlayCards(("5C", "6C")), Refusal.MIXED_RANKS),
        (PLAYING, 0, PlayCards(("9C", "JD", "5C", "6C")), Refusal.MIXED_RANKS),
        (PLAYING, 0, PlayCards(("5C",)), Refusal.NOT_HIGHER),
        (ON_SEVEN, 0, PlayCards(("9C", "JD")), Refusal.MIXED_RANKS),
        (ON_SEVEN, 0, PlayCards(("9D", "9C")), Refusal.MUST_BE_LOWER_THAN_7),
        (BARE, 0, TakeTable(), Refusal.PILE_EMPTY),
        (PLAYING, 0, TurnFaceDown(1), Refusal.HAND_NOT_EMPTY),
        (PLAYING, 0, TurnFaceDown(9), Refusal.HAND_NOT_EMPTY),
        (BLIND, 0, TurnFaceDown(2), Refusal.NO_SUCH_CARD),
        (BLIND, 0, TurnFaceDown(0), Refusal.NO_SUCH_CARD),
        (BLIND, 0, TurnFaceDown(4), Refusal.NO_SUCH_CARD),
        (BLIND, 0, TurnFaceDown(-1), Refusal.NO_SUCH_CARD),
    ],
)
def test_the_first_refusal_that_applies_is_given(laid: PositionLaid, seat: int, move: Move, reason: Refusal) -> None:
    given(PARDON, laid).when(seat, move).then_refused(reason)


@pytest.mark.parametrize(
    ("player", "move"),
    [
        ("A", ChooseFaceUp(())),
        ("B", PlayCards(())),
        ("stranger", TakeTable()),
        ("stranger", TurnFaceDown(7)),
    ],
)
def test_after_the_end_everybody_hears_that_the_game_is_over_strangers_too(player: str, move: Move) -> None:
    game = table(position("9C / 4D", table="8H"))
    game.move("A", PlayCards(("9C",)))
    assert refused(game, player, move) == "game_over"


@pytest.mark.parametrize("move", [ChooseFaceUp(()), PlayCards(()), TakeTable(), TurnFaceDown(7)])
def test_while_the_game_runs_a_stranger_is_unknown_whatever_they_try(move: Move) -> None:
    assert refused(table(PLAYING), "stranger", move) == "unknown_player"


def table(laid: PositionLaid) -> Game:
    game = Game.open(UUID(int=0), PARDON, "A", PardonOptions(), bytes(32))
    game.seat_all(["A", "B"])
    game.start("A", position=laid)
    return game


def refused(game: Game, player: str, move: Move) -> str:
    with pytest.raises(IllegalMove) as error:
        game.move(player, move)
    return error.value.code
