"""One English line per event, and the table as a drawing."""

import pytest

from fairdeal.domain.kernel.french_deck import DECK, cards
from fairdeal.domain.pardon.events import (
    Burn,
    CardsDealt,
    CardsDrawn,
    CardsPlayed,
    FaceDownFailed,
    FaceUpChosen,
    FaceUpTaken,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    PlayStarted,
    TurnPassed,
)
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, PlayCards, TurnFaceDown
from fairdeal.domain.pardon.state import Pardon
from fairdeal.testing import given
from positions.pardon import position

NAMES = ("Anna", "Ben", "Carl")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            CardsDealt(0, 2, DECK),
            "Seven cards each are dealt, and three more face down; everybody chooses three to lie face up.",
        ),
        (position("4C / 4D", turn=1), "A position is laid out; Ben begins."),
        (FaceUpChosen(1, cards("AS 2H 10C")), "Ben puts AS 2H 10C face up."),
        (PlayStarted(0), "Everybody has chosen; Anna begins."),
        (CardsPlayed(0, cards("9C 9D"), None), "Anna plays 9C 9D."),
        (CardsPlayed(0, cards("9C"), 2), "Anna turns face-down card 2 and plays it: 9C."),
        (FaceDownFailed(0, 3, cards("4C")[0]), "Anna turns face-down card 3: 4C fails and is taken with the table."),
        (PileBurned(Burn.TEN, cards("10C")), "A ten burns the table (1 card)."),
        (PileBurned(Burn.FOUR, cards("9C 9D 9H 9S")), "Four of a kind burns the table (4 cards)."),
        (CardsDrawn(2, cards("9C 9D")), "Carl draws 2 cards: 9C 9D."),
        (CardsDrawn(2, (None,)), "Carl draws 1 card."),
        (FaceUpTaken(1), "Ben picks up the face-up cards."),
        (PileTaken(1, cards("8H KS")), "Ben takes the table (2 cards): 8H KS."),
        (PlayersSkipped((1, 2)), "Ben and Carl must sit out."),
        (TurnPassed(2), "It is Carl's turn."),
    ],
)
def test_every_event_is_one_line(event: object, line: str) -> None:
    assert PARDON.voice.tell(event, NAMES) == line


def test_a_stranger_among_the_events_is_not_told() -> None:
    with pytest.raises(TypeError):
        PARDON.voice.tell("a string", NAMES)


def drawing(state: Pardon, viewer: int | None = 0) -> list[str]:
    return PARDON.voice.render(PARDON.eyes.view(state, viewer), NAMES[:2]).splitlines()


def test_the_table_is_drawn_with_what_lies_open_and_the_own_hand() -> None:
    laid = position("9C 10C / 4D JH", table="8H 3H", face_up="KC AC 10D / ", face_down="KD KH KS / JC - QC", deck="AS")
    state = given(PARDON, laid).state
    assert drawing(state) == [
        "deck 1   burned 0",
        "table (2)  8H 3H   above 8",
        "→ Anna  [# # #]  [ KC  AC 10D]  9C 10C",
        "  Ben   [# - #]  [     -     ]  2 in hand",
    ]
    assert drawing(state, None)[2] == "→ Anna  [# # #]  [ KC  AC 10D]  2 in hand"


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("", "table empty"),
        ("3H", "table (1)  3H   anything goes"),
        ("KD 2H", "table (2)  KD 2H   anything goes"),
        ("7D 3H", "table (2)  7D 3H   below 7"),
        ("AD", "table (1)  AD   above A"),
        (
            "4C 5C 6C 8C 9C JC QC KC AC 2C 4H",
            "table (11)  … 5C 6C 8C 9C JC QC KC AC 2C 4H   above 4",
        ),
    ],
)
def test_the_drawing_says_what_has_to_be_beaten(table: str, line: str) -> None:
    assert drawing(given(PARDON, position("9S / 4D", table=table)).state)[1] == line


def test_a_failed_card_is_drawn_for_everybody() -> None:
    laid = position(" / 4D", table="8H", face_down="4C / JC")
    failed = given(PARDON, laid).when(0, TurnFaceDown(1)).state
    assert drawing(failed, None)[1] == "table empty   4C failed"


def test_an_empty_hand_is_drawn_as_empty() -> None:
    assert drawing(given(PARDON, position(" / 4D", face_down="4C / JC")).state)[2].endswith("empty")


def test_arrows_mark_who_has_still_to_choose_and_a_star_the_winner() -> None:
    choosing = given(PARDON, CardsDealt(0, 2, DECK)).when(0, ChooseFaceUp(("2C", "3C", "4C"))).state
    assert [line[0] for line in drawing(choosing)[2:]] == [" ", "→"]
    won = given(PARDON, position("9S / 4D")).when(0, PlayCards(("9S",))).state
    assert [line[0] for line in drawing(won)[2:]] == ["*", " "]
