"""Worlds that a seat cannot tell apart are the same over HTTP: every answer, its headers and its length."""

from collections.abc import Iterator

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import recorded_game
from kits.worlds import another_world, without_its_end
from kits.worlds_over_http import told_over_http as told


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viewer", [None, "ann", "bob"])
def test_worlds_that_a_viewer_cannot_tell_apart_are_told_alike(kind: str, viewer: str | None) -> None:
    one, other = next(two_worlds(kind, viewer))
    assert list(told(one, viewer)) == list(told(other, viewer))


def two_worlds(kind: str, viewer: str | None) -> Iterator[tuple[list[Record], list[Record]]]:
    """In some games everything that was hidden has been seen at last, and then the worlds do not differ."""
    for number in range(6):
        one = without_its_end(recorded_game(KINDS[kind], number))
        other = another_world(one, viewer)
        if [record.payload for record in one] != [record.payload for record in other]:
            yield one, other


def test_worlds_that_differ_in_what_a_viewer_sees_are_told_apart() -> None:
    one = without_its_end(recorded_game(KINDS["kings_corners"], 1))
    other = another_world(one, "ann")
    assert list(told(one, "bob")) != list(told(other, "bob"))
