"""Decks: building them, and checking them with every fault named (RULES 9)."""

import pytest

from fairdeal.domain.tcg.cards import Card, CardDefinition, Kind, Variation
from fairdeal.domain.tcg.decks import (
    DEFAULT_DECK,
    DeckEntry,
    DeckList,
    build_deck,
    expanded,
    faults_in_deck,
    is_name,
)
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER, faults_in_pool
from fairdeal.domain.tcg.refusals import FaultCode, InvalidPool, Refusal

FULL = PRESETS["full"]


def test_the_default_deck_is_the_katas() -> None:
    assert DEFAULT_DECK.size == 20
    costs = {definition.id: definition.cost for definition in STARTER}
    assert sum(costs[entry.id] * entry.count for entry in DEFAULT_DECK.cards) == 69


def test_a_deck_is_built_in_pool_order_with_unknown_cards_last() -> None:
    deck = build_deck("Mine", ["mend", "zombie", "d1", "d0", "d1"], STARTER)
    assert deck.cards == (DeckEntry("d0", 1), DeckEntry("d1", 2), DeckEntry("mend", 1), DeckEntry("zombie", 1))
    assert expanded(deck, STARTER) == ("d0", "d1", "d1", "mend", "zombie")


def test_every_fault_of_a_deck_is_named() -> None:
    options = TcgOptions(max_copies=2, variations=(Variation.DECKS,))
    deck = build_deck("Bad!", ["d1"] * 3 + ["mend"] * 3 + ["spark", "peek", "dragon"], STARTER)
    assert [(fault.code, fault.message) for fault in faults_in_deck(deck, options)] == [
        (
            FaultCode.BAD_NAME,
            "the name of a deck is 1 to 40 letters, digits, spaces, - and _, "
            "with a letter or digit at both ends, not 'Bad!'",
        ),
        (FaultCode.WRONG_SIZE, "9 cards instead of 20"),
        (FaultCode.TOO_MANY_COPIES, "3 copies of 'd1', at most 2 are allowed"),
        (FaultCode.CARD_NOT_ALLOWED, "'spark' needs the variation free_damage, which is off"),
        (FaultCode.TOO_MANY_COPIES, "3 copies of 'mend', at most 2 are allowed"),
        (FaultCode.CARD_NOT_ALLOWED, "'mend' needs the variation healing, which is off"),
        (FaultCode.CARD_NOT_ALLOWED, "'peek' needs the variation drawers, which is off"),
        (FaultCode.UNKNOWN_CARD, "the pool has no card 'dragon'"),
    ]


def test_a_deck_that_no_file_could_hold_is_malformed() -> None:
    for entries in ((DeckEntry("d1", 0),), (DeckEntry("d1", True),), (DeckEntry("d1", 1), DeckEntry("d1", 1))):
        assert [fault.code for fault in faults_in_deck(DeckList("Demo", entries), FULL)] == [FaultCode.MALFORMED]


@pytest.mark.parametrize("name", ["a", "7", "My deck_2 - old", "x" * 40, "a-b", "A_1"])
def test_good_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 41, " a", "a ", "-a", "a_", "a.b", "..", "a/b", "a\\b", "a\n", "a\x00", "é", "ａ", "٣", "a:b", "~"],
)
def test_bad_names(name: str) -> None:
    assert not is_name(name)
    deck = DeckList(name, DEFAULT_DECK.cards)
    assert [fault.code for fault in faults_in_deck(deck, FULL)] == [FaultCode.BAD_NAME]


def test_every_fault_of_a_pool_is_named() -> None:
    dragon, dear = CardDefinition("dragon", Kind.DAMAGE, 9, 9), CardDefinition("dear", Kind.DAMAGE, 11, 9)
    assert faults_in_pool((dragon,)) == ()
    assert [fault.message for fault in faults_in_pool((dragon, dear, dragon))] == [
        "dear: the cost is a whole number from 0 to 10, not 11",
        "dragon is defined twice",
    ]
    assert [fault.code for fault in faults_in_pool(())] == [FaultCode.WRONG_SIZE]


def test_nothing_is_wrong_with_the_starter_pool() -> None:
    """Options that name no pool are not asked."""
    assert faults_in_pool(STARTER) == ()


def test_a_refused_pool_names_all_its_faults() -> None:
    refused = InvalidPool("mine", faults_in_pool((CardDefinition("dear", Kind.DAMAGE, 11, 9),)))
    assert refused.reason is Refusal.INVALID_POOL
    assert refused.codes == {FaultCode.INVALID_CARD}
    assert refused.message == "mine: dear: the cost is a whole number from 0 to 10, not 11."


def test_a_card_is_called_by_its_name_and_not_by_its_number() -> None:
    assert str(Card(7, "dragon")) == "dragon"
