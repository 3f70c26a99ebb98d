"""A ledger is set back under running workers: they say so, no log gets a hole, and they go on from what is there."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Answer, Fairdeal, LedgerRolledBack, LedgerUnavailable, MakeMove

KIND = "kings_corners"


def table(fairdeal: Fairdeal) -> UUID:
    return fairdeal.start_game(KIND, ["ann", "bob"]).game_id


def end_turn(fairdeal: Fairdeal, game: UUID, **more: Any) -> Answer:
    """Whoever has to act ends their turn."""
    look = fairdeal.look(game)
    return fairdeal.move(game, look.players[look.active[0]], {"move": "end_turn"})


def blindly(fairdeal: Fairdeal, game: UUID, player: str) -> Answer:
    """A move of somebody who did not look."""
    return fairdeal.move(game, player, {"move": "end_turn"})


def copy_of(path: Path) -> Path:
    kept = path.with_suffix(".kept")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(kept)) as target:
        source.backup(target)
    return kept


def copy_back(kept: Path, path: Path) -> None:
    """As SQLite's own backup does it: the pages of the file are written over."""
    with closing(sqlite3.connect(kept)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)


def put_in_its_place(kept: Path, path: Path) -> None:
    """As somebody does it who knows no better: another file takes the name of the ledger."""
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    new = path.with_suffix(".new")
    shutil.copy(kept, new)
    new.replace(path)


@pytest.mark.parametrize("restore", [copy_back, put_in_its_place])
def test_an_older_file_under_a_running_worker_is_noticed_and_no_log_gets_a_hole(
    tmp_path: Path, restore: Callable[[Path, Path], None]
) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        mover, looker, repeater = (table(fairdeal) for _ in range(3))
        kept = copy_of(path)
        head = fairdeal.ledger.head()
        for game in (mover, looker):
            end_turn(fairdeal, game)
        repeated = MakeMove(game_id=repeater, player="ann", move={"move": "end_turn"})
        fairdeal.handle(repeated)
        lost = table(fairdeal)
        restore(kept, path)
        with pytest.raises(LedgerRolledBack) as told:
            blindly(fairdeal, mover, "bob")
        assert (told.value.code, told.value.game_id) == ("ledger_rolled_back", mover)
        with pytest.raises(LedgerRolledBack):
            fairdeal.look(looker)
        with pytest.raises(LedgerRolledBack):
            fairdeal.handle(repeated)
        with pytest.raises(LedgerRolledBack):
            fairdeal.look(lost)
        assert fairdeal.ledger.head() == head
        # Whoever was told is served what is stored.
        assert fairdeal.handle(repeated).version > fairdeal.look(looker).version
        for game in (mover, looker, repeater):
            end_turn(fairdeal, game)
            assert fairdeal.audit(game).good
    with Fairdeal(f"sqlite:///{path}") as fresh:
        assert all(report.good for report in fresh.audit_all())


def test_a_set_back_game_that_others_have_moved_on_is_noticed_by_its_link(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal, Fairdeal(f"sqlite:///{path}") as other:
        game = table(fairdeal)
        kept = copy_of(path)
        command = MakeMove(game_id=game, player="ann", move={"move": "end_turn"})
        receipt = fairdeal.handle(command).receipt
        copy_back(kept, path)
        for _ in range(3):
            end_turn(other, game)
        with pytest.raises(LedgerRolledBack):
            fairdeal.handle(command)
        assert fairdeal.look(game) == other.look(game)
        assert fairdeal.audit(game).good
        # The loss can be proved by whoever has kept a receipt.
        assert fairdeal.audit(game, [receipt]).untouched.bad


def test_a_game_that_is_taken_in_again_after_a_loss_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        game = table(fairdeal)
        kept = copy_of(path)
        end_turn(fairdeal, game)
        export = tmp_path / "game.jsonl"
        export.write_text(fairdeal.exports.export(game, operator=True), encoding="utf-8")
        copy_back(kept, path)
        with pytest.raises(LedgerRolledBack):
            fairdeal.look(game)
    with Fairdeal(f"sqlite:///{tmp_path / 'other.db'}") as other:
        assert [one.is_new for one in other.exports.import_games(export)] == [True]
        assert [one.is_new for one in other.exports.import_games(export)] == [False]
        end_turn(other, game)
        assert other.audit(game).good


def test_a_file_that_was_deleted_under_a_writer_is_noticed_before_the_next_answer(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        game = table(fairdeal)
        path.rename(tmp_path / "elsewhere.db")
        for attempt in (lambda: blindly(fairdeal, game, "ann"), lambda: fairdeal.look(game)):
            with pytest.raises(LedgerUnavailable, match="is gone"):
                attempt()
        (tmp_path / "elsewhere.db").rename(path)
        assert end_turn(fairdeal, game).version == fairdeal.look(game).version
