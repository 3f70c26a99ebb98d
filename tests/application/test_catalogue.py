"""The register of kinds: what would store games that nobody can read again is refused before anything is opened."""

from dataclasses import replace
from pathlib import Path

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import BadRegister
from fairdeal.domain.red7.game import RED7


def test_a_game_is_registered_under_its_own_kind(tmp_path: Path) -> None:
    with pytest.raises(BadRegister, match="registered as 'seven', but its kind is 'red7'"):
        Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", kinds={"seven": RED7})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["", "red7.basic", "Red7", "7red", "red 7", "r" * 65, "röd"])
def test_a_kind_is_the_beginning_of_stored_names(kind: str) -> None:
    with pytest.raises(BadRegister, match="cannot be the kind of a game"):
        Fairdeal("memory:", kinds={kind: replace(RED7, kind=kind)})


def test_all_games_that_come_with_fairdeal_are_registered_well() -> None:
    with Fairdeal("memory:", kinds=KINDS) as fairdeal:
        assert fairdeal.kinds is KINDS
