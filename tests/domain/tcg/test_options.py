"""The knobs of a rule set and their limits (RULES 1)."""

from typing import Any

import pytest

from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats, Variation
from fairdeal.domain.tcg.options import PRESETS, RANGES, TcgOptions, check_options
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.refusals import Refusal

ROOMY: dict[str, Any] = {"start_health": 1, "max_health": 1000, "hand_start": 0, "hand_limit": 20, "deck_size": 60}
"""Knobs that leave room for every other one to go to its limits."""


def refusal_of(**knobs: Any) -> tuple[Refusal, str] | None:
    try:
        check_options(TcgOptions(**knobs))
    except IllegalMove as error:
        assert isinstance(error.reason, Refusal)
        return error.reason, error.message
    return None


def test_all_presets_can_be_played() -> None:
    for options in PRESETS.values():
        check_options(options)


def test_the_presets_differ_as_the_rules_say() -> None:
    assert PRESETS["kata"] == TcgOptions()
    assert PRESETS["origin"] == TcgOptions(
        second_bonus=1, board_limit=3, max_copies=4, flex_healing=True, variations=(Variation.MINIONS,)
    )
    assert PRESETS["full"] == TcgOptions(second_bonus=1, board_limit=3, max_copies=4, variations=tuple(Variation))


@pytest.mark.parametrize("knob", RANGES)
def test_a_knob_reaches_its_limits_and_not_beyond(knob: str) -> None:
    low, high = RANGES[knob]
    for value in (low, high):
        assert refusal_of(**{**ROOMY, knob: value}) is None
    for beyond in (low - 1, high + 1, True, 1.0, "3", None):
        refused = refusal_of(**{**ROOMY, knob: beyond})
        assert refused is not None
        assert refused[0] is Refusal.INVALID_RULES


@pytest.mark.parametrize(
    ("knobs", "word"),
    [
        ({"start_health": 31}, "start_health"),
        ({"hand_start": 5, "second_bonus": 1}, "hand_limit"),
        ({"hand_start": 3, "deck_size": 2}, "deck_size"),
        ({"hand_start": -1}, "hand_start"),
        ({"second_bonus": -1}, "second_bonus"),
        ({"max_copies": 0}, "max_copies"),
        ({"max_copies": True}, "max_copies"),
        ({"board_limit": 0}, "board_limit"),
        ({"board_limit": 2.0}, "board_limit"),
        ({"flex_healing": 1}, "flex_healing"),
        ({"variations": ("dragons",)}, "variations"),
        ({"variations": (Variation.DECKS, Variation.DECKS)}, "once"),
        ({"first": 2}, "first"),
        ({"first": True}, "first"),
        ({"pool": ()}, "1 to 500"),
        ({"pool": STARTER[:1] * 501}, "1 to 500"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(knobs: dict[str, Any], word: str) -> None:
    refused = refusal_of(**knobs)
    assert refused is not None
    assert refused[0] is Refusal.INVALID_RULES
    assert word in refused[1]


def test_limits_have_no_upper_end() -> None:
    assert refusal_of(max_copies=10**6, board_limit=10**6, first=1, hand_start=5) is None


def test_every_fault_is_named_at_once() -> None:
    refused = refusal_of(bleed=0, max_slots=21)
    assert refused is not None
    assert "bleed" in refused[1]
    assert "max_slots" in refused[1]


def card(**fields: Any) -> CardDefinition:
    usual: dict[str, Any] = {"id": "x", "kind": Kind.DAMAGE, "cost": 1, "amount": 1}
    return CardDefinition(**{**usual, **fields})


@pytest.mark.parametrize(
    "bad",
    [
        card(id=""),
        card(id="x" * 41),
        card(id=" x"),
        card(id="x\n"),
        card(id="\ud800"),
        card(id=7),
        card(kind="damage"),
        card(cost=-1),
        card(cost=11),
        card(cost=True),
        card(amount=-1),
        card(amount=31),
        card(amount=1.0),
        card(kind=Kind.DRAWER, amount=0),
        card(kind=Kind.DRAWER, amount=21),
        card(kind=Kind.HEALING, amount=31),
        card(minion=MinionStats(-1, 1)),
        card(minion=MinionStats(31, 1)),
        card(minion=MinionStats(1, 0)),
        card(minion=MinionStats(1, 31)),
        card(id="d0"),
    ],
    ids=repr,
)
def test_a_bad_card_in_the_pool_is_refused(bad: CardDefinition) -> None:
    refused = refusal_of(pool=(*STARTER, bad))
    assert refused is not None
    assert refused[0] is Refusal.INVALID_CARD


@pytest.mark.parametrize(
    "good",
    [
        card(cost=0, amount=30),
        card(cost=10, amount=0, minion=MinionStats(0, 30)),
        card(kind=Kind.HEALING, amount=0, minion=MinionStats(30, 1)),
        card(kind=Kind.DRAWER, amount=20, id="Übergröße 7"),
    ],
    ids=repr,
)
def test_a_card_may_go_to_its_limits(good: CardDefinition) -> None:
    assert refusal_of(pool=(good,)) is None


@pytest.mark.parametrize(
    ("name", "stats", "needs"),
    [
        ("d0", MinionStats(0, 1), None),
        ("d8", MinionStats(8, 8), None),
        ("meteor", MinionStats(9, 9), Variation.FREE_DAMAGE),
        ("folly", MinionStats(5, 5), Variation.FREE_DAMAGE),
        ("raider", MinionStats(4, 1), Variation.FREE_DAMAGE),
        ("wall", MinionStats(1, 6), Variation.FREE_DAMAGE),
        ("mend", None, Variation.HEALING),
        ("medic", MinionStats(2, 3), Variation.HEALING),
        ("archive", None, Variation.DRAWERS),
        ("scout", MinionStats(2, 2), Variation.DRAWERS),
    ],
)
def test_what_a_starter_card_is_as_a_minion_and_what_it_needs(
    name: str, stats: MinionStats | None, needs: Variation | None
) -> None:
    definition = next(card for card in STARTER if card.id == name)
    assert (definition.stats, definition.needs) == (stats, needs)


def test_the_starter_pool_has_24_cards() -> None:
    assert len({definition.id for definition in STARTER}) == 24
