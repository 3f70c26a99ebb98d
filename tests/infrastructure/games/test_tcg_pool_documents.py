"""Pools of one's own, from the bytes of a file (RULES 9.7)."""

import json
from typing import Any

import pytest

from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.refusals import FaultCode, InvalidPool
from fairdeal.infrastructure.games.tcg_documents import LARGEST, pool_bytes, read_pool

DRAGON = {"id": "dragon", "kind": "damage", "cost": 10, "amount": 15, "minion": {"attack": 12, "health": 12}}


def file(*cards: Any, **fields: Any) -> bytes:
    return json.dumps({"format": "tcg-pool", "version": 1, "cards": list(cards), **fields}).encode()


def codes(data: bytes) -> frozenset[FaultCode]:
    with pytest.raises(InvalidPool) as refused:
        read_pool(data)
    return refused.value.codes


def test_a_pool_of_ones_own_is_read() -> None:
    assert read_pool(file(DRAGON, {**DRAGON, "id": "whelp", "minion": None})) == (
        CardDefinition("dragon", Kind.DAMAGE, 10, 15, MinionStats(12, 12)),
        CardDefinition("whelp", Kind.DAMAGE, 10, 15),
    )


def test_the_starter_pool_survives_a_round_trip() -> None:
    assert read_pool(pool_bytes(STARTER)) == STARTER


def test_every_bad_card_is_named() -> None:
    with pytest.raises(InvalidPool, match=r"dragon: the cost.*dragon: the amount.*whelp is defined twice") as refused:
        read_pool(
            file(
                {**DRAGON, "cost": 11}, {**DRAGON, "amount": 99}, {**DRAGON, "id": "whelp"}, {**DRAGON, "id": "whelp"}
            ),
            "mine",
        )
    assert refused.value.codes == {FaultCode.INVALID_CARD}
    assert refused.value.message.startswith("mine: ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        file(DRAGON, format="tcg-deck"),
        file(DRAGON, version="1"),
        file(DRAGON, more=1),
        file(DRAGON, cards={}),
        file("dragon"),
        file({**DRAGON, "colour": "red"}),
        file({**DRAGON, "id": 7}),
        file({**DRAGON, "kind": "trap"}),
        file({**DRAGON, "kind": None}),
        file({**DRAGON, "cost": 1.0}),
        file({**DRAGON, "amount": True}),
        file({**DRAGON, "minion": [1, 1]}),
        file({**DRAGON, "minion": {"attack": "1", "health": 1}}),
        b" " * LARGEST + file(DRAGON),
    ],
)
def test_what_is_not_a_pool_is_malformed(data: bytes) -> None:
    assert codes(data) == {FaultCode.MALFORMED}


def test_another_version_is_not_supported_whatever_else_it_holds() -> None:
    assert codes(file(DRAGON, version=2, more=1)) == {FaultCode.UNSUPPORTED_VERSION}


def test_an_empty_pool_is_too_small() -> None:
    assert codes(file()) == {FaultCode.WRONG_SIZE}
