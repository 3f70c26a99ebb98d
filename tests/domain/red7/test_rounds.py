"""Rounds, points, both draw rules and the end of the game."""

from dataclasses import replace
from typing import Any

import pytest

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.red7.cards import DECK, Card, Colour, cards
from fairdeal.domain.red7.events import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    PlayerEliminated,
    RoundWon,
    RuleChanged,
    TurnPassed,
)
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import ChangeRule, GiveUp, PlayAndChange, PlayCard
from fairdeal.domain.red7.options import PRESETS, DrawRule, Red7Options
from fairdeal.domain.red7.refusals import Refusal
from fairdeal.domain.red7.rounds import TARGET_REACHED, TOO_FEW_CARDS
from fairdeal.testing.play import chance_of
from positions.red7 import position, table

TWO_TARGETS: Any = (40, 30)

# -- presets and options ---------------------------------------------------------------------------


def test_the_presets_are_those_of_the_rules() -> None:
    presets = {
        "basic": Red7Options(7, False, DrawRule.NONE, False),
        "actions": Red7Options(7, True, DrawRule.NONE, False),
        "match": Red7Options(7, False, DrawRule.EXCEEDS_PALETTE, True, (40, 35, 30)),
        "kata_match": Red7Options(6, False, DrawRule.PLAYED_BOTH, True, (40, 30, 25)),
        "match_actions": Red7Options(7, True, DrawRule.EXCEEDS_PALETTE, True, (40, 35, 30)),
        "kata_match_actions": Red7Options(6, True, DrawRule.PLAYED_BOTH, True, (40, 30, 25)),
    }
    assert presets == PRESETS
    assert next(iter(PRESETS)) == "basic"
    for options in PRESETS.values():
        RED7.setup.check_options(options)


@pytest.mark.parametrize(
    "options",
    [
        Red7Options(hand_size=0),
        Red7Options(hand_size=12),
        Red7Options(targets=(0, 30, 30)),
        Red7Options(targets=(40, 30, 197)),
        Red7Options(targets=TWO_TARGETS),
    ],
)
def test_options_out_of_range_are_refused(options: Red7Options) -> None:
    with pytest.raises(IllegalMove) as refused:
        RED7.setup.check_options(options)
    assert refused.value.reason is Refusal.BAD_OPTIONS


def test_the_longest_hand_can_still_be_dealt_to_four() -> None:
    options = Red7Options(hand_size=11)
    RED7.setup.check_options(options)
    table_for_four = RED7.play.initial_state(4, options, (None,) * 4)
    for event in [CardsDealt(0, 1, 4, 11, DECK, 0)]:
        RED7.play.evolve[type(event)](table_for_four, event)
    assert len(table_for_four.deck) == 1


# -- the draw rules --------------------------------------------------------------------------------

BOTH_DONE = position("O6 G3 V2/R1", "B2/Y7", deck="I5 I6")


def test_who_plays_and_places_a_rule_draws_by_played_both() -> None:
    table(BOTH_DONE, "kata_match").when(0, PlayAndChange("O6", "G3")).then(
        CardPlayed(0, Card.O6), RuleChanged(0, Card.G3), CardDrawn(0, Card.I5, seen=False), TurnPassed(1)
    )


@pytest.mark.parametrize("preset", ["basic", "kata_match"])
def test_who_only_places_a_rule_draws_nothing(preset: str) -> None:
    laid = position("V5 G3/R1", "B2/Y7", deck="I5")
    table(laid, preset).when(0, ChangeRule("V5")).then(RuleChanged(0, Card.V5), TurnPassed(1))


def test_who_only_plays_draws_nothing() -> None:
    for preset in ("match", "kata_match"):
        laid = position("R7 G3/R1", "B2/Y7", deck="I5")
        table(laid, preset).when(0, PlayCard("R7")).then(CardPlayed(0, Card.R7), TurnPassed(1))


def test_a_number_above_the_size_of_the_palette_draws_by_exceeds_palette() -> None:
    laid = position("V3 V2 V1/R1", "B2 B3/Y7", deck="I5")
    table(laid, "match").when(0, ChangeRule("V3")).then(
        RuleChanged(0, Card.V3), CardDrawn(0, Card.I5, seen=False), TurnPassed(1)
    )
    table(laid, "match").when(0, ChangeRule("V2")).then(RuleChanged(0, Card.V2), TurnPassed(1))
    table(laid, "match").when(0, PlayAndChange("V1", "V3")).then(
        CardPlayed(0, Card.V1), RuleChanged(0, Card.V3), TurnPassed(1)
    )


def test_from_an_empty_deck_nothing_is_drawn() -> None:
    for preset in ("match", "kata_match"):
        table(position("O6 G3 V2/R1", "B2/Y7"), preset).when(0, PlayAndChange("O6", "G3")).then(
            CardPlayed(0, Card.O6), RuleChanged(0, Card.G3), TurnPassed(1)
        )


def test_the_discard_of_a_seven_draws_at_once_and_the_card_can_be_used() -> None:
    laid = table(position("B7 O1/O2", "R6/V7 V2", deck="R4 I5"), "match_actions")
    drawn = laid.when(0, PlayCard("B7", discard="R6"))
    drawn.then(CardPlayed(0, Card.B7), CardDiscarded(0, Card.R6), CardDrawn(0, Card.R4, seen=False))
    drawn.when(0, ChangeRule("R4")).then(RuleChanged(0, Card.R4), CardDrawn(0, Card.I5, seen=False), TurnPassed(1))


def test_the_discard_of_a_seven_is_not_both() -> None:
    laid = table(position("B7 O1/O2", "R6/V7 V2", deck="R4 I5"), "kata_match_actions")
    laid.when(0, PlayCard("B7", discard="R6")).then(CardPlayed(0, Card.B7), CardDiscarded(0, Card.R6))


def test_played_both_counts_steps_of_one_turn_as_well() -> None:
    laid = table(position("O6 G3 V2/R1", "B2/Y7", deck="I5 I6"), "kata_match_actions")
    laid.when(0, PlayCard("O6")).when(0, ChangeRule("G3")).then(
        RuleChanged(0, Card.G3), CardDrawn(0, Card.I5, seen=False), TurnPassed(1)
    )


# -- the end of a round ----------------------------------------------------------------------------


def test_the_winner_scores_their_qualifying_set_and_the_next_round_is_dealt() -> None:
    laid = position("I1/R1", "B2/Y7 Y3 O5 O6 G2", canvas="B5")
    happened = table(laid, "match").when(0, GiveUp())
    scored = cards("Y7 O6 G2")
    deck = chance_of(0, 2).shuffle(1, [card for card in DECK if card not in scored])
    happened.then(
        PlayerEliminated(0),
        RoundWon(1, Colour.BLUE, scored, 15),
        CardsDealt(1, 2, 2, 7, deck, happened.state.turn),
    )
    happened.then_state(lambda state: state.canvas == () and state.playing == (0, 1) and state.round == 2)
    happened.then_state(lambda state: state.scores == [(), scored] and state.removed == ())


def test_who_has_no_qualifying_card_wins_the_round_for_nothing() -> None:
    laid = position("I1/R1", "B2/R5", canvas="G6")
    happened = table(laid, "match").when(0, GiveUp())
    assert happened.events[1] == RoundWon(1, Colour.GREEN, (), 0)


def test_the_target_ends_the_game() -> None:
    laid = position("I1/R1", "B2/Y7 O7", canvas="O3", scores="R7/G7 G6 B7 I6")
    happened = table(laid, "match").when(0, GiveUp())
    happened.then(
        PlayerEliminated(0), RoundWon(1, Colour.ORANGE, cards("O7 Y7"), 14), GameFinished((1,), (7, 40), TARGET_REACHED)
    )
    happened.then_state(lambda state: state.round == 1 and state.palettes == [[], []])


@pytest.mark.parametrize(("seats", "preset", "target"), [(3, "match", 35), (3, "kata_match", 30), (4, "match", 30)])
def test_the_target_depends_on_the_number_of_players(seats: int, preset: str, target: int) -> None:
    rest = "/" * (seats - 2)
    out = tuple(range(2, seats))
    for missing, over in ((0, True), (1, False)):
        want = target - 7 - missing
        score = {28: "R6 O6 Y6 G6 B4", 27: "R6 O6 Y6 G6 B3", 23: "R6 O6 Y6 G5", 22: "R6 O6 Y6 G4"}[want]
        laid = position(f"I1/R1{rest}", f"B2/Y7{rest}", out=out, scores=f"/{score}{rest}")
        happened = table(laid, preset).when(0, GiveUp())
        assert happened.state.over is over


def few(scores: str) -> tuple[GameFinished, ...]:
    happened = table(position("I7/R7//", "B4/O7//", canvas="R4", out=(2, 3), scores=scores), "match").when(0, GiveUp())
    return tuple(event for event in happened.events if isinstance(event, GameFinished))


def test_too_few_cards_for_another_deal_end_the_game_and_the_highest_total_wins() -> None:
    scores = "V1 I1 B1 G1 Y1 O1/R1 V2 I2 B2/G2 Y2 O2 R2/V3 I3 B3"
    assert few(scores) == (GameFinished((1,), (6, 14, 8, 9), TOO_FEW_CARDS),)


def test_equal_totals_share_the_win() -> None:
    scores = "V1 I1 B1 G1 Y1 O1/R1 V2 I2 B2/G2 Y2 O2 R2/V3 I3 B3 V5"
    assert few(scores) == (GameFinished((1, 3), (6, 14, 8, 14), TOO_FEW_CARDS),)


def test_with_just_enough_cards_the_game_goes_on() -> None:
    assert few("V1 I1 B1 G1 Y1 O1/R1 V2 I2 B2/G2 Y2 O2 R2/V3 I3") == ()


def test_the_winner_of_a_short_game_need_not_have_won_the_last_round() -> None:
    scores = "V1 I1 B1 G1 Y1 R6/R1 V2 I2/G2 Y2 O2 R2/V3 I3 B3 B5"
    assert few(scores) == (GameFinished((3,), (11, 12, 8, 14), TOO_FEW_CARDS),)


# -- switches on their own -------------------------------------------------------------------------


def test_a_draw_rule_works_without_rounds() -> None:
    options = Red7Options(draw_rule=DrawRule.PLAYED_BOTH)
    table(BOTH_DONE, options).when(0, PlayAndChange("O6", "G3")).then_state(lambda state: Card.I5 in state.hands[0])


def test_rounds_work_without_a_draw_rule_and_with_any_target() -> None:
    options = replace(PRESETS["basic"], rounds=True, targets=(7, 7, 7))
    table(position("I1/R1", "B2/Y7"), options).when(0, GiveUp()).then_state(lambda state: state.over)
