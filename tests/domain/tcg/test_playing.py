"""Playing cards (RULES 5), and the order in which faults are named (RULES 8)."""

from typing import Any

import pytest

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.tcg.cards import Card, Mode, Variation
from fairdeal.domain.tcg.events import (
    BledOut,
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    DamageDealt,
    PlayerHealed,
)
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, Attack, PlayCard
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing.given import Given
from positions.tcg_positions import position_of

FULL = PRESETS["full"]
FLEXIBLE = TcgOptions(flex_healing=True, variations=tuple(Variation))


def table(options: TcgOptions = FULL, *, enemy: dict[str, Any] | None = None, **own: Any) -> Given:
    """Seat 0 is to move, with 10 mana unless told otherwise."""
    own = {"slots": 10, "mana": 10, **own}
    return given(TCG, position_of({"active": "A", "A": own, "B": enemy or {}}), options=options)


def test_a_damage_spell_hits_the_face_with_or_without_naming_it() -> None:
    for at in (None, "face"):
        table(hand=["bolt"]).when(0, PlayCard("bolt", "spell", at)).then(
            CardPlayed(0, Card(0, "bolt"), Mode.SPELL, 2, None), DamageDealt(1, 4)
        )


def test_a_dud_deals_nothing_and_no_damage_is_recorded() -> None:
    table(hand=["d0"]).when(0, PlayCard("d0")).then(CardPlayed(0, Card(0, "d0"), Mode.SPELL, 0, None))


def test_of_equal_cards_the_one_held_longest_is_played() -> None:
    table(hand=["d1", "d2", "d1"]).when(0, PlayCard("d1")).then_state(
        lambda state: state.sides[0].hand == [Card(1, "d2"), Card(2, "d1")]
    )


def test_healing_records_the_real_gain() -> None:
    table(hand=["mend"], health=28).when(0, PlayCard("mend")).then(
        CardPlayed(0, Card(0, "mend"), Mode.SPELL, 3, None), PlayerHealed(0, 2)
    )


def test_healing_at_full_health_is_wasted_and_above_it_takes_nothing_away() -> None:
    for health in (30, 33):
        table(hand=["mend"], health=health).when(0, PlayCard("mend")).then(
            CardPlayed(0, Card(0, "mend"), Mode.SPELL, 3, None), PlayerHealed(0, 0)
        )


def test_flexible_healing_turns_a_damage_card_into_its_cost() -> None:
    table(FLEXIBLE, hand=["bolt"], health=10).when(0, PlayCard("bolt", "heal")).then(
        CardPlayed(0, Card(0, "bolt"), Mode.HEAL, 2, None), PlayerHealed(0, 2)
    )


def test_a_drawer_draws_one_card_after_the_other() -> None:
    deck = ["d1", "d2"]
    table(hand=["archive", "d8", "d8", "d8", "d8"], deck=deck, health=9).when(0, PlayCard("archive")).then(
        CardPlayed(0, Card(0, "archive"), Mode.SPELL, 5, None),
        CardDrawn(0, Card(5, "d1")),
        CardOverloaded(0, Card(6, "d2")),
        BledOut(0, 1),
        BledOut(0, 1),
    )


def test_a_drawer_stops_at_the_draw_that_kills() -> None:
    table(hand=["archive"], deck=[], health=2).when(0, PlayCard("archive")).then(
        CardPlayed(0, Card(0, "archive"), Mode.SPELL, 5, None),
        BledOut(0, 1),
        BledOut(0, 1),
        GameFinished((1,), (), "bleeding"),
    )


def test_with_all_of_the_deck_drawn_a_minion_is_not_in_the_discard_pile() -> None:
    table(hand=["d3"]).when(0, PlayCard("d3", "minion")).then_state(lambda state: not state.sides[0].discard)


SLEEPER = {"card": "d3", "asleep": True}
THREE = [SLEEPER] * 3


@pytest.mark.parametrize(
    ("options", "own", "move", "reason"),
    [
        # Each line has every fault that comes later in the order, too.
        (FULL, {"mana": 0}, PlayCard("d9", "trap", 7), Refusal.CARD_NOT_IN_HAND),
        (FULL, {"mana": 0, "hand": ["d4"]}, PlayCard("d4", "trap", 7), Refusal.MODE_NOT_ALLOWED),
        (FULL, {"mana": 0, "hand": ["d4"]}, PlayCard("d4", "heal", 7), Refusal.MODE_NOT_ALLOWED),
        (FLEXIBLE, {"mana": 0, "hand": ["mend"]}, PlayCard("mend", "heal", 7), Refusal.MODE_NOT_ALLOWED),
        (FLEXIBLE, {"mana": 0, "hand": ["peek"]}, PlayCard("peek", "minion", 7), Refusal.MODE_NOT_ALLOWED),
        (TcgOptions(), {"mana": 0, "hand": ["d4"]}, PlayCard("d4", "minion", 7), Refusal.MODE_NOT_ALLOWED),
        (FULL, {"mana": 3, "hand": ["d4"]}, PlayCard("d4", "spell", 7), Refusal.NOT_ENOUGH_MANA),
        (FULL, {"mana": 3, "hand": ["d4"], "board": THREE}, PlayCard("d4", "minion", 7), Refusal.NOT_ENOUGH_MANA),
        (FULL, {"hand": ["d4"], "board": THREE}, PlayCard("d4", "minion", "face"), Refusal.TARGET_NOT_ALLOWED),
        (FULL, {"hand": ["d4"], "board": THREE}, PlayCard("d4", "minion"), Refusal.BOARD_FULL),
        (FULL, {"hand": ["d4"]}, PlayCard("d4", "spell", 1), Refusal.TARGET_NOT_FOUND),
        (FULL, {"hand": ["d4"]}, PlayCard("d4", "spell", -1), Refusal.TARGET_NOT_FOUND),
        (FULL, {"hand": ["d4"]}, PlayCard("d4", "spell", "nose"), Refusal.TARGET_NOT_FOUND),
        (FULL, {"hand": ["d4"]}, PlayCard("d4", "spell", False), Refusal.TARGET_NOT_FOUND),
        (FULL, {"hand": ["mend"]}, PlayCard("mend", "spell", "nose"), Refusal.TARGET_NOT_ALLOWED),
        (FULL, {"hand": ["peek"]}, PlayCard("peek", "spell", 0), Refusal.TARGET_NOT_ALLOWED),
        (FLEXIBLE, {"hand": ["d4"]}, PlayCard("d4", "heal", "face"), Refusal.TARGET_NOT_ALLOWED),
    ],
)
def test_the_first_fault_in_the_order_names_the_refusal(
    options: TcgOptions, own: dict[str, Any], move: PlayCard, reason: Refusal
) -> None:
    table(options, enemy={"board": [{"card": "d3"}]}, **own).when(0, move).then_refused(reason)


def test_who_is_not_to_move_hears_that_before_anything_else() -> None:
    for move in (PlayCard("d9", "trap", 7), Attack(9, 9), END_TURN):
        table().when(1, move).then_refused(Refusal.NOT_YOUR_TURN)


def test_after_the_end_everybody_hears_that_before_anything_else() -> None:
    over = table(hand=["d8"], enemy={"health": 1}).when(0, PlayCard("d8"))
    for seat in (0, 1):
        for move in (PlayCard("d9", "trap", 7), Attack(9, 9), END_TURN):
            over.when(seat, move).then_refused(Refusal.GAME_OVER)


def test_a_position_is_legal_in_every_distinct_way_once() -> None:
    options = TcgOptions(flex_healing=True, variations=(Variation.MINIONS,))
    state = table(options, mana=3, hand=["d3", "d3", "d4", "d0"], enemy={"board": [SLEEPER]}).state
    assert TCG.play.legal(state, 0) == [
        PlayCard("d3", "spell", "face"),
        PlayCard("d3", "heal"),
        PlayCard("d3", "minion"),
        PlayCard("d3", "spell", 0),
        PlayCard("d0", "spell", "face"),
        PlayCard("d0", "heal"),
        PlayCard("d0", "minion"),
        PlayCard("d0", "spell", 0),
        END_TURN,
    ]
    assert TCG.play.legal(state, 1) == []


def test_a_spell_without_a_target_is_spelled_as_one_at_the_face() -> None:
    state = table(hand=["d3", "mend"]).state
    assert TCG.play.canonical_move(state, PlayCard("d3")) == PlayCard("d3", "spell", "face")
    for move in (PlayCard("mend"), PlayCard("d3", "minion"), PlayCard("d3", "spell", 0), PlayCard("d9"), END_TURN):
        assert TCG.play.canonical_move(state, move) == move
