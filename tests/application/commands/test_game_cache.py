"""A cached game is read by anybody at any time, and changed only by whoever has the turn."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal, QuickStart
from fairdeal.application.log.record import Record

END = {"move": "end_turn"}


def in_turn(fairdeal: Fairdeal, game: UUID) -> str:
    look = fairdeal.look(game)
    return look.players[look.active[0]]


def test_a_reader_that_was_overtaken_shows_what_it_read_and_keeps_what_came_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal, Fairdeal(address) as elsewhere:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        elsewhere.move(game, in_turn(elsewhere, game), END)
        read_by_others = elsewhere.look(game)
        player, records = in_turn(elsewhere, game), fairdeal.ledger.records

        def overtaken(*of: Any, **which: Any) -> Sequence[Record]:
            monkeypatch.undo()
            found = records(*of, **which)
            fairdeal.move(game, player, END, command_id="meanwhile")
            return found

        monkeypatch.setattr(fairdeal.ledger, "records", overtaken)
        assert fairdeal.look(game) == read_by_others
        newest = fairdeal.look(game)
        assert newest.version > read_by_others.version
        assert newest == elsewhere.look(game)
        assert fairdeal.move(game, player, END, command_id="meanwhile").version == newest.version


def test_what_a_reader_finds_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal, Fairdeal(address) as elsewhere:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        elsewhere.move(game, in_turn(elsewhere, game), END)
        found: list[int] = []
        records = fairdeal.ledger.records

        def counted(*of: Any, **which: Any) -> Sequence[Record]:
            some = records(*of, **which)
            found.append(len(some))
            return some

        monkeypatch.setattr(fairdeal.ledger, "records", counted)
        fairdeal.look(game)
        fairdeal.look(game)
        assert found[0] > 1
        assert found[1:] == [1]


def test_a_table_that_others_opened_by_the_same_command_goes_on_with_their_seed(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    command = QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"), command_id="twice")
    with Fairdeal(address) as fairdeal, Fairdeal(address) as elsewhere:
        game = elsewhere.handle(command).game_id
        assert fairdeal.handle(command).game_id == game, "dealt by another seed, and not stored"
        fairdeal.move(game, in_turn(fairdeal, game), END)
        assert fairdeal.audit(game).good
