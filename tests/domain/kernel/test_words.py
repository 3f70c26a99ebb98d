"""The small things all games share: drafts, refusals, cards, and the story of the house's own events."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pytest

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, RANKS, SUITS, Card, cards
from fairdeal.domain.kernel.lifecycle import (
    FIRST_TERMS,
    LIFECYCLE_EVENTS,
    LIFECYCLE_UPCASTS,
    DealtFrom,
    EntropyRevealed,
    FirstGameOpened,
    GameAbandoned,
    GameBranched,
    GameFinished,
    GameForfeited,
    GameOpened,
    GameStarted,
    GameVoided,
    PlayerLeft,
    PlayerSeated,
    SeatTimedOut,
    Spectators,
    as_stored,
    player_of,
    tell_lifecycle,
)
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kernel.refusals import (
    FairdealError,
    GameOver,
    HouseRefusal,
    IllegalMove,
    NotYourTurn,
    UnknownPlayer,
    refusal,
)
from fairdeal.domain.kernel.rules import NoOptions

# -- drafts ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counted:
    by: int


def test_what_a_draft_says_happens_at_once_and_is_remembered_in_order() -> None:
    total: list[int] = []
    draft = Draft(total, {Counted: lambda state, event: state.append(event.by)})
    draft.say(Counted(1))
    assert total == [1]
    draft.say(Counted(2))
    assert draft.state is total
    assert total == [1, 2]
    assert draft.events == [Counted(1), Counted(2)]


def test_a_draft_does_not_remember_what_nobody_knows_how_to_follow() -> None:
    draft: Draft[list[int]] = Draft([], {})
    with pytest.raises(KeyError):
        draft.say(Counted(1))
    assert draft.events == []


# -- refusals --------------------------------------------------------------------------------------------------


class Whim(StrEnum):
    TUESDAY = "tuesday"
    OVER = "game_over"


def test_a_refusal_has_a_stable_code_and_a_sentence() -> None:
    error = refusal(Whim.TUESDAY, "Not on a Tuesday.")
    assert type(error) is IllegalMove
    assert error.reason is Whim.TUESDAY
    assert error.code == "tuesday"
    assert error.message == str(error) == "Not on a Tuesday."


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        (HouseRefusal.GAME_OVER, GameOver),
        (HouseRefusal.UNKNOWN_PLAYER, UnknownPlayer),
        (HouseRefusal.NOT_YOUR_TURN, NotYourTurn),
        (HouseRefusal.BAD_DECK, IllegalMove),
        (Whim.OVER, GameOver),
    ],
)
def test_the_most_common_refusals_have_classes_whichever_game_gives_them(
    reason: StrEnum, error: type[IllegalMove]
) -> None:
    assert type(refusal(reason, "No.")) is error


def test_every_error_of_ours_can_be_caught_as_one() -> None:
    assert issubclass(IllegalMove, FairdealError)
    assert FairdealError("Oh.").code == "error"
    assert FairdealError("Oh.", code="oh").code == "oh"


def test_codes_are_lower_case_words() -> None:
    assert all(code.value == code.name.lower() for code in HouseRefusal)


# -- the French deck -------------------------------------------------------------------------------------------


def test_the_deck_has_52_cards_in_its_order() -> None:
    assert [card.value for card in DECK] == [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
    assert len(set(DECK)) == 52


def test_a_card_knows_rank_suit_and_colour() -> None:
    assert (Card.H10.rank, Card.H10.suit, Card.H10.is_red) == (10, "H", True)
    assert (Card.AS.rank, Card.AS.suit, Card.AS.is_red) == (1, "S", False)
    assert (Card.KD.rank, Card.KC.rank, Card.QH.rank, Card.JS.rank) == (13, 13, 12, 11)
    assert Counter(card.rank for card in DECK) == dict.fromkeys(range(1, 14), 4)
    assert {card.suit for card in DECK if card.is_red} == {"D", "H"}


def test_cards_are_read_as_they_are_written() -> None:
    assert cards("10H KS  AC") == (Card.H10, Card.KS, Card.AC)
    assert cards("") == ()
    assert Card("10H") is Card.H10
    assert f"{Card.H10}" == "10H"
    with pytest.raises(ValueError, match="1H"):
        cards("1H")


# -- the story of the house --------------------------------------------------------------------------------------

NAMES = ("Ann", "Bob", "Cem")


STORY: list[tuple[Any, str | None]] = [
    (GameOpened("Zoe", NoOptions(), "00", "11", 1, 2, None, True, Spectators.OPEN), "Zoe opens the table."),
    (GameOpened("Zoe", NoOptions(), "00", None, 1, 2, None, True, Spectators.OPEN), "Zoe opens the table."),
    (PlayerSeated("Ann", None, None), "Ann sits down."),
    (PlayerSeated("Ann", None, "00"), "Ann sits down with sealed entropy."),
    (PlayerLeft("Ann"), "Ann leaves the table."),
    (GameStarted(DealtFrom.SHUFFLE), "The game starts (shuffle)."),
    (GameStarted(DealtFrom.GIVEN_DECK), "The game starts (given deck)."),
    (GameStarted(DealtFrom.POSITION), "The game starts (position)."),
    (GameBranched("g1", 17, "00"), "It goes on from version 17 of game g1."),
    (EntropyRevealed(1, "00"), "Bob opens the seal."),
    (GameFinished((2,), (), "last_card"), "Cem wins (last card)."),
    (GameFinished((0, 2), (3, 1, 3), "tie"), "Ann and Cem win (tie)."),
    (GameFinished((), (), "stalemate"), "Nobody wins (stalemate)."),
    (GameAbandoned(None, "fire"), "The game is broken off (fire)."),
    (GameAbandoned(0, "tea"), "Ann leaves the game and loses it (tea)."),
    (SeatTimedOut(1), "Bob has let the time run out."),
    (GameForfeited((1,), "timeout"), "Bob forfeits the game (timeout)."),
    (GameForfeited((0, 1), "timeout"), "Ann and Bob forfeit the game (timeout)."),
    (GameVoided((), "the operator", "power cut"), "The game is void (power cut)."),
    (GameVoided((0, 2), None, "timeout"), "The game is void because of Ann and Cem (timeout)."),
    (Counted(1), None),
]


@pytest.mark.parametrize(("event", "line"), STORY)
def test_the_house_tells_its_own_events(event: Any, line: str | None) -> None:
    assert tell_lifecycle(event, NAMES) == line


def test_lines_of_the_house_are_about_whoever_they_name() -> None:
    coming = (PlayerSeated("Zoe", "an owl", None), PlayerLeft("Zoe"))
    assert [player_of(event, NAMES) for event in coming] == ["Zoe", "Zoe"]
    named: tuple[Any, ...] = (EntropyRevealed(1, "00"), GameAbandoned(1, "tea"), SeatTimedOut(1))
    assert [player_of(event, NAMES) for event in named] == ["Bob"] * 3
    assert player_of(GameAbandoned(None, "fire"), NAMES) is player_of(GameStarted(DealtFrom.SHUFFLE), NAMES) is None


def test_an_opening_is_stored_in_the_shape_of_its_house_rules() -> None:
    now = GameOpened("Zoe", NoOptions(), "00", "11", 1, 2, None, True, Spectators.OPEN)
    assert as_stored(now) is now
    first = as_stored(replace(now, house=1))
    assert first == FirstGameOpened("Zoe", NoOptions(), "00", "11", 1)
    assert LIFECYCLE_UPCASTS["game_opened.v1"].change({"chance": 1}) == {"chance": 1, **FIRST_TERMS}


def test_the_house_has_a_stored_name_for_each_of_its_events() -> None:
    assert {
        "game_opened.v2": GameOpened,
        "player_seated.v1": PlayerSeated,
        "player_left.v1": PlayerLeft,
        "game_started.v1": GameStarted,
        "game_branched.v1": GameBranched,
        "entropy_revealed.v1": EntropyRevealed,
        "game_finished.v1": GameFinished,
        "game_abandoned.v1": GameAbandoned,
        "seat_timed_out.v1": SeatTimedOut,
        "game_forfeited.v1": GameForfeited,
        "game_voided.v1": GameVoided,
    } == LIFECYCLE_EVENTS


# -- places ----------------------------------------------------------------------------------------------------


def test_a_place_is_told_with_its_owner_if_it_has_one() -> None:
    assert Place("hand", 1, ()).told(("ann", "bob")) == "hand of bob"
    assert Place("deck", None, ()).told(("ann", "bob")) == "deck"
