"""Decks as the bytes of a file: strict in, canonical out (RULES 9)."""

import json
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from fairdeal.domain.tcg.cards import CardDefinition, Kind, Variation
from fairdeal.domain.tcg.decks import DEFAULT_DECK, DeckEntry, DeckList, build_deck, expanded
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.refusals import FaultCode, InvalidDeck
from fairdeal.infrastructure.games.tcg_documents import LARGEST, deck_bytes, read_deck

FULL = PRESETS["full"]
ENTRIES = [{"id": entry.id, "count": entry.count} for entry in DEFAULT_DECK.cards]


def file(**fields: Any) -> bytes:
    return json.dumps({"format": "tcg-deck", "version": 1, "name": "Demo", "cards": ENTRIES, **fields}).encode()


def codes(data: bytes, options: TcgOptions = FULL, name: str = "Demo") -> set[str]:
    with pytest.raises(InvalidDeck) as refused:
        read_deck(data, name, options)
    return set(refused.value.codes)


def without(key: str) -> bytes:
    fields = json.loads(file())
    del fields[key]
    return json.dumps(fields).encode()


def test_unknown_cards_count_towards_size_and_copies() -> None:
    data = file(cards=[*ENTRIES[:-2], {"id": "dragon", "count": 5}])
    assert codes(data) == {"unknown_card", "too_many_copies", "wrong_size"}


def test_a_good_file_is_read() -> None:
    assert read_deck(file(), "Demo", FULL) == DeckList("Demo", DEFAULT_DECK.cards)


def test_a_pool_of_ones_own_decides_what_is_known() -> None:
    options = TcgOptions(deck_size=2, hand_start=1, pool=(CardDefinition("dragon", Kind.DAMAGE, 9, 9),))
    data = file(cards=[{"id": "dragon", "count": 2}])
    assert read_deck(data, "Demo", options).cards == (DeckEntry("dragon", 2),)
    assert codes(file(cards=[{"id": "d1", "count": 2}]), options) == {"unknown_card"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        file()[:-1],
        file() + b"}",
        b"\xef\xbb\xbf" + file(),
        b"\xff" + file(),
        file().decode().encode("utf-16"),
        b"[" * 60_000,
        b" " * (LARGEST + 1 - len(file())) + file(),
        file(format="tcg-pool"),
        file(format=None),
        without("format"),
        without("version"),
        without("name"),
        without("cards"),
        file(more=1),
        file(version=True),
        file(version=1.0),
        file(version="1"),
        file(version=None),
        file(name=7),
        file(cards={}),
        file(cards=["d1"]),
        file(cards=[{"id": "d1"}]),
        file(cards=[{"id": "d1", "count": 1, "art": "x"}]),
        file(cards=[{"id": 1, "count": 20}]),
        file(cards=[*ENTRIES, ENTRIES[0]]),
        *(file(cards=[{"id": "d1", "count": bad}]) for bad in (0, -1, True, 2.0, "2", None)),
        file().replace(b'"count": 2', b'"count": 2e0', 1),
        file().replace(b'"count": 2', b'"count": NaN', 1),
        file().replace(b'"count": 2', b'"count": Infinity', 1),
        file().replace(b'"name": "Demo"', b'"name": "Demo", "name": "Demo"'),
        file().replace(b'"count": 2', b'"count": 2, "count": 2', 1),
        file().replace(b'"name": "Demo"', b'"name": "De\nmo"'),
    ],
)
def test_what_is_not_a_deck_is_malformed_and_nothing_else_is_said(data: bytes) -> None:
    assert codes(data, name="Other") == {"malformed"}


@pytest.mark.parametrize("version", [0, -1, 2, 10**40, -(10**40)])
def test_another_version_is_judged_before_the_other_keys(version: int) -> None:
    for more in ({}, {"more": 1}, {"name": 7}, {"cards": None}):
        assert codes(file(version=version, **more)) == {"unsupported_version"}


def test_a_number_too_long_to_read_is_still_a_number() -> None:
    data = file().replace(b'"count": 2', b'"count": ' + b"9" * 5000, 1)
    assert codes(data) == {"wrong_size", "too_many_copies"}
    assert codes(data.replace(b'"version": 1', b'"version": ' + b"9" * 5000)) == {"unsupported_version"}


def test_the_largest_file_is_still_read() -> None:
    assert read_deck(b" " * (LARGEST - len(file())) + file(), "Demo", FULL).size == 20


def test_the_name_in_the_file_must_be_the_files() -> None:
    assert codes(file(name="Other")) == {"bad_name"}
    assert codes(file(name="../Demo")) == {"bad_name"}
    assert codes(file(name="\ud800")) == {"bad_name"}


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 41, " a", "a ", "-a", "a_", "a.b", "..", "a/b", "a\\b", "a\n", "a\x00", "é", "ａ", "٣", "a:b", "~"],
)
def test_a_bad_name_in_a_file_is_refused(name: str) -> None:
    assert "bad_name" in codes(file(name=name), name=name)


def test_bytes_are_canonical() -> None:
    shuffled = DeckList("Demo", DEFAULT_DECK.cards[::-1])
    data = deck_bytes(shuffled, FULL)
    assert data == deck_bytes(DeckList("Demo", DEFAULT_DECK.cards), FULL)
    assert json.loads(data)["cards"] == ENTRIES
    assert data.endswith(b"}\n")


def test_a_deck_with_faults_has_no_bytes() -> None:
    with pytest.raises(InvalidDeck, match="1 card instead of 20"):
        deck_bytes(build_deck("Demo", ["d1"], STARTER), FULL)


decks = st.lists(st.sampled_from([definition.id for definition in STARTER]), min_size=20, max_size=20)


@for_all(decks)
def test_saving_what_was_loaded_gives_the_same_bytes(ids: list[str]) -> None:
    options = TcgOptions(variations=tuple(Variation))
    data = deck_bytes(build_deck("Mine", ids, STARTER), options)
    deck = read_deck(data, "Mine", options)
    assert sorted(expanded(deck, STARTER)) == sorted(ids)
    assert deck_bytes(deck, options) == data


@for_all(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_bytes_whatever_raise_anything_but_a_refusal(data: bytes) -> None:
    assert codes(data) <= set(FaultCode)
