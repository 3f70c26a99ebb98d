"""The basic game: deal, turn, giving up, and in which order a move is refused."""

import pytest

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.red7.cards import DECK, Card, cards
from fairdeal.domain.red7.events import CardPlayed, CardsDealt, PlayerEliminated, RuleChanged, TurnPassed
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import (
    BOTH,
    CHANGES,
    GIVE_UP,
    ChangeRule,
    EndTurn,
    GiveUp,
    Move,
    PlayAndChange,
    PlayCard,
)
from fairdeal.domain.red7.refusals import Refusal
from fairdeal.domain.red7.rounds import LAST_ONE_STANDING
from fairdeal.domain.red7.state import Red7
from fairdeal.testing.play import chance_of
from positions.red7 import position, table

BASIC = RED7.setup.presets["basic"]


def dealt(seats: int, given: tuple[Card, ...] | None = None) -> Draft[Red7]:
    draft = Draft(Red7(seats, BASIC), RED7.play.evolve)
    RED7.play.deal(draft, chance_of(1, seats), given)
    return draft


# -- the deal --------------------------------------------------------------------------------------


def test_each_seat_gets_its_hand_and_then_its_palette_card_from_the_top() -> None:
    state = dealt(3, DECK).state
    assert state.hands == [list(DECK[0:7]), list(DECK[8:15]), list(DECK[16:23])]
    assert state.palettes == [[DECK[7]], [DECK[15]], [DECK[23]]]
    assert state.deck == DECK[24:]


def test_the_deal_tells_the_whole_deck_and_its_shuffle() -> None:
    draft = dealt(2)
    assert draft.events == [CardsDealt(0, 1, 2, 7, chance_of(1, 2).shuffle(0, DECK), draft.state.turn)]


def test_the_seat_after_the_leader_by_red_begins() -> None:
    order = cards("R1 R2 R3 R4 R5 V1 V2 O6 / I1 I2 I3 I4 I5 I6 I7 R6".replace("/", ""))
    assert dealt(2, order).state.turn == 0
    assert dealt(2, (*order[8:], *order[:8])).state.turn == 1


def test_cards_that_a_given_deck_leaves_out_are_out_of_the_round() -> None:
    state = dealt(2, DECK[:20]).state
    assert state.removed == DECK[20:]
    assert len(cards_in(RED7.eyes.places(state))) == 49


@pytest.mark.parametrize("given", [DECK[:15], (*DECK[:15], DECK[0])], ids=["too short", "a card twice"])
def test_a_bad_given_deck_is_refused(given: tuple[Card, ...]) -> None:
    with pytest.raises(IllegalMove) as refused:
        dealt(2, given)
    assert refused.value.reason is HouseRefusal.BAD_DECK


# -- what a move makes happen ----------------------------------------------------------------------


def test_a_card_played_passes_the_turn() -> None:
    table(position("G7 V1/O2", "B4/Y6")).when(0, PlayCard("G7")).then(CardPlayed(0, Card.G7), TurnPassed(1))


def test_a_rule_changed_passes_the_turn() -> None:
    table(position("V5 B1/O3", "R2/Y6")).when(0, ChangeRule("V5")).then(RuleChanged(0, Card.V5), TurnPassed(1))


def test_doing_both_plays_first_and_then_changes_the_rule() -> None:
    table(position("V2 O5 R1/O1", "B2/Y4 R6")).when(0, PlayAndChange("V2", "O5")).then(
        CardPlayed(0, Card.V2), RuleChanged(0, Card.O5), TurnPassed(1)
    )


def test_the_turn_skips_who_is_out() -> None:
    laid = position("G7 V1//O2", "B4//Y6", out=(1,))
    table(laid).when(0, PlayCard("G7")).then(CardPlayed(0, Card.G7), TurnPassed(2))


def test_the_turn_goes_round_the_table() -> None:
    laid = position("O2/V1/G7 V2", "Y6/B4/B3", turn=2)
    table(laid).when(2, PlayCard("G7")).then(CardPlayed(2, Card.G7), TurnPassed(0))


def test_the_rule_of_the_same_colour_may_be_placed_again() -> None:
    table(position("R1 V2/O1", "R7/Y6")).when(0, ChangeRule("R1")).then(RuleChanged(0, Card.R1), TurnPassed(1))


def test_one_who_gives_up_takes_hand_and_palette_along() -> None:
    happened = table(position("R1 O1/Y1/B5", "R7 R6/G3/I4", canvas="R2")).when(0, GiveUp())
    happened.then(PlayerEliminated(0), TurnPassed(1))
    happened.then_state(lambda state: set(state.removed) >= set(cards("R1 O1 R7 R6")))
    happened.then_state(lambda state: state.canvas == (Card.R2,) and state.playing == (1, 2))


def test_the_last_one_standing_wins_whatever_the_rule_says() -> None:
    table(position("R1/", "R7/G3")).when(0, GiveUp()).then(
        PlayerEliminated(0), GameFinished((1,), (), LAST_ONE_STANDING)
    )


def test_whose_palette_is_out_no_longer_counts() -> None:
    laid = position("V3/R6/", "V2/R1/R7", out=(2,))
    table(laid).when(0, PlayCard("V3")).then(CardPlayed(0, Card.V3), TurnPassed(1))


# -- refusals and their order ----------------------------------------------------------------------

EVERY_MOVE: list[Move] = [PlayCard("?"), ChangeRule("?"), PlayAndChange("?", "?"), EndTurn(), GiveUp()]


@pytest.mark.parametrize("move", EVERY_MOVE, ids=lambda move: type(move).__name__)
def test_after_the_end_everything_is_refused_even_out_of_turn(move: Move) -> None:
    over = table(position("R1/", "R7/G3")).when(0, GiveUp())
    for seat in (0, 1):
        over.when(seat, move).then_refused(Refusal.GAME_OVER)


@pytest.mark.parametrize("move", EVERY_MOVE, ids=lambda move: type(move).__name__)
def test_out_of_turn_everything_is_refused_even_with_an_empty_hand(move: Move) -> None:
    table(position("R1/", "R7/G3")).when(1, move).then_refused(Refusal.NOT_YOUR_TURN)


@pytest.mark.parametrize("move", EVERY_MOVE[:4], ids=lambda move: type(move).__name__)
def test_with_an_empty_hand_everything_but_giving_up_is_refused(move: Move) -> None:
    laid = table(position("/R1", "R7/G3"))
    laid.when(0, move).then_refused(Refusal.MUST_GIVE_UP)
    assert RED7.play.legal(laid.state, 0) == [GIVE_UP]


def test_without_actions_nobody_ends_a_turn() -> None:
    table(position("R1/G1", "R7/G3")).when(0, EndTurn()).then_refused(Refusal.NOTHING_PLAYED)


def test_the_same_card_twice_is_seen_before_the_number_of_cards_and_the_hand() -> None:
    table(position("R1/G1", "R7/G3")).when(0, PlayAndChange("V7", "V7")).then_refused(Refusal.SAME_CARD_TWICE)


def test_the_number_of_cards_is_seen_before_the_hand() -> None:
    table(position("R1/G1", "R7/G3")).when(0, PlayAndChange("V7", "V6")).then_refused(Refusal.NOT_ENOUGH_CARDS)


@pytest.mark.parametrize(
    "move",
    [
        PlayCard("G1"),
        PlayCard("R8"),
        ChangeRule(""),
        PlayAndChange("G1", "R1"),
        PlayAndChange("R1", "G1"),
        PlayCard("R7", discard="R7"),
    ],
)
def test_only_cards_of_the_own_hand_can_be_used(move: Move) -> None:
    table(position("R1 R2/G1", "V7/G3")).when(0, move).then_refused(Refusal.CARD_NOT_IN_HAND)


@pytest.mark.parametrize(
    "move",
    [PlayCard("R1", target=1, take="G3"), PlayCard("R2", discard="V7"), PlayAndChange("R1", "R2", target=1)],
)
def test_without_actions_there_is_nothing_to_choose(move: Move) -> None:
    table(position("R1 R2/G1", "V2/G3")).when(0, move).then_refused(Refusal.ILLEGAL_EFFECT_TARGET)


@pytest.mark.parametrize("move", [PlayCard("R1"), ChangeRule("O2"), PlayAndChange("R1", "O2")])
def test_a_move_that_does_not_win_is_refused(move: Move) -> None:
    table(position("R1 O2/G1", "V2/G3 B3")).when(0, move).then_refused(Refusal.NOT_WINNING)


def test_a_rule_that_nobody_satisfies_wins_for_nobody() -> None:
    table(position("G7 R2/O1", "B5 R1/Y7")).when(0, ChangeRule("G7")).then_refused(Refusal.NOT_WINNING)


# -- legal moves -----------------------------------------------------------------------------------


def test_the_legal_moves_are_all_that_win_and_giving_up() -> None:
    state = table(position("V2 O5 R1/O1", "B2/Y4 R6")).state
    violet = BOTH[Card.V2]
    assert RED7.play.legal(state, 0) == [
        CHANGES[Card.V2],
        violet[Card.O5],
        violet[Card.R1],
        BOTH[Card.O5][Card.V2],
        GIVE_UP,
    ]
    assert RED7.play.legal(state, 1) == []


def test_who_does_not_win_by_a_rule_alone_may_do_so_with_a_card_that_helps() -> None:
    state = table(position("G5 V4 R6/R1", "B3/Y7 Y5")).state
    assert RED7.play.legal(state, 0) == [
        BOTH[Card.G5][Card.V4],
        BOTH[Card.G5][Card.R6],
        CHANGES[Card.V4],
        BOTH[Card.V4][Card.G5],
        BOTH[Card.V4][Card.R6],
        GIVE_UP,
    ]
