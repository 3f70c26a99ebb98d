"""One turn: ask, give, draw, discard, and the end of the game."""

from collections.abc import Callable

import pytest

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.reviiyot.events import CardsAsked, CardsDrawn, CardsGiven, PositionLaid, SetDiscarded
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.reviiyot.refusals import Refusal
from fairdeal.domain.reviiyot.state import Reviiyot
from fairdeal.testing import given
from fairdeal.testing.given import Given
from fairdeal.testing.play import chance_of
from positions.reviiyot import position


def at(laid: PositionLaid) -> Given:
    return given(REVIIYOT, laid, seats=len(laid.hands))


def hands(*expected: str) -> Callable[[Reviiyot], bool]:
    return lambda state: [" ".join(state.hand(seat)) for seat in range(len(state.hands))] == list(expected)


def test_all_cards_of_the_value_change_hands_and_the_giver_draws_as_many() -> None:
    at(position("2C 5C / 2D 2S 9H", deck="KS QS JS")).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsGiven(1, 0, "2", ("2D", "2S")),
        CardsDrawn(1, ("KS", "QS")),
    ).then_state(hands("2C 2D 2S 5C", "9H QS KS"))


def test_an_asker_who_gets_nothing_draws_one_card_and_the_asked_none() -> None:
    at(position("2C 5C / 9H", deck="KS QS")).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsDrawn(0, ("KS",)),
    ).then_state(hands("2C 5C KS", "9H"))


def test_nothing_is_drawn_from_an_empty_deck() -> None:
    at(position("2C 5C / 9H")).when(0, Ask(1, "2")).then(CardsAsked(0, 1, "2"))
    at(position("2C 5C / 2D 9H")).when(0, Ask(1, "2")).then(CardsAsked(0, 1, "2"), CardsGiven(1, 0, "2", ("2D",)))


def test_a_giver_draws_what_is_there_when_the_deck_is_short() -> None:  # ruling A11
    at(position("2C 5C / 2D 2S 9H", deck="KS")).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsGiven(1, 0, "2", ("2D", "2S")),
        CardsDrawn(1, ("KS",)),
    )


def test_a_giver_whose_hand_is_empty_draws_nothing_and_wins() -> None:  # ruling A2
    at(position("2C 5C / 2D 2S", deck="KS QS")).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsGiven(1, 0, "2", ("2D", "2S")),
        GameFinished((1,), (), "won"),
    )


def test_a_giver_draws_all_cards_before_discarding() -> None:  # ruling A3
    at(position("2H / 2C 2D 2S JC JS JD", deck="JH 3C 3D 3S", turns=2)).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsGiven(1, 0, "2", ("2C", "2D", "2S")),
        CardsDrawn(1, ("JH", "3C", "3D")),
        SetDiscarded(0, "2"),
        SetDiscarded(1, "J"),
        GameFinished((0,), (), "won"),
    ).then_state(hands("", "3C 3D"))


def test_the_turn_is_completed_and_both_may_win_in_order_of_position() -> None:  # rulings A4, A10
    at(position("JC JD JS 2C / 2D 2H 2S", deck="JH KC", turns=1)).when(1, Ask(0, "2")).then(
        CardsAsked(1, 0, "2"),
        CardsGiven(0, 1, "2", ("2C",)),
        CardsDrawn(0, ("JH",)),
        SetDiscarded(1, "2"),
        SetDiscarded(0, "J"),
        GameFinished((0, 1), (), "won"),
    )


def test_several_sets_are_discarded_in_one_turn_the_askers_first_and_each_in_ascending_order() -> None:
    at(position("7C / 10C 10D 10H 9C 9D 9H QC QD QH 7D 7H 7S 2C", deck="QS 10S 9S")).when(0, Ask(1, "7")).then(
        CardsAsked(0, 1, "7"),
        CardsGiven(1, 0, "7", ("7D", "7H", "7S")),
        CardsDrawn(1, ("QS", "10S", "9S")),
        SetDiscarded(0, "7"),
        SetDiscarded(1, "9"),
        SetDiscarded(1, "10"),
        SetDiscarded(1, "Q"),
        GameFinished((0,), (), "won"),
    ).then_state(lambda state: state.discarded == ("7", "9", "10", "Q"))


def test_the_asked_keeps_a_card_of_the_value_that_they_draw() -> None:
    at(position("2C 5C / 2D 9H", deck="2H")).when(0, Ask(1, "2")).then_state(hands("2C 2D 5C", "2H 9H"))


def test_a_drawn_card_may_complete_the_askers_set_and_win_the_game() -> None:
    at(position("2C 2D 2H / 9H", deck="2S KS")).when(0, Ask(1, "2")).then(
        CardsAsked(0, 1, "2"),
        CardsDrawn(0, ("2S",)),
        SetDiscarded(0, "2"),
        GameFinished((0,), (), "won"),
    )


def test_the_turn_goes_round_whatever_came_of_it() -> None:
    three = at(position("2C 5C / 2D 9H / KC"))
    after = three.when(0, Ask(1, "2")).then_state(lambda state: REVIIYOT.play.active(state) == (1,))
    after = after.when(1, Ask(2, "9")).then_state(lambda state: REVIIYOT.play.active(state) == (2,))
    after.when(2, Ask(0, "K")).then_state(lambda state: REVIIYOT.play.active(state) == (0,) and state.turns == 3)


def endless(brought: str) -> Given:
    """Three seats that miss each other for ever; a space stands for a person."""
    seats = tuple(None if one == " " else PlaysBy(Strategy(one)) for one in brought)
    state = REVIIYOT.play.initial_state(3, ReviiyotOptions(), seats)
    REVIIYOT.play.evolve[PositionLaid](state, position("2C 3C / 2D 4C / 3D 4D"))
    return Given(REVIIYOT, state, chance_of(0, 3))


MISSES = (Ask(2, "2"), Ask(2, "2"), Ask(1, "3"))


@pytest.mark.parametrize(("brought", "patience"), [("121", 3), ("11 ", 6), ("   ", 6), ("123", 6), ("444", 6)])
def test_a_game_in_which_no_card_moves_any_more_is_stalled(brought: str, patience: int) -> None:
    table = endless(brought)
    for turn in range(1, patience):
        table = Given(REVIIYOT, table.when((turn - 1) % 3, MISSES[(turn - 1) % 3]).state, table.chance)
        assert REVIIYOT.play.active(table.state) == (turn % 3,)
    last = (patience - 1) % 3
    asked = CardsAsked(last, MISSES[last].seat, MISSES[last].value)
    table.when(last, MISSES[last]).then(asked, GameFinished((), (), "stalled"))


def test_any_card_that_moves_starts_the_count_anew() -> None:
    after = endless("121").when(0, Ask(2, "2")).when(1, Ask(2, "2")).when(2, Ask(0, "3"))
    after.then(CardsAsked(2, 0, "3"), CardsGiven(0, 2, "3", ("3C",))).then_state(lambda state: state.failures == 0)


def test_asks_before_the_deck_ran_out_do_not_count() -> None:
    table = at(position("2C 5C / 9H", deck="KS"))
    after = table.when(0, Ask(1, "2")).then_state(lambda state: state.failures == 0)
    after = after.when(1, Ask(0, "9")).then(CardsAsked(1, 0, "9"))
    after.when(0, Ask(1, "2")).then(CardsAsked(0, 1, "2"), GameFinished((), (), "stalled"))


TABLE = position("2C 5C / 2D 9H / KC", deck="3C")


@pytest.mark.parametrize(
    ("seat", "move", "reason"),
    [
        (1, Ask(7, "?"), Refusal.NOT_YOUR_TURN),
        (0, Ask(3, "?"), Refusal.UNKNOWN_SEAT),
        (0, Ask(-1, "2"), Refusal.UNKNOWN_SEAT),
        (0, Ask(0, "?"), Refusal.ASKED_SELF),
        (0, Ask(1, "1"), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, "11"), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, "q"), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, "2C"), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, ""), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, "02"), Refusal.UNKNOWN_VALUE),
        (0, Ask(1, "9"), Refusal.VALUE_NOT_HELD),
    ],
)
def test_refusals_in_their_order(seat: int, move: Ask, reason: Refusal) -> None:
    at(TABLE).when(seat, move).then_refused(reason)


def test_after_the_end_everything_is_refused_for_that() -> None:
    over = at(position("2C 5C / 2D")).when(0, Ask(1, "2")).then_state(lambda state: state.over)
    over.when(0, Ask(0, "?")).then_refused(Refusal.GAME_OVER)


def test_one_may_ask_every_other_seat_for_every_value_in_the_hand() -> None:
    state = at(position("5C 10H 2S 5D / 2D / KC")).state
    assert REVIIYOT.play.legal(state, 0) == [
        Ask(1, "2"), Ask(2, "2"), Ask(1, "5"), Ask(2, "5"), Ask(1, "10"), Ask(2, "10"),
    ]  # fmt: skip
    assert REVIIYOT.play.legal(state, 1) == []


def test_a_table_of_a_hundred_has_all_its_legal_moves_too() -> None:
    cards = [f"{number}{shape}" for number in range(2, 27) for shape in "CDHS"]
    state = given(REVIIYOT, PositionLaid(26, tuple((card,) for card in cards), (), 99), seats=100).state
    assert REVIIYOT.play.legal(state, 99) == [Ask(seat, "26") for seat in range(99)]
