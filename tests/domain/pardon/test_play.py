"""Playing cards, taking the table, and what follows a play (RULES 4 to 6)."""

import pytest

from fairdeal.domain.kernel.french_deck import Card, cards
from fairdeal.domain.pardon.cards import as_cards
from fairdeal.domain.pardon.events import (
    Burn,
    CardsDrawn,
    CardsPlayed,
    FaceUpTaken,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    TurnPassed,
)
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import PlayCards, TakeTable
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing.given import Given
from positions.pardon import position

CLOSED = {2: "KC KD KH / QC QD QH", 3: "KC KD KH / QC QD QH / JC JD JH", 4: "KC / QC / JC / AC"}


def table_of(hands: str, *, table: str = "", deck: str = "", face_up: str = "", turn: int = 0) -> Given:
    seats = len(hands.split("/"))
    laid = position(hands, table=table, deck=deck, face_up=face_up, face_down=CLOSED[seats], turn=turn)
    return given(PARDON, laid, seats=seats)


def play(names: str) -> PlayCards:
    return PlayCards(tuple(names.split()))


# -- sets of cards ------------------------------------------------------------------------------


@pytest.mark.parametrize("names", ["9C", "9D 9C", "9H 9C 9D"])
def test_equal_cards_are_played_together_and_lie_in_the_order_named(names: str) -> None:
    after = table_of("9C 9D 9H 4C / 4D", table="8S").when(0, play(names))
    after.then(CardsPlayed(0, cards(names), None), TurnPassed(1))
    assert after.state.table == cards(f"8S {names}")


def test_legal_plays_are_all_sets_of_equal_cards_that_beat_the_table_and_the_take() -> None:
    state = table_of("9C 9H 9D 4C KS / 4D", table="8S").state
    sets = ["9C", "9D", "9H", "9C 9D", "9C 9H", "9D 9H", "9C 9D 9H", "KS"]
    assert PARDON.play.legal(state, 0) == [*map(play, sets), TakeTable()]
    assert PARDON.play.legal(state, 1) == []


def test_an_empty_table_cannot_be_taken_but_everything_can_be_played() -> None:
    assert PARDON.play.legal(table_of("4C 9C / 4D").state, 0) == [play("4C"), play("9C")]


def test_the_only_action_without_a_card_that_beats_the_table_is_to_take_it() -> None:
    assert PARDON.play.legal(table_of("4C 9C / 4D", table="AD").state, 0) == [TakeTable()]


# -- burns --------------------------------------------------------------------------------------


def test_a_ten_burns_the_table_and_the_same_player_goes_on() -> None:
    table_of("10C 4C / 4D", table="7S 3D").when(0, play("10C")).then(
        CardsPlayed(0, cards("10C"), None), PileBurned(Burn.TEN, cards("7S 3D 10C"))
    )


def test_four_of_a_kind_burn_the_table_and_the_same_player_goes_on() -> None:
    table_of("9C 9D 9H 9S 4C / 4D", table="8S").when(0, play("9S 9C 9D 9H")).then(
        CardsPlayed(0, cards("9S 9C 9D 9H"), None), PileBurned(Burn.FOUR, cards("8S 9S 9C 9D 9H"))
    )


def test_four_tens_burn_as_tens() -> None:
    after = table_of("10C 10D 10H 10S 4C / 4D", table="AS").when(0, play("10C 10D 10H 10S"))
    assert after.events[1].reason is Burn.TEN


@pytest.mark.parametrize("rank", ["4", "5", "6"])
def test_four_low_cards_on_a_seven_are_legal_and_burn(rank: str) -> None:
    names = " ".join(rank + suit for suit in "CDHS")
    after = table_of(f"{names} 9C / KD", table="7S").when(0, play(names))
    assert after.events[1].reason is Burn.FOUR


@pytest.mark.parametrize("rank", ["2", "3"])
def test_four_twos_or_threes_burn_on_any_card(rank: str) -> None:
    names = " ".join(rank + suit for suit in "CDHS")
    table_of(f"{names} 9C / KD", table="AS").when(0, play(names)).then_state(lambda state: len(state.burned) == 5)


@pytest.mark.parametrize(
    ("rank", "table", "reason"),
    [
        ("9", "KD", Refusal.NOT_HIGHER),
        ("7", "8D", Refusal.NOT_HIGHER),
        ("Q", "AD 3D", Refusal.NOT_HIGHER),
        ("8", "7D", Refusal.MUST_BE_LOWER_THAN_7),
    ],
)
def test_four_of_a_kind_must_beat_the_table_themselves(rank: str, table: str, reason: Refusal) -> None:
    names = " ".join(rank + suit for suit in "CDHS")
    table_of(f"{names} 4S / KD", table=table).when(0, play(names)).then_refused(reason)


@pytest.mark.parametrize(("earlier", "last"), [("2C 2D 2H", "2S"), ("3C 3D 3H", "3S"), ("2C 2D", "2H 2S")])
def test_four_equal_cards_that_came_in_several_plays_do_not_burn(earlier: str, last: str) -> None:
    after = table_of(f"{last} 4C / 4D", table=f"KD {earlier}").when(0, play(last))
    after.then(CardsPlayed(0, cards(last), None), TurnPassed(1))


def test_four_eights_burn_and_skip_nobody() -> None:
    table_of("8C 8D 8H 8S 4C / 4D / 4H", table="6S").when(0, play("8C 8D 8H 8S")).then(
        CardsPlayed(0, cards("8C 8D 8H 8S"), None), PileBurned(Burn.FOUR, cards("6S 8C 8D 8H 8S"))
    )


def test_four_sevens_burn_and_demand_nothing() -> None:
    after = table_of("7C 7D 7H 7S KC / 4D", table="6S").when(0, play("7C 7D 7H 7S"))
    after.when(0, play("KC")).then_state(lambda state: state.table == cards("KC"))


# -- eights -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "eights", "skipped", "to"),
    [
        (2, "8C", (1,), None),
        (2, "8C 8D", (1,), None),
        (2, "8C 8D 8H", (1,), None),
        (3, "8C", (1,), 2),
        (3, "8C 8D", (1, 2), None),
        (3, "8C 8D 8H", (1, 2), None),
        (4, "8C", (1,), 2),
        (4, "8C 8D", (1, 2), 3),
        (4, "8C 8D 8H", (1, 2, 3), None),
    ],
)
def test_each_eight_passes_over_one_player_but_never_over_oneself(
    seats: int, eights: str, skipped: tuple[int, ...], to: int | None
) -> None:
    hands = " / ".join([f"{eights} 5C", "4D", "4H", "4S"][:seats])
    turn = [] if to is None else [TurnPassed(to)]
    table_of(hands, table="6S").when(0, play(eights)).then(
        CardsPlayed(0, cards(eights), None), PlayersSkipped(skipped), *turn
    )


def test_skipping_goes_round_the_table() -> None:
    after = table_of("4C / 4D / 8C 5C", table="6S", turn=2).when(2, play("8C"))
    after.then(CardsPlayed(2, cards("8C"), None), PlayersSkipped((0,)), TurnPassed(1))


def test_after_passing_over_everybody_one_may_take_ones_own_eight() -> None:
    after = table_of("8C 5C / 4D", table="6S").when(0, play("8C")).when(0, TakeTable())
    after.then(PileTaken(0, cards("6S 8C")), TurnPassed(1))


def test_a_three_on_an_eight_skips_nobody_and_hands_the_eight_on() -> None:
    after = table_of("3C 5C / 7D 9D / 4H", table="8S").when(0, play("3C"))
    after.then(CardsPlayed(0, cards("3C"), None), TurnPassed(1))
    after.when(1, play("7D")).then_refused(Refusal.NOT_HIGHER)


# -- sevens, twos, threes -----------------------------------------------------------------------


def test_several_sevens_demand_a_lower_card() -> None:
    after = table_of("7C 7D 4C / KD 6D").when(0, play("7C 7D"))
    after.when(1, play("KD")).then_refused(Refusal.MUST_BE_LOWER_THAN_7)
    after.when(1, play("6D")).then(CardsPlayed(1, cards("6D"), None), TurnPassed(0))


def test_taking_the_table_ends_the_demand_of_a_seven() -> None:
    after = table_of("KC / KD", table="7S").when(0, TakeTable())
    after.when(1, play("KD")).then(CardsPlayed(1, cards("KD"), None), TurnPassed(0))


@pytest.mark.parametrize("table", ["", "2D", "3D", "6D 3D", "AD 2D 3D"])
def test_a_seven_goes_on_less_than_seven_on_a_two_and_on_nothing(table: str) -> None:
    table_of("7C 4C / 4D", table=table).when(0, play("7C")).then(CardsPlayed(0, cards("7C"), None), TurnPassed(1))


@pytest.mark.parametrize("names", ["2C 2D", "3C 3D 3H"])
def test_several_twos_or_threes_go_on_a_high_card_like_one(names: str) -> None:
    table_of(f"{names} 4C / 4D", table="AD").when(0, play(names)).then(
        CardsPlayed(0, cards(names), None), TurnPassed(1)
    )


# -- drawing, the row, taking -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "names", "deck", "drawn"),
    [
        ("9C 4C 5C 6C", "9C", "JS QS KS AS", "JS"),
        ("9C 9D 5C 6C", "9C 9D", "JS QS KS AS", "JS QS"),
        ("9C 9D 9H 6C", "9C 9D 9H", "JS QS KS AS", "JS QS KS"),
        ("9C 9D 9H 6C", "9C 9D 9H", "JS QS", "JS QS"),
        ("9C", "9C", "JS QS KS AS 4S", "JS QS KS AS"),
    ],
)
def test_after_a_play_the_hand_is_filled_to_four_as_far_as_the_deck_goes(
    hand: str, names: str, deck: str, drawn: str
) -> None:
    table_of(f"{hand} / 4D", table="8S", deck=deck).when(0, play(names)).then(
        CardsPlayed(0, cards(names), None), CardsDrawn(0, cards(drawn)), TurnPassed(1)
    )


def test_with_four_cards_left_nothing_is_drawn() -> None:
    table_of("9C 4C 5C 6C JC / 4D", table="8S", deck="QS").when(0, play("9C")).then(
        CardsPlayed(0, cards("9C"), None), TurnPassed(1)
    )


def test_the_hand_is_filled_before_the_second_play() -> None:
    table_of("10C / 4D", table="8S", deck="QS KS").when(0, play("10C")).then(
        CardsPlayed(0, cards("10C"), None), PileBurned(Burn.TEN, cards("8S 10C")), CardsDrawn(0, cards("QS KS"))
    )


def test_the_row_is_picked_up_before_the_second_play() -> None:
    table_of("10C / 4D", table="8S", face_up="4C 5C 6C /").when(0, play("10C")).then(
        CardsPlayed(0, cards("10C"), None), PileBurned(Burn.TEN, cards("8S 10C")), FaceUpTaken(0)
    )


def test_the_row_is_picked_up_before_the_turn_passes_by_an_eight() -> None:
    after = table_of("8C / 4D", table="6S", face_up="4C 5C 9C /").when(0, play("8C"))
    after.then(CardsPlayed(0, cards("8C"), None), FaceUpTaken(0), PlayersSkipped((1,)))
    assert as_cards(after.state.hands[0]) == cards("4C 5C 9C")


def test_the_row_stays_while_the_deck_has_cards() -> None:
    after = table_of("9C / 4D", table="8S", face_up="4C 5C 6C /", deck="QS").when(0, play("9C"))
    assert after.state.face_up[0] == cards("4C 5C 6C")


def test_taking_the_table_draws_nothing_and_passes_the_turn() -> None:
    after = table_of("4C / 4D", table="8S KS", deck="QS").when(0, TakeTable())
    after.then(PileTaken(0, cards("8S KS")), TurnPassed(1))
    assert as_cards(after.state.hands[0]) == cards("4C 8S KS")


def test_a_take_looks_the_same_whether_it_was_forced_or_not() -> None:
    forced = table_of("4C / 4D", table="8S").when(0, TakeTable())
    chosen = table_of("KC / 4D", table="8S").when(0, TakeTable())
    assert forced.events == chosen.events


def test_a_name_that_is_only_equal_to_a_card_becomes_that_card_in_the_event() -> None:
    after = table_of("9C 4C / 4D").when(0, PlayCards(("9C",)))
    assert isinstance(after.events[0].cards[0], Card)
