"""A ledger is set back under its read models: they say so, and are made anew from what is there."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.projections.errors import ReadModelsRolledBack
from fairdeal.infrastructure.readmodels.folding.runner import Runner
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from kits.ledger import set_ledger_back
from kits.readmodels import Ticking, clean_run, play, rows
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("postgres")

SetBack = Callable[[int], None]


@pytest.fixture
def set_back(address: str, tmp_path: Path) -> SetBack:
    """Puts the ledger back to where it was at a position, as a restore does."""

    return partial(set_ledger_back, address, tmp_path / "games.db")


@pytest.fixture
def elsewhere_read(both: Fairdeal, elsewhere: str) -> Iterator[ReadSide]:
    """Read models in a database of their own, which is not set back with the ledger."""
    read = ReadSide(both.ledger, both.codec, both.kinds, address=both.address, where=elsewhere)
    yield read
    read.close()


def listed(read: ReadSide) -> set[UUID]:
    return {game.id for game in read.games(limit=500).items}


def test_a_question_says_that_the_ledger_was_set_back_and_the_next_one_shows_what_is_there(
    both: Fairdeal, set_back: SetBack, elsewhere_read: ReadSide, tmp_path: Path
) -> None:
    read = elsewhere_read
    kept = {play(both, ["ann", "bob"], seed=1)}
    head = both.ledger.head()
    lost = play(both, ["ann", "cleo"], seed=2)
    assert listed(read) == kept | {lost}
    set_back(head)
    with pytest.raises(ReadModelsRolledBack, match="ask again") as told:
        listed(read)
    assert told.value.code == "ledger_rolled_back"
    assert listed(read) == kept
    assert rows(read.database) == clean_run(both, f"sqlite:///{tmp_path / 'clean.db'}")


def test_a_ledger_that_has_grown_past_the_old_position_since_is_known_by_its_link(
    both: Fairdeal, set_back: SetBack, elsewhere_read: ReadSide, tmp_path: Path
) -> None:
    read = elsewhere_read
    kept = play(both, ["ann", "bob"], seed=1)
    head = both.ledger.head()
    play(both, ["ann", "cleo"], seed=2, moves=1)
    read.catch_up()
    set_back(head)
    with Fairdeal(both.address, clock=Ticking()) as other:
        new = play(other, ["dora", "emil"], seed=3)
    with pytest.raises(ReadModelsRolledBack):
        read.catch_up()
    assert listed(read) == {kept, new}
    assert read.dead_letters().items == ()
    assert rows(read.database) == clean_run(both, f"sqlite:///{tmp_path / 'clean.db'}")


def test_a_question_with_a_receipt_is_not_answered_from_what_no_longer_is(
    both: Fairdeal, set_back: SetBack, elsewhere_read: ReadSide
) -> None:
    read = elsewhere_read
    game = both.start_game("kings_corners", ["ann", "bob"])
    head = both.ledger.head()
    lost = both.move(game.game_id, "ann", {"move": "end_turn"})
    assert read.after(lost.receipt).game(game.game_id)
    set_back(head)
    with pytest.raises(ReadModelsRolledBack):
        read.after(game.receipt).game(game.game_id)
    found = read.after(game.receipt).game(game.game_id)
    assert found is not None
    assert found.version == game.version


def test_a_runner_notices_it_by_itself_and_folds_what_is_there(
    both: Fairdeal, set_back: SetBack, elsewhere_read: ReadSide
) -> None:
    read = elsewhere_read
    kept = play(both, ["ann", "bob"], seed=1, moves=2)
    head = both.ledger.head()
    play(both, ["ann", "cleo"], seed=2, moves=2)
    runner: Runner = read.start_runner()
    until(lambda: read.progress().position == both.ledger.head())
    set_back(head)
    until(lambda: runner.status.error is None and runner.status.position == head)
    assert {game.id for game in read.as_it_stands().games().items} == {kept}


def test_a_rebuild_after_a_set_back_puts_what_is_there_in_the_place_of_what_was(
    both: Fairdeal, set_back: SetBack, elsewhere_read: ReadSide, tmp_path: Path
) -> None:
    read = elsewhere_read
    kept = play(both, ["ann", "bob"], seed=1)
    head = both.ledger.head()
    play(both, ["ann", "cleo"], seed=2, moves=2)
    read.catch_up()
    set_back(head)
    read.rebuild()
    assert listed(read) == {kept}
    assert rows(read.database) == clean_run(both, f"sqlite:///{tmp_path / 'clean.db'}")


def test_positions_of_an_earlier_release_get_their_links_with_the_next_fold(
    both: Fairdeal, elsewhere_read: ReadSide, elsewhere: str
) -> None:
    read = elsewhere_read
    play(both, ["ann", "bob"], seed=1, moves=2)
    read.catch_up()
    with closing(sqlite3.connect(elsewhere.removeprefix("sqlite:///"))) as file, file:
        file.execute("UPDATE fairdeal_positions SET link = NULL")
    assert len(listed(read)) == 1
    (_, last), *_ = both.ledger.since(both.ledger.head() - 1, 1)
    read.catch_up()
    assert {row[-1] for row in rows(read.database)["fairdeal_positions"]} == {last.link.hex()}
