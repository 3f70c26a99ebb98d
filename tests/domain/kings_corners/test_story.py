"""Kings Corners in words and as a drawing."""

from typing import Any

import pytest

from fairdeal.domain.kernel.french_deck import DECK, Card, cards
from fairdeal.domain.kernel.lifecycle import PlayerLeft
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    CardsDealt,
    NothingDrawn,
    PileMoved,
    TurnPassed,
)
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, PlayCard
from fairdeal.testing import given
from positions.kings_corners import laid

NAMES = ("Ann", "Bob")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (CardsDealt(0, 2, DECK), "Seven cards each are dealt, and one onto each foundation."),
        (laid("2S / 3C", turn=1), "A position is laid out; Bob begins."),
        (CardPlayed(0, Card.JD, Pile.N), "Ann plays JD on N."),
        (PileMoved(1, Pile.E, Pile.SW, cards("9S 8D")), "Bob moves E (9S 8D) onto SW."),
        (CardDrawn(0, Card.H10), "Ann draws 10H."),
        (CardDrawn(0, None), "Ann draws a card."),
        (NothingDrawn(1), "Bob draws nothing: the deck is empty."),
        (TurnPassed(1), "It is Bob's turn."),
    ],
)
def test_every_event_is_told_in_a_line(event: Any, line: str) -> None:
    assert KINGS_CORNERS.voice.tell(event, NAMES) == line


def test_events_of_the_house_are_not_told_by_the_game() -> None:
    with pytest.raises(TypeError, match="Kings Corners does not know the event PlayerLeft"):
        KINGS_CORNERS.voice.tell(PlayerLeft("Ann"), NAMES)


TABLE = given(KINGS_CORNERS, laid("JD 2S / 3C", deck="10D 9D", N="QS", W="10H 9S 8D", SE="KC QH"))


def test_the_table_is_drawn_as_it_lies() -> None:
    assert KINGS_CORNERS.voice.render(KINGS_CORNERS.eyes.view(TABLE.state, 0), NAMES).splitlines() == [
        "[    NW –     ][    N QS     ][    NE –     ]",
        "[  W 10H…8D   ][   deck 2    ][     E –     ]",
        "[    SW –     ][     S –     ][  SE KC…QH   ]",
        "→ Ann: JD 2S",
        "  Bob: 1 card",
    ]


def test_a_spectator_is_shown_only_how_many_cards_there_are() -> None:
    assert KINGS_CORNERS.voice.render(KINGS_CORNERS.eyes.view(TABLE.state, None), NAMES).splitlines()[3:] == [
        "→ Ann: 2 cards",
        "  Bob: 1 card",
    ]


def test_a_won_game_is_drawn_with_its_winner() -> None:
    won = TABLE.when(0, PlayCard("JD", "N")).when(0, PlayCard("2S", "E"))
    assert KINGS_CORNERS.voice.render(KINGS_CORNERS.eyes.view(won.state, 0), NAMES).splitlines()[3:] == [
        "  Ann:",
        "  Bob: 1 card",
        "Ann has won.",
    ]


def test_a_stalemate_is_drawn_as_one() -> None:
    ended = given(KINGS_CORNERS, laid("JD / 3C", deck="")).when(0, END_TURN).when(1, END_TURN)
    assert KINGS_CORNERS.voice.render(KINGS_CORNERS.eyes.view(ended.state, 1), NAMES).splitlines()[3:] == [
        "  Ann: 1 card",
        "  Bob: 3C",
        "Stalemate: nobody wins.",
    ]
