"""Face-down cards, the win, and the draw without progress (RULES 4.3 and 7)."""

import pytest

from fairdeal.domain.kernel.french_deck import cards
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.pardon.cards import as_cards
from fairdeal.domain.pardon.events import (
    Burn,
    CardsDrawn,
    CardsPlayed,
    FaceDownFailed,
    FaceUpTaken,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    TurnPassed,
)
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.options import PardonOptions
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing import play as play_out
from fairdeal.testing.given import Given
from positions.pardon import position

OTHER = "JD QD KD"
WON = GameFinished((0,), (), "won")
DRAWN = GameFinished((), (), "no_progress")


def blind(face_down: str, *, table: str = "", limit: int | None = 200, hand: str = "") -> Given:
    laid = position(f"{hand} / 4D JH", table=table, face_down=f"{face_down} / {OTHER}")
    return given(PARDON, laid, options=PardonOptions(limit))


def play(names: str) -> PlayCards:
    return PlayCards(tuple(names.split()))


# -- face-down cards ----------------------------------------------------------------------------


def test_with_an_empty_hand_the_legal_moves_are_the_closed_slots_and_the_take() -> None:
    assert PARDON.play.legal(blind("JC - KC", table="8H").state, 0) == [TurnFaceDown(1), TurnFaceDown(3), TakeTable()]
    assert PARDON.play.legal(blind("- - KC").state, 0) == [TurnFaceDown(3)]


def test_a_turned_card_that_beats_the_table_is_played() -> None:
    blind("JC QC KC", table="8H").when(0, TurnFaceDown(2)).then(CardsPlayed(0, cards("QC"), 2), TurnPassed(1))


def test_a_turned_card_that_fails_goes_to_the_hand_with_the_table_in_one_event() -> None:
    after = blind("4C QC KC", table="8H KS").when(0, TurnFaceDown(1))
    after.then(FaceDownFailed(0, 1, cards("4C")[0]), TurnPassed(1))
    assert as_cards(after.state.hands[0]) == cards("4C 8H KS")
    assert after.state.table == ()
    assert tuple(after.state.face_down[0]) == (2, 3)


def test_a_failed_card_is_shown_until_somebody_acts() -> None:
    after = blind("4C QC KC", table="8H KS").when(0, TurnFaceDown(1))
    assert PARDON.eyes.view(after.state, 1).failed == "4C"
    assert PARDON.eyes.view(after.when(1, play("4D")).state, 1).failed is None
    laid = position(" / 4S", table="8H", face_down=f"4C QC KC / {OTHER}")
    failed_again = given(PARDON, laid).when(0, TurnFaceDown(1)).when(1, play("4S")).when(0, TakeTable())
    assert PARDON.eyes.view(failed_again.state, 1).failed is None


def test_a_turned_seven_demands_a_lower_card() -> None:
    after = blind("7C QC KC", table="6H").when(0, TurnFaceDown(1))
    after.when(1, play("JH")).then_refused(Refusal.MUST_BE_LOWER_THAN_7)


def test_a_turned_seven_fails_on_an_eight() -> None:
    after = blind("7C QC KC", table="8H").when(0, TurnFaceDown(1))
    after.then(FaceDownFailed(0, 1, cards("7C")[0]), TurnPassed(1))


def test_a_turned_eight_passes_over_the_next_player_and_the_same_one_turns_again() -> None:
    after = blind("8C QC KC", table="6H").when(0, TurnFaceDown(1))
    after.then(CardsPlayed(0, cards("8C"), 1), PlayersSkipped((1,)))
    after.when(0, TurnFaceDown(3)).then(CardsPlayed(0, cards("KC"), 3), TurnPassed(1))


def test_a_turned_ten_burns_and_the_same_player_turns_again() -> None:
    after = blind("10C 4C KC", table="8H").when(0, TurnFaceDown(1))
    after.then(CardsPlayed(0, cards("10C"), 1), PileBurned(Burn.TEN, cards("8H 10C")))
    after.when(0, TakeTable()).then_refused(Refusal.PILE_EMPTY)
    after.when(0, TurnFaceDown(2)).then(CardsPlayed(0, cards("4C"), 2), TurnPassed(1))


def test_a_player_with_only_face_down_cards_may_take_instead() -> None:
    after = blind("JC QC KC", table="8H").when(0, TakeTable())
    after.then(PileTaken(0, cards("8H")), TurnPassed(1))


# -- the win ------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["9C", "2C", "3C"])
def test_the_last_card_of_the_hand_wins(card: str) -> None:
    blind("", table="8H", hand=card).when(0, play(card)).then(CardsPlayed(0, cards(card), None), WON)


@pytest.mark.parametrize("card", ["9C", "2C", "3C"])
def test_the_last_face_down_card_wins(card: str) -> None:
    blind(f"- {card}", table="8H").when(0, TurnFaceDown(2)).then(CardsPlayed(0, cards(card), 2), WON)


@pytest.mark.parametrize(("names", "table"), [("8C", "6H"), ("8C 8D", "6H"), ("7C", "6H")])
def test_the_effect_of_the_winning_cards_is_void(names: str, table: str) -> None:
    blind("", table=table, hand=names).when(0, play(names)).then(CardsPlayed(0, cards(names), None), WON)


@pytest.mark.parametrize(("names", "reason"), [("10C", Burn.TEN), ("9C 9D 9H 9S", Burn.FOUR)])
def test_a_burn_with_the_very_last_cards_wins(names: str, reason: Burn) -> None:
    blind("", table="8H", hand=names).when(0, play(names)).then(
        CardsPlayed(0, cards(names), None), PileBurned(reason, (*cards("8H"), *cards(names))), WON
    )


def test_the_last_face_down_card_that_fails_wins_nothing() -> None:
    blind("4C", table="8H").when(0, TurnFaceDown(1)).then(FaceDownFailed(0, 1, cards("4C")[0]), TurnPassed(1))


def test_an_empty_hand_with_face_down_cards_left_wins_nothing() -> None:
    blind("JC", table="8H", hand="9C").when(0, play("9C")).then(CardsPlayed(0, cards("9C"), None), TurnPassed(1))


def test_an_empty_hand_with_a_row_left_wins_nothing() -> None:
    laid = position("9C / 4D", table="8H", face_up="4C 5C 6C /", face_down=f" / {OTHER}")
    given(PARDON, laid).when(0, play("9C")).then(CardsPlayed(0, cards("9C"), None), FaceUpTaken(0), TurnPassed(1))


def test_after_the_end_nobody_acts_and_the_turn_stays() -> None:
    after = blind("", table="8H", hand="9C").when(0, play("9C"))
    assert after.state.current == 0
    assert PARDON.play.active(after.state) == ()
    assert PARDON.play.legal(after.state, 0) == PARDON.play.legal(after.state, 1) == []
    for seat in (0, 1):
        after.when(seat, TakeTable()).then_refused(Refusal.GAME_OVER)


# -- the draw -----------------------------------------------------------------------------------


def slow(limit: int | None, *, deck: str = "", face_up: str = "4H 5H 6S / 4S 5S 6C") -> Given:
    hands = "5C 9C KH AC / 4D JH"
    laid = position(hands, face_up=face_up, face_down=f"JC QC KC / {OTHER}", deck=deck)
    return given(PARDON, laid, options=PardonOptions(limit))


def test_the_action_that_reaches_the_limit_ends_the_game_and_the_turn_stays() -> None:
    second = slow(2).when(0, play("5C")).when(1, TakeTable())
    second.then(PileTaken(1, cards("5C")), DRAWN)
    assert second.state.current == 1
    assert second.state.winner is None


def test_a_play_can_end_the_game_too() -> None:
    slow(1).when(0, play("5C")).then(CardsPlayed(0, cards("5C"), None), DRAWN)


def test_an_eight_that_ends_the_game_passes_over_nobody() -> None:
    blind("JC", hand="8C 5C", limit=1).when(0, play("8C")).then(CardsPlayed(0, cards("8C"), None), DRAWN)


def test_without_a_limit_the_game_goes_on_until_somebody_wins() -> None:
    game = play_out(PARDON, seats=2, options=PardonOptions(None), seed=0)
    assert max(step.before.idle for step in game.steps) > 200
    assert game.outcome.reason == "won"


def test_a_win_comes_before_the_draw() -> None:
    blind("", table="8H", hand="9C", limit=1).when(0, play("9C")).then(CardsPlayed(0, cards("9C"), None), WON)


def test_a_burn_is_progress() -> None:
    blind("JC", hand="10C 5C", limit=1).when(0, play("10C")).then_state(lambda state: state.idle == 0)


def test_a_card_drawn_is_progress() -> None:
    after = slow(1, deck="7S").when(0, play("5C"))
    after.then(CardsPlayed(0, cards("5C"), None), CardsDrawn(0, cards("7S")), TurnPassed(1))


def test_a_row_picked_up_is_progress() -> None:
    laid = position("9C / 4D", face_up="4C 5C 6C /", face_down=f"JC QC KC / {OTHER}")
    after = given(PARDON, laid, options=PardonOptions(1)).when(0, play("9C"))
    after.then(CardsPlayed(0, cards("9C"), None), FaceUpTaken(0), TurnPassed(1))


@pytest.mark.parametrize("card", ["4C", "QC"])
def test_a_face_down_card_turned_is_progress_whether_it_fails_or_not(card: str) -> None:
    after = blind(f"{card} KC", table="8H", limit=1).when(0, TurnFaceDown(1))
    after.then_state(lambda state: state.idle == 0 and not state.over)


def test_only_actions_in_a_row_count() -> None:
    laid = position("10C 5C 9C / 4D 5D JH", face_down=f"JC QC KC / {OTHER}")
    after = given(PARDON, laid, options=PardonOptions(2)).when(0, play("5C")).when(1, play("JH"))
    after.then(CardsPlayed(1, cards("JH"), None), DRAWN)
    reset = given(PARDON, laid, options=PardonOptions(2)).when(0, play("10C")).when(0, play("5C"))
    reset.then(CardsPlayed(0, cards("5C"), None), TurnPassed(1))


def test_refusals_do_not_count() -> None:
    before = slow(1)
    before.when(0, TakeTable()).then_refused(Refusal.PILE_EMPTY)
    assert before.state.idle == 0
