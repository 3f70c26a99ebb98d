"""A reader that does not know a kind of game says so; it leaves nothing out and puts nothing aside."""

from pathlib import Path

import pytest

from fairdeal import Fairdeal, UnknownKind
from fairdeal.application.catalogue import KINDS


def test_a_reader_without_a_kind_is_never_silently_incomplete(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as everything:
        everything.start_game("pardon", ["ann", "bob"])
        everything.start_game("red7", ["ann", "bob"])
    with Fairdeal(address, kinds={"pardon": KINDS["pardon"]}) as narrow, pytest.raises(UnknownKind, match="red7"):
        narrow.read.games()
    with Fairdeal(address) as everything:
        assert {game.kind for game in everything.read.games().items} == {"pardon", "red7"}
        assert everything.read.dead_letters().items == ()
