"""Actions: what 1, 3, 5 and 7 do, the steps of a turn, and which plays can still win."""

from dataclasses import replace

import pytest

from fairdeal.domain.red7.cards import Card, cards
from fairdeal.domain.red7.events import CardDiscarded, CardDrawn, CardPlayed, CardTaken, RuleChanged, TurnPassed
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import END_TURN, GIVE_UP, ChangeRule, EndTurn, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.refusals import Refusal
from fairdeal.testing.given import Given
from positions.red7 import position, table

STRICT = replace(RED7.setup.presets["actions"], seven_needs_discard=True)


def acting(hands: str, palettes: str, *, canvas: str = "", deck: str = "") -> Given:
    return table(position(hands, palettes, canvas=canvas, deck=deck), "actions")


# -- the steps of a turn ---------------------------------------------------------------------------


def test_a_palette_play_leaves_the_turn_open() -> None:
    played = acting("G6 V1/O2", "B4/Y5").when(0, PlayCard("G6"))
    played.then(CardPlayed(0, Card.G6))
    played.when(0, EndTurn()).then(TurnPassed(1))


def test_the_rule_may_be_changed_after_a_palette_play() -> None:
    acting("G6 R4/O2", "B4/Y5").when(0, PlayCard("G6")).when(0, ChangeRule("R4")).then(
        RuleChanged(0, Card.R4), TurnPassed(1)
    )


def test_a_second_palette_play_is_refused() -> None:
    played = acting("G6 V1 R2/O2", "B4/Y5").when(0, PlayCard("G6"))
    played.when(0, PlayCard("V1")).then_refused(Refusal.ALREADY_PLAYED)
    played.when(0, PlayAndChange("?", "?")).then_refused(Refusal.ALREADY_PLAYED)


def test_nobody_may_pass_even_if_they_are_winning() -> None:
    acting("G6/O2", "R7/Y5").when(0, EndTurn()).then_refused(Refusal.NOTHING_PLAYED)


def test_with_the_last_card_played_the_turn_can_be_ended() -> None:
    played = acting("G6/O2", "B4/Y5").when(0, PlayCard("G6"))
    assert RED7.play.legal(played.state, 0) == [END_TURN, GIVE_UP]
    played.when(0, ChangeRule("G6")).then_refused(Refusal.CARD_NOT_IN_HAND)


def test_giving_up_in_mid_turn_undoes_nothing() -> None:
    taken = acting("V1 G6/O2/B2", "R6/Y6 Y7/I5", deck="G3").when(0, PlayCard("V1", target=1, take="Y7"))
    taken.when(0, GiveUp()).then_state(lambda state: state.deck == cards("Y7 G3"))


def test_giving_up_is_possible_while_a_five_is_pending() -> None:
    pending = acting("Y5 O6/O2/B1", "B2/G6/B3").when(0, PlayCard("Y5"))
    pending.when(0, GiveUp()).then_state(lambda state: state.playing == (1, 2))


# -- 1 ---------------------------------------------------------------------------------------------


def test_a_one_puts_a_card_of_a_big_enough_palette_on_the_deck() -> None:
    acting("V1 G6/O2", "R6/Y6 Y7", deck="G3").when(0, PlayCard("V1", target=1, take="Y7")).then(
        CardPlayed(0, Card.V1), CardTaken(0, 1, Card.Y7)
    )


@pytest.mark.parametrize(
    "move",
    [
        PlayCard("V1", target=0, take="R6"),  # oneself
        PlayCard("V1", target=2, take="I5"),  # too small
        PlayCard("V1", target=3, take="G7"),  # out
        PlayCard("V1", target=9, take="Y7"),
        PlayCard("V1", target=-1, take="Y7"),
        PlayCard("V1", target=1, take="I5"),  # lies elsewhere
        PlayCard("V1", target=1, take="?"),
        PlayCard("V1", target=1, take="Y7", discard="R6"),
        PlayCard("V1", discard="R6"),  # a 1 discards nothing
        PlayAndChange("V1", "G6", target=2, take="I5"),
    ],
)
def test_a_one_refuses_wrong_targets(move: Move) -> None:
    laid = position("V1 G6/O2/B2/", "R6/Y6 Y7/I5/G7 G5", out=(3,))
    table(laid, "actions").when(0, move).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


@pytest.mark.parametrize(
    "move",
    [
        PlayCard("V1"),
        PlayCard("V1", target=1),
        PlayCard("V1", take="Y7"),
        PlayAndChange("V1", "G6"),
        PlayAndChange("V1", "G6", take="Y6"),
    ],
)
def test_a_one_with_a_target_needs_the_whole_choice(move: Move) -> None:
    acting("V1 G6/O2/B2", "R6/Y6 Y7/I5").when(0, move).then_refused(Refusal.EFFECT_CHOICE_REQUIRED)


@pytest.mark.parametrize("move", [PlayCard("V1", target=1), PlayCard("V1", take="Y6")])
def test_a_one_without_a_target_takes_no_part_of_a_choice_either(move: Move) -> None:
    acting("V1 G6/O2", "R7/Y6").when(0, move).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


def test_a_choice_that_does_not_win_is_not_saved_by_another_that_would() -> None:
    laid = acting("V1 O2/O3", "R6/Y7 V7")
    laid.when(0, PlayCard("V1", target=1, take="V7")).then_refused(Refusal.NO_POSSIBLE_WIN)
    laid = acting("V1 O2/O3", "R6/Y7 V5")
    laid.when(0, PlayCard("V1", target=1, take="V5")).then_refused(Refusal.NO_POSSIBLE_WIN)
    laid.when(0, PlayCard("V1", target=1, take="Y7")).then(CardPlayed(0, Card.V1), CardTaken(0, 1, Card.Y7))


def test_a_one_and_a_rule_in_one_move_carry_the_choice() -> None:
    acting("V1 O2/O3", "R1/Y7 V7").when(0, PlayAndChange("V1", "O2", target=1, take="V7")).then(
        CardPlayed(0, Card.V1), CardTaken(0, 1, Card.V7), RuleChanged(0, Card.O2), TurnPassed(1)
    )


# -- 3 ---------------------------------------------------------------------------------------------


def test_a_three_draws_the_top_card_and_may_be_played_without_a_way_to_win() -> None:
    drawn = acting("B3/O2", "B2/R7 O3 Y1", deck="O6 G1").when(0, PlayCard("B3"))
    drawn.then(CardPlayed(0, Card.B3), CardDrawn(0, Card.O6, seen=False))
    assert RED7.play.legal(drawn.state, 0) == [GIVE_UP]
    assert RED7.eyes.view(drawn.state, 0).only_giving_up_is_left
    assert not RED7.eyes.view(drawn.state, 1).only_giving_up_is_left


def test_a_three_with_an_empty_deck_is_a_card_like_any_other() -> None:
    acting("V3 R4/O2", "G2/R7", canvas="V7").when(0, PlayCard("V3")).then(CardPlayed(0, Card.V3))
    acting("B3 R4/O2", "G4/R7").when(0, PlayCard("B3")).then_refused(Refusal.NO_POSSIBLE_WIN)


def test_doing_both_with_a_three_is_judged_at_the_end() -> None:
    laid = acting("B3 O4 V7/O2", "G2/R7", deck="V5 I6")
    laid.when(0, PlayAndChange("B3", "O4")).then_refused(Refusal.NOT_WINNING)
    laid.when(0, PlayAndChange("B3", "V7")).then(
        CardPlayed(0, Card.B3), CardDrawn(0, Card.V5, seen=False), RuleChanged(0, Card.V7), TurnPassed(1)
    )


def test_the_card_to_be_drawn_cannot_be_named_as_the_rule() -> None:
    acting("B3 O4/O2", "G2/R7", deck="V5 I6").when(0, PlayAndChange("B3", "V5")).then_refused(Refusal.CARD_NOT_IN_HAND)


# -- 5 ---------------------------------------------------------------------------------------------


def test_a_five_asks_for_another_card_before_anything_else() -> None:
    pending = acting("Y5 O6 V2/O2", "B2/G6").when(0, PlayCard("Y5"))
    pending.when(0, ChangeRule("V2")).then_refused(Refusal.MUST_PLAY_AGAIN)
    pending.when(0, EndTurn()).then_refused(Refusal.MUST_PLAY_AGAIN)
    pending.when(0, PlayCard("O6")).when(0, EndTurn()).then(TurnPassed(1))


def test_fives_follow_each_other_and_the_last_hand_card_ends_the_chain() -> None:
    chain = acting("Y5 O5 R5/O2", "B2/G6", canvas="O1").when(0, PlayCard("Y5")).when(0, PlayCard("O5"))
    assert chain.state.must_play_again
    last = chain.when(0, PlayCard("R5"))
    last.then(CardPlayed(0, Card.R5))
    assert not last.state.must_play_again
    last.when(0, EndTurn()).then(TurnPassed(1))


def test_a_five_can_play_a_one_a_three_or_a_seven_with_their_effects() -> None:
    after_five = acting("Y5 V1 V3 B7/O2", "R2 B1/R6 Y6 Y4 Y1", deck="I4").when(0, PlayCard("Y5"))
    after_five.when(0, PlayCard("V1", target=1, take="R6")).then(CardPlayed(0, Card.V1), CardTaken(0, 1, Card.R6))
    after_five.when(0, PlayCard("V3")).then(CardPlayed(0, Card.V3), CardDrawn(0, Card.I4, seen=False))
    after_five.when(0, PlayCard("B7", discard="B1")).then(CardPlayed(0, Card.B7), CardDiscarded(0, Card.B1))


def test_a_five_is_refused_if_no_card_after_it_can_win() -> None:
    acting("Y5 O6 O4/O2", "B2/R7 O7 Y7", canvas="O1").when(0, PlayCard("Y5")).then_refused(Refusal.NO_POSSIBLE_WIN)


def test_a_five_may_hope_for_the_three_after_it() -> None:
    hands, palettes = "Y5 G3/O2", "B2/R7 O7 Y7"
    acting(hands, palettes, canvas="O1", deck="I4").when(0, PlayCard("Y5")).then(CardPlayed(0, Card.Y5))
    acting(hands, palettes, canvas="O1").when(0, PlayCard("Y5")).then_refused(Refusal.NO_POSSIBLE_WIN)


def test_two_fives_in_either_order_are_one_and_the_same_hope() -> None:
    laid = acting("Y5 O5 V5 B4/O2", "B2/R6 O6 Y6 G6 R1 R2", canvas="O1")
    laid.when(0, PlayCard("Y5")).then_refused(Refusal.NO_POSSIBLE_WIN)


def test_a_rule_cannot_follow_a_five_in_one_move() -> None:
    laid = acting("R5 O6 V2/O2", "B2/G3")
    laid.when(0, PlayAndChange("R5", "O6")).then_refused(Refusal.MUST_PLAY_AGAIN)
    laid.when(0, PlayAndChange("R5", "V7")).then_refused(Refusal.CARD_NOT_IN_HAND)
    laid.when(0, PlayAndChange("R5", "O6", discard="B2")).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


def test_a_five_pending_may_be_answered_by_doing_both() -> None:
    pending = acting("Y5 O6 R2 V2/O2", "B2/G6").when(0, PlayCard("Y5"))
    assert PlayAndChange("O6", "R2") in RED7.play.legal(pending.state, 0)
    pending.when(0, PlayAndChange("O6", "R2")).then(CardPlayed(0, Card.O6), RuleChanged(0, Card.R2), TurnPassed(1))


# -- 7 ---------------------------------------------------------------------------------------------


def test_a_seven_sends_a_card_to_the_canvas_by_which_one_wins() -> None:
    discarded = acting("B7 O1/O2", "R2 B1 O6/R7 Y4").when(0, PlayCard("B7", discard="B1"))
    discarded.then(CardPlayed(0, Card.B7), CardDiscarded(0, Card.B1))
    discarded.then_state(lambda state: state.rule == "blue" and state.palettes[0] == list(cards("R2 O6 B7")))


def test_after_the_discard_of_a_seven_a_hand_card_may_still_become_the_rule() -> None:
    discarded = acting("B7 R1/O2", "R2 B1 O6/V7 Y4").when(0, PlayCard("B7", discard="B1"))
    discarded.when(0, ChangeRule("R1")).then(RuleChanged(0, Card.R1), TurnPassed(1))
    acting("B7 R1/O2", "R2 B1 O6/V7 Y4").when(0, PlayAndChange("B7", "R1", discard="B1")).then(
        CardPlayed(0, Card.B7), CardDiscarded(0, Card.B1), RuleChanged(0, Card.R1), TurnPassed(1)
    )


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (PlayCard("B7"), Refusal.EFFECT_CHOICE_REQUIRED),
        (PlayAndChange("B7", "O1"), Refusal.EFFECT_CHOICE_REQUIRED),
        (PlayCard("B7", discard="B7"), Refusal.ILLEGAL_EFFECT_TARGET),
        (PlayCard("B7", discard="O6"), Refusal.ILLEGAL_EFFECT_TARGET),
        (PlayCard("B7", discard="?"), Refusal.ILLEGAL_EFFECT_TARGET),
        (PlayCard("B7", target=1, take="Y4"), Refusal.ILLEGAL_EFFECT_TARGET),
        (PlayCard("B7", discard="B1", target=1), Refusal.ILLEGAL_EFFECT_TARGET),
    ],
)
def test_a_seven_that_can_discard_must_be_told_what(move: Move, reason: Refusal) -> None:
    acting("B7 O1/O2", "R2 B1 O6/R7 Y4").when(0, move).then_refused(reason)


def test_a_seven_without_a_legal_discard_just_stays() -> None:
    laid = acting("R7 O1/O2", "V4/Y7 Y4 G1")
    laid.when(0, PlayCard("R7")).then(CardPlayed(0, Card.R7))
    laid.when(0, PlayCard("R7", discard="V4")).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


def test_a_strict_seven_without_a_legal_discard_may_not_be_played_at_all() -> None:
    laid = table(position("R7 R1/O2", "V4/Y7 Y4 G1"), STRICT)
    laid.when(0, PlayCard("R7")).then_refused(Refusal.NO_POSSIBLE_WIN)
    laid.when(0, PlayCard("R7", discard="V4")).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)
    laid.when(0, PlayAndChange("R7", "R1")).then_refused(Refusal.NOT_WINNING)
    assert RED7.play.legal(laid.state, 0) == [GIVE_UP]


def test_a_five_cannot_hope_for_a_strict_seven_without_a_legal_discard() -> None:
    laid = position("G5 R7/O2", "V4/Y7 Y4 G1")
    table(laid, "actions").when(0, PlayCard("G5")).when(0, PlayCard("R7")).then(CardPlayed(0, Card.R7))
    table(laid, STRICT).when(0, PlayCard("G5")).then_refused(Refusal.NO_POSSIBLE_WIN)


def test_a_strict_seven_with_a_legal_discard_is_played_as_ever() -> None:
    laid = table(position("B7 O1/O2", "R2 B1 O6/R7 Y4"), STRICT)
    laid.when(0, PlayCard("B7", discard="B1")).then(CardPlayed(0, Card.B7), CardDiscarded(0, Card.B1))


# -- all others ------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["G2", "G3", "G4", "R5", "G6"])
def test_other_cards_take_no_choice(card: str) -> None:
    laid = acting(f"{card} O1/O2", "R7/Y4 Y3", deck="I4")
    laid.when(0, PlayCard(card, discard="R7")).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)
    laid.when(0, PlayCard(card, target=1, take="Y4")).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


def test_a_play_that_does_not_win_yet_is_allowed_if_a_rule_card_can_follow() -> None:
    laid = acting("B4 G1/O2", "G2/R7 O7")
    laid.when(0, PlayCard("B4")).when(0, EndTurn()).then_refused(Refusal.NOT_WINNING)
    laid.when(0, PlayCard("B4")).when(0, ChangeRule("G1")).then(RuleChanged(0, Card.G1), TurnPassed(1))


def test_cards_placed_as_rules_and_dealt_ones_have_no_effect() -> None:
    acting("R1 G6/O2", "R6/Y5 Y4", deck="I4").when(0, ChangeRule("R1")).then(RuleChanged(0, Card.R1), TurnPassed(1))
