"""Ending turns, winning and stalemates (RULES 4.3 and 5)."""

import pytest

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardPlayed, NothingDrawn, PileMoved, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, MovePile, PlayCard
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.domain.kings_corners.rules import STALEMATE, WON
from fairdeal.testing import given
from positions.kings_corners import laid

STUCK = laid("2S 8C / 3C 9D", deck="", N="QS", E="QC", S="KH", W="7S")
"""Nobody needs to act here; the deck is empty."""


def test_ending_the_turn_draws_the_top_card_and_passes_the_turn() -> None:
    (
        given(KINGS_CORNERS, laid("2S / 3C", deck="10D JD QD"))
        .when(0, END_TURN)
        .then(CardDrawn(0, Card.D10), TurnPassed(1))
        .then_state(lambda state: state.hands[0] == [Card.S2, Card.D10])
        .then_state(lambda state: state.deck[state.gone] is Card.JD)
        .then_state(lambda state: state.deck_size == 2)
    )


def test_after_the_last_seat_the_first_is_on_turn_again() -> None:
    position = laid("2S / 3C / 4C", turn=2)
    given(KINGS_CORNERS, position).when(2, END_TURN).then(CardDrawn(2, Card.D10), TurnPassed(0))


def test_nobody_has_to_act() -> None:
    table = given(KINGS_CORNERS, laid("JD / 3C", N="QS"))
    assert PlayCard("JD", "N") in KINGS_CORNERS.play.legal(table.state, 0)
    table.when(0, END_TURN).then(CardDrawn(0, Card.D10), TurnPassed(1))


def test_plays_and_moves_mix_freely_within_a_turn() -> None:
    (
        given(KINGS_CORNERS, laid("5D KS 2S / 3C", N="10H", E="9S", S="4C", W="QD"))
        .when(0, MovePile("E", "N"))
        .when(0, PlayCard("5D", "E"))
        .when(0, MovePile("S", "E"))
        .when(0, PlayCard("KS", "SE"))
        .when(0, MovePile("W", "SE"))
        .then(PileMoved(0, Pile.W, Pile.SE, (Card.QD,)))
        .when(0, END_TURN)
        .then(CardDrawn(0, Card.D10), TurnPassed(1))
    )


def test_an_empty_deck_gives_nothing_and_the_game_goes_on() -> None:
    (
        given(KINGS_CORNERS, STUCK)
        .when(0, END_TURN)
        .then(NothingDrawn(0), TurnPassed(1))
        .then_state(lambda state: state.hands[0] == [Card.S2, Card.C8])
    )


def test_playing_the_last_card_wins_at_once() -> None:
    (
        given(KINGS_CORNERS, laid("JD / 3C 4D", deck="2C 5S", N="QS"))
        .when(0, PlayCard("JD", "N"))
        .then(CardPlayed(0, Card.JD, Pile.N), GameFinished((0,), (), WON))
        .then_state(lambda state: state.over)
        .then_state(lambda state: state.winner == 0)
        .then_state(lambda state: state.turn == 0)
        .then_state(lambda state: state.deck_size == 2)
        .then_state(lambda state: KINGS_CORNERS.play.active(state) == ())
        .then_state(lambda state: not any(KINGS_CORNERS.play.legal(state, seat) for seat in (0, 1)))
    )


def test_after_the_end_nobody_may_act() -> None:
    won = given(KINGS_CORNERS, laid("JD / 3C 10S", N="QS")).when(0, PlayCard("JD", "N"))
    for seat in (0, 1):
        for move in (PlayCard("10S", "N"), MovePile("N", "NE"), END_TURN):
            won.when(seat, move).then_refused(Refusal.GAME_OVER)


def test_a_pile_move_never_wins() -> None:
    position = laid("/ 3C", N="10H", E="9S")  # nobody is dealt an empty hand, but a position may hold one
    given(KINGS_CORNERS, position).when(0, MovePile("E", "N")).then(PileMoved(0, Pile.E, Pile.N, (Card.S9,)))


def test_a_round_of_passes_with_an_empty_deck_is_a_stalemate_after_the_turn_has_passed() -> None:
    (
        given(KINGS_CORNERS, STUCK)
        .when(0, END_TURN)
        .when(1, END_TURN)
        .then(NothingDrawn(1), GameFinished((), (), STALEMATE))
        .then_state(lambda state: state.over)
        .then_state(lambda state: state.winner is None)
        .then_state(lambda state: state.turn == 0)
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_as_many_passes_as_players_are_needed(seats: int) -> None:
    hands = " / ".join(["2S", "3S", "4S", "5S", "6S", "7S"][:seats])
    table = given(KINGS_CORNERS, laid(hands, deck="", N="QS"), seats=seats)
    said = table.when(0, END_TURN)
    for seat in range(1, seats):
        said.then(NothingDrawn(seat - 1), TurnPassed(seat))
        said = said.when(seat, END_TURN)
    said.then(NothingDrawn(seats - 1), GameFinished((), (), STALEMATE))


def test_drawing_the_last_card_is_not_a_pass() -> None:
    (
        given(KINGS_CORNERS, laid("2S / 3C", deck="10D", N="QS"))
        .when(0, END_TURN)
        .then(CardDrawn(0, Card.D10), TurnPassed(1))
        .when(1, END_TURN)
        .then(NothingDrawn(1), TurnPassed(0))
        .when(0, END_TURN)
        .then(NothingDrawn(0), GameFinished((), (), STALEMATE))
    )


def test_a_card_played_breaks_the_row_of_passes() -> None:
    (
        given(KINGS_CORNERS, laid("2S 8C / 6H 9D", deck="", N="QS", E="QC", S="KH", W="7S"))
        .when(0, END_TURN)
        .when(1, PlayCard("6H", "W"))
        .when(1, END_TURN)
        .then(NothingDrawn(1), TurnPassed(0))
        .when(0, END_TURN)
        .then(NothingDrawn(0), TurnPassed(1))
        .when(1, END_TURN)
        .then(NothingDrawn(1), GameFinished((), (), STALEMATE))
    )


def test_a_pile_move_breaks_the_row_of_passes() -> None:
    (
        given(KINGS_CORNERS, laid("2S / 9D", deck="", N="QS", E="JH"))
        .when(0, END_TURN)
        .when(1, MovePile("E", "N"))
        .when(1, END_TURN)
        .then(NothingDrawn(1), TurnPassed(0))
    )


def test_an_action_counts_for_its_own_turn_only() -> None:
    (
        given(KINGS_CORNERS, laid("2S 4S / 9D", deck="", N="QS", E="JH"))
        .when(0, MovePile("E", "N"))
        .when(0, END_TURN)
        .when(1, END_TURN)
        .then(NothingDrawn(1), TurnPassed(0))
        .when(0, END_TURN)
        .then(NothingDrawn(0), GameFinished((), (), STALEMATE))
    )


def test_only_the_seat_on_turn_has_moves() -> None:
    state = given(KINGS_CORNERS, STUCK).state
    assert KINGS_CORNERS.play.legal(state, 1) == []
    assert KINGS_CORNERS.play.legal(state, 0)[-1] is END_TURN
