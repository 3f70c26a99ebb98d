"""The printed game: turn blocks, winners, and the first and the last state."""

from typing import Any
from uuid import UUID

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.reviiyot.events import PositionLaid
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import ReviiyotOptions
from fairdeal.infrastructure.games.reviiyot.trace import printed
from positions.reviiyot import position

NAMES = ("Ami", "Tami", "Dana")


def played(laid: PositionLaid, *asks: Ask) -> list[Any]:
    """The log of a game from a position, by people."""
    game = Game.open(UUID(int=0), REVIIYOT, "Ami", ReviiyotOptions(), bytes(32))
    for name in NAMES[: len(laid.hands)]:
        game.join(name)
    game.start("Ami", position=laid)
    for ask in asks:
        game.move(NAMES[game.active()[0]], ask)
    return game.pending


ONE_WINNER = played(position("2C 5C / 2D 2S", deck="KS QS"), Ask(1, "2"))


def test_a_turn_shows_the_state_before_it_and_the_question() -> None:
    first, summary = printed(ONE_WINNER, verbal=True)
    assert first == "\nTurn 1\nDeck: KS QS\nAmi: 2C 5C\nTami: 2D 2S\nAmi asked Tami for the value 2\n"
    assert summary == (
        "\n***** The Winner is: Tami *****\nNumber of turns: 1\n"
        "----------\nInitial State:\nDeck: KS QS\nAmi: 2C 5C\nTami: 2D 2S\n"
        "----------\nFinal State:\nDeck: KS QS\nAmi: 2C 2D 2S 5C\nTami: \n"
    )


def test_without_verbal_there_is_only_the_summary() -> None:
    assert list(printed(ONE_WINNER, verbal=False)) == list(printed(ONE_WINNER, verbal=True))[1:]


def test_two_winners_stand_in_order_of_position() -> None:
    log = played(position("JC JD JS 9C / 9D 9H 9S / KC", deck="JH", turns=1), Ask(0, "9"))
    text = "".join(printed(log, verbal=False))
    assert text.startswith("\n***** The winners are: Ami and Tami *****\nNumber of turns: 2\n")
    assert text.endswith("Final State:\nDeck: \nAmi: \nTami: \nDana: KC\n")


def test_a_game_that_goes_on_or_never_ends_has_no_summary() -> None:
    assert "".join(printed(ONE_WINNER[:-1], verbal=False)) == ""
    endless = played(position("2C 3C / 2D 4C / 3D 4D"), *(Ask(2, "2"), Ask(2, "2"), Ask(1, "3")) * 2)
    assert endless[-1].reason == "stalled"
    text = "".join(printed(endless, verbal=True))
    assert text.endswith("\n\nTurn 6\nDeck: \nAmi: 2C 3C\nTami: 2D 4C\nDana: 3D 4D\nDana asked Tami for the value 3\n")
    assert "".join(printed(endless, verbal=False)) == ""


def test_other_names_may_be_printed() -> None:
    text = "".join(printed(ONE_WINNER, verbal=True, names=("א", "ב")))
    assert "א asked ב for the value 2" in text
    assert "Ami" not in text
