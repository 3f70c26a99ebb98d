"""When several things are wrong the first one in the order of RULES 6 is told."""

from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.events import PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.testing import given
from positions.kings_corners import laid

PLAIN = laid("10S QH 2S / JD", N="QS", E="9S", NE="KC")


@pytest.mark.parametrize(
    ("seat", "move", "reason"),
    [
        # not on turn, no such pile, no such card
        (1, PlayCard("1X", "X"), Refusal.NOT_YOUR_TURN),
        (1, MovePile("X", "X"), Refusal.NOT_YOUR_TURN),
        (1, END_TURN, Refusal.NOT_YOUR_TURN),
        # playing: no such pile and not in the hand
        (0, PlayCard("JD", "X"), Refusal.UNKNOWN_PILE),
        # not in the hand, and does not fit either
        (0, PlayCard("4H", "NW"), Refusal.CARD_NOT_IN_HAND),
        (0, PlayCard("4H", "N"), Refusal.CARD_NOT_IN_HAND),
        (0, PlayCard("1X", "NE"), Refusal.CARD_NOT_IN_HAND),
        # an empty corner asks for a king and for nothing else
        (0, PlayCard("QH", "NW"), Refusal.CORNER_NEEDS_KING),
        # wrong rank and same colour at once
        (0, PlayCard("10S", "N"), Refusal.WRONG_RANK),
        # moving: no such pile, before whether it is the same or empty
        (0, MovePile("X", "X"), Refusal.UNKNOWN_PILE),
        (0, MovePile("S", "X"), Refusal.UNKNOWN_PILE),
        (0, MovePile("X", "S"), Refusal.UNKNOWN_PILE),
        # the same pile, empty at that
        (0, MovePile("S", "S"), Refusal.SAME_PILE),
        (0, MovePile("SW", "SW"), Refusal.SAME_PILE),
        # an empty source to an empty target
        (0, MovePile("S", "W"), Refusal.EMPTY_SOURCE),
        (0, MovePile("S", "NW"), Refusal.EMPTY_SOURCE),
        (0, MovePile("SE", "NW"), Refusal.EMPTY_SOURCE),
        # to an empty foundation, even from a corner
        (0, MovePile("NE", "S"), Refusal.EMPTY_TARGET),
        (0, MovePile("E", "S"), Refusal.EMPTY_TARGET),
        # into an empty corner without a king; from corner to corner with one
        (0, MovePile("E", "NW"), Refusal.CORNER_NEEDS_KING),
        (0, MovePile("NE", "NW"), Refusal.NO_EFFECT),
        # onto a pile: rank before colour
        (0, MovePile("E", "N"), Refusal.WRONG_RANK),
        (0, MovePile("NE", "N"), Refusal.WRONG_RANK),
    ],
)
def test_the_first_thing_that_is_wrong_is_told(seat: int, move: Move, reason: Refusal) -> None:
    given(KINGS_CORNERS, PLAIN).when(seat, move).then_refused(reason)


def test_a_corner_pile_without_a_king_is_told_that_before_that_it_stays() -> None:
    position = laid("2S / 3C", NE="QH")  # only a position laid by hand has such a corner
    given(KINGS_CORNERS, position).when(0, MovePile("NE", "NW")).then_refused(Refusal.CORNER_NEEDS_KING)


def test_same_colour_is_told_when_nothing_else_is_wrong() -> None:
    table = given(KINGS_CORNERS, laid("8S 2S / 3C", N="9C", E="8C"))
    table.when(0, PlayCard("8S", "N")).then_refused(Refusal.SAME_COLOUR)
    table.when(0, MovePile("E", "N")).then_refused(Refusal.SAME_COLOUR)


def started(position: PositionLaid) -> Game:
    game = Game.open(UUID(int=1), KINGS_CORNERS, "the house", NoOptions(), bytes(32))
    game.seat_all(["A", "B"])
    game.start("the house", position=position)
    return game


@pytest.mark.parametrize("move", [PlayCard("1X", "X"), MovePile("X", "X"), END_TURN])
def test_a_stranger_is_told_so_whatever_they_try(move: Move) -> None:
    with pytest.raises(IllegalMove) as refused:
        started(PLAIN).move("Z", move)
    assert refused.value.reason is HouseRefusal.UNKNOWN_PLAYER


@pytest.mark.parametrize("player", ["A", "B", "Z"])
@pytest.mark.parametrize("move", [PlayCard("1X", "X"), MovePile("X", "X"), END_TURN])
def test_after_the_end_everybody_hears_that_first(player: str, move: Move) -> None:
    game = started(laid("JD / 3C", N="QS"))
    game.move("A", PlayCard("JD", "N"))
    with pytest.raises(IllegalMove) as refused:
        game.move(player, move)
    assert refused.value.reason == HouseRefusal.GAME_OVER


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (PlayCard("JD", "X"), "There is no pile 'X'; the piles are N, E, S, W, NE, SE, SW, NW."),
        (PlayCard("JD", "N"), "You do not hold 'JD'."),
        (PlayCard("QH", "NW"), "Only a king opens a corner, not QH."),
        (PlayCard("10S", "N"), "10S is not one rank below QS."),
        (MovePile("S", "N"), "Pile S is empty."),
    ],
)
def test_refusals_are_sentences_for_players(move: Move, sentence: str) -> None:
    refused = given(KINGS_CORNERS, PLAIN).when(0, move).refused
    assert refused is not None
    assert refused.message == sentence
