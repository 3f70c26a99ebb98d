"""The one reader of logs: order, whole batches and times, each asked in one place."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from fairdeal.application.log.faults import Fault
from fairdeal.application.log.reader import going_forward, must_be_in_order, whole_batches
from fairdeal.domain.pardon.game import PARDON
from fairdeal.testing.recorded import recorded_game

ROOT = Path(__file__).parents[3]
LOG = recorded_game(PARDON)


class Said(NamedTuple):
    size: int
    at: str = "2026-01-01T00:00:00.000000Z"


def found(heads: list[Said | None], after: int = 0) -> list[int]:
    return [first for first, _ in going_forward(whole_batches(heads, after))]


def fault(heads: list[Said | None]) -> tuple[int, str]:
    with pytest.raises(Fault) as raised:
        found(heads)
    return raised.value.record, raised.value.why


def test_batches_are_found_with_the_version_of_their_first_record() -> None:
    assert found([Said(1), Said(3), None, None, Said(1)]) == [1, 2, 5]
    assert found([Said(2), None], after=7) == [8]
    assert found([]) == []


def test_broken_batches_are_named_at_the_first_bad_record() -> None:
    assert fault([None, Said(1)]) == (1, "it belongs to no batch")
    assert fault([Said(2), None, None]) == (3, "it belongs to no batch")
    assert fault([Said(3), None, Said(1)]) == (3, "a batch begins inside another one")
    assert fault([Said(1), Said(3), None]) == (3, "the rest of its batch is missing")


def test_a_batch_may_be_as_old_as_the_one_before_but_not_older() -> None:
    same = "2026-01-01T00:00:00.000000Z"
    assert found([Said(1, same), Said(1, same)]) == [1, 2]
    older = "2025-12-31T23:59:59.999999Z"
    assert fault([Said(1, same), Said(2, older), None]) == (2, "it is older than the one before")


def test_a_version_or_a_game_out_of_place_is_named() -> None:
    must_be_in_order(LOG)
    must_be_in_order(LOG[3:], after=3)
    with pytest.raises(Fault, match="version 5 stands in its place") as raised:
        must_be_in_order([*LOG[:3], *LOG[4:]])
    assert raised.value.record == 4
    other = recorded_game(PARDON, 1)
    with pytest.raises(Fault, match=f"version 3 of game {other[0].game_id} stands in its place"):
        must_be_in_order([*LOG[:2], *other[2:]])


WORDS = re.compile(r"Fault\(.*(belongs to no batch|begins inside another|rest of its batch|older than the one before)")


def test_nobody_else_asks_what_the_reader_asks() -> None:
    """Whoever finds such a fault elsewhere has written a second reader."""
    files = [*(ROOT / "application").rglob("*.py"), *(ROOT / "infrastructure").rglob("*.py")]
    assert [file.name for file in files if WORDS.search(file.read_text())] == ["reader.py"]
