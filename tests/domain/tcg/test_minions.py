"""Minions: sleep, attacks, fights and the board (RULES 6)."""

from typing import Any

import pytest

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.tcg.cards import Card, Mode
from fairdeal.domain.tcg.events import (
    CardPlayed,
    DamageDealt,
    MinionAttacked,
    MinionDamaged,
    MinionDied,
    MinionPlaced,
)
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, Attack, PlayCard
from fairdeal.domain.tcg.options import PRESETS
from fairdeal.domain.tcg.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing.given import Given
from kits.compiled import plain_python_only
from positions.tcg_positions import position_of

FULL = PRESETS["full"]
NOTHING: Any = None
"""What a careless program might hand over."""


def minion(card: str, **more: Any) -> dict[str, Any]:
    return {"card": card, **more}


def boards(own: list[dict[str, Any]], enemy: list[dict[str, Any]], **more: Any) -> Given:
    side = {"slots": 10, "mana": 10, "board": own, **more}
    return given(TCG, position_of({"active": "A", "A": side, "B": {"board": enemy, "health": 3}}), options=FULL)


def test_a_minion_enters_at_the_right_end_asleep() -> None:
    when = boards([minion("d1")], [], hand=["wall"]).when(0, PlayCard("wall", "minion"))
    when.then(CardPlayed(0, Card(0, "wall"), Mode.MINION, 3, None), MinionPlaced(0, Card(0, "wall"), 1, 6))
    when.then_state(lambda state: [m.card.id for m in state.sides[0].board] == ["d1", "wall"])
    when.then_state(lambda state: [m.asleep for m in state.sides[0].board] == [False, True])


def test_a_fight_wounds_both_before_it_buries_either() -> None:
    boards([minion("d2")], [minion("d3", asleep=True)]).when(0, Attack(0, 0)).then(
        MinionAttacked(0, Card(0, "d2"), Card(6, "d3")),
        MinionDamaged(1, Card(6, "d3"), 2),
        MinionDamaged(0, Card(0, "d2"), 3),
        MinionDied(0, Card(0, "d2")),
    )


def test_a_minion_without_attack_does_not_strike_back() -> None:
    boards([minion("d1")], [minion("d0")]).when(0, Attack(0, 0)).then(
        MinionAttacked(0, Card(0, "d1"), Card(6, "d0")),
        MinionDamaged(1, Card(6, "d0"), 1),
        MinionDied(1, Card(6, "d0")),
    )


def test_an_attack_on_the_face_can_end_the_game() -> None:
    boards([minion("d3")], [minion("d8")]).when(0, Attack(0, "face")).then(
        MinionAttacked(0, Card(0, "d3"), None), DamageDealt(1, 3), GameFinished((0,), (), "damage")
    )


def test_a_spell_of_no_damage_leaves_a_minion_alone() -> None:
    boards([], [minion("d3")], hand=["folly"]).when(0, PlayCard("folly", "spell", 0)).then(
        CardPlayed(0, Card(0, "folly"), Mode.SPELL, 5, Card(6, "d3"))
    )


def test_a_spell_at_a_minion_names_it_and_wastes_what_is_too_much() -> None:
    boards([], [minion("d1"), minion("d2")], hand=["d8"]).when(0, PlayCard("d8", "spell", 1)).then(
        CardPlayed(0, Card(0, "d8"), Mode.SPELL, 8, Card(7, "d2")),
        MinionDamaged(1, Card(7, "d2"), 8),
        MinionDied(1, Card(7, "d2")),
    ).then_state(lambda state: state.sides[1].health == 3 and [m.card.id for m in state.sides[1].board] == ["d1"])


def test_a_freed_place_can_be_used_in_the_same_turn() -> None:
    full = boards([minion("d1"), minion("d1"), minion("d1")], [minion("d5")], hand=["d2"])
    full.when(0, PlayCard("d2", "minion")).then_refused(Refusal.BOARD_FULL)
    full.when(0, Attack(1, 0)).when(0, PlayCard("d2", "minion")).then_state(
        lambda state: [m.card.number for m in state.sides[0].board] == [1, 3, 0]
    )


def test_minions_wake_with_their_owners_turn_only() -> None:
    position = boards([minion("d1", asleep=True)], [minion("d2", asleep=True, attacked=True)])
    after = position.when(0, END_TURN)
    after.then_state(lambda state: state.sides[0].board[0].asleep)
    after.then_state(lambda state: not state.sides[1].board[0].asleep and not state.sides[1].board[0].attacked)


@pytest.mark.parametrize(
    ("attacker", "move", "reason"),
    [
        # Each line has every fault that comes later in the order, too.
        (minion("d0", asleep=True, attacked=True), Attack(1, 9), Refusal.MINION_NOT_FOUND),
        (minion("d0", asleep=True, attacked=True), Attack(-1, 9), Refusal.MINION_NOT_FOUND),
        pytest.param(
            minion("d0", asleep=True, attacked=True),
            Attack(False, 9),
            Refusal.MINION_NOT_FOUND,
            marks=plain_python_only,
        ),
        (minion("d0", asleep=True, attacked=True), Attack(0, 9), Refusal.MINION_ASLEEP),
        (minion("d0", attacked=True), Attack(0, 9), Refusal.MINION_HAS_NO_ATTACK),
        (minion("d1", attacked=True), Attack(0, 9), Refusal.MINION_ALREADY_ATTACKED),
        (minion("d1"), Attack(0, 9), Refusal.TARGET_NOT_FOUND),
        (minion("d1"), Attack(0, -1), Refusal.TARGET_NOT_FOUND),
        (minion("d1"), Attack(0, False), Refusal.TARGET_NOT_FOUND),
        (minion("d1"), Attack(0, "nose"), Refusal.TARGET_NOT_FOUND),
        pytest.param(minion("d1"), Attack(0, NOTHING), Refusal.TARGET_NOT_FOUND, marks=plain_python_only),
    ],
)
def test_the_first_fault_in_the_order_names_the_refusal(
    attacker: dict[str, Any], move: Attack, reason: Refusal
) -> None:
    boards([attacker], [minion("d3")]).when(0, move).then_refused(reason)


def test_only_minions_that_can_attack_are_listed() -> None:
    own = [minion("d0"), minion("d1", asleep=True), minion("d2", attacked=True), minion("d3")]
    state = boards(own, [minion("d3"), minion("d4")]).state
    assert TCG.play.legal(state, 0) == [Attack(3, "face"), Attack(3, 0), Attack(3, 1), END_TURN]
