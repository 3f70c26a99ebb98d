"""A checkpoint goes on from the last one: it reads what is new, and an owner who bends the rest gains nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints import ledger_walk
from fairdeal.application.checkpoints.edge import Edge
from fairdeal.application.checkpoints.proofs import Checkpoint, NoProof, NotAProof, from_json
from fairdeal.application.checkpoints.tree import grow_checkpoint
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.checkpoints.edge_file import EdgeFile
from fairdeal.infrastructure.checkpoints.signing import is_signed, new_keys, sign
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import recorded_game
from kits.audit import forged
from kits.ledger import set_ledger_back
from kits.two_histories import another_history, hide_in_postgres, hide_in_sqlite, index_first, play_to_the_end


@pytest.fixture
def kept() -> Iterator[EdgeFile]:
    with closing(EdgeFile()) as edge:
        yield edge


def is_same_tree(one: Checkpoint, other: Checkpoint) -> bool:
    return (one.size, one.root, one.position) == (other.size, other.root, other.position)


class Counting:
    """A ledger that remembers what was read of it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.lowest: int | None = None
        self.games: set[UUID] = set()

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        self.lowest = position if self.lowest is None else min(self.lowest, position)
        return self._ledger.since(position, limit)

    def records(self, game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        self.games.add(game_id)
        return self._ledger.records(game_id, after=after, up_to=up_to)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)


@pytest.mark.parametrize("most_games", [1, 2, 100_000])
def test_grown_checkpoints_are_those_that_a_walk_over_everything_gives(
    fairdeal: Fairdeal, kept: EdgeFile, monkeypatch: pytest.MonkeyPatch, most_games: int
) -> None:
    monkeypatch.setattr(ledger_walk, "MOST_GAMES", most_games)
    assert is_same_tree(fairdeal.checkpoints.grow(kept), fairdeal.checkpoints.make())
    running = [fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(3)]
    old = grown = fairdeal.checkpoints.make()
    for number in range(9):
        for game in running[number % 2 :]:
            look = fairdeal.look(game)
            fairdeal.move(game, look.players[look.active[0]], {"move": "end_turn"})
        fairdeal.ledger.append(recorded_game(KINDS["red7"], number))
        grown = fairdeal.checkpoints.grow(kept)
        assert is_same_tree(grown, fairdeal.checkpoints.make())
        fairdeal.checkpoints.must_still_hold(grown)
        assert fairdeal.checkpoints.prove_consistency(old, grown).holds()
    assert is_same_tree(fairdeal.checkpoints.grow(kept), grown), "with nothing new it is the same again"


def test_only_what_is_new_is_read(fairdeal: Fairdeal, kept: EdgeFile) -> None:
    finished = [play_to_the_end(fairdeal, command_id=str(number))[0].game_id for number in range(3)]
    running = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.checkpoints.grow(kept)
    edge = fairdeal.ledger.head()
    fairdeal.move(running, "ann", {"move": "end_turn"})
    new = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    counting = Counting(fairdeal.ledger)
    grow_checkpoint(cast("Ledger", counting), fairdeal.codec, "now", kept, sign=lambda made: made)
    assert counting.lowest == edge - 1, "the last record that is known, and what comes after it"
    assert counting.games == {running, new}
    assert not counting.games & set(finished)


def test_a_ledger_that_was_set_back_is_refused_also_when_it_has_grown_since(
    fairdeal: Fairdeal, kept: EdgeFile, tmp_path: Path
) -> None:
    play_to_the_end(fairdeal, command_id="kept")
    head = fairdeal.ledger.head()
    play_to_the_end(fairdeal, command_id="lost")
    fairdeal.checkpoints.grow(kept)
    before = kept.edge()
    set_ledger_back(fairdeal.address, tmp_path / "games.db", head)
    for number in range(4):
        with pytest.raises(NoProof, match="set back or changed"):
            fairdeal.checkpoints.grow(kept)
        assert kept.edge() == before
        with Fairdeal(fairdeal.address) as other:
            play_to_the_end(other, command_id=f"new {number}")
    assert is_same_tree(fairdeal.checkpoints.grow(EdgeFile()), fairdeal.checkpoints.make())


@pytest.fixture(params=["sqlite", "postgres"])
def two_histories(request: pytest.FixtureRequest, tmp_path: Path, kept: EdgeFile) -> tuple[str, UUID]:
    """The index by game forgets the first history of a game, and a second one is appended after the edge."""
    on_sqlite = request.param == "sqlite"
    address = f"sqlite:///{tmp_path / 'old.db'}" if on_sqlite else index_first(request.getfixturevalue("postgres"))
    with Fairdeal(address) as fairdeal:
        first = play_to_the_end(fairdeal)
        fairdeal.ledger.append(recorded_game(KINDS["pardon"], 1))
        fairdeal.checkpoints.grow(kept)
        head = fairdeal.ledger.head()
    hide_in_sqlite(tmp_path / "old.db", head) if on_sqlite else hide_in_postgres(address, head)
    with Fairdeal(address) as fairdeal:
        fairdeal.ledger.append(another_history(first))
    return address, first[0].game_id


def test_a_game_that_begins_a_second_time_after_the_edge_is_found(
    two_histories: tuple[str, UUID], kept: EdgeFile
) -> None:
    address, game = two_histories
    with Fairdeal(address) as fairdeal, pytest.raises((NoProof, LedgerError), match=str(game)):
        fairdeal.checkpoints.grow(kept)


def test_a_past_that_was_rewritten_under_the_edge_is_never_signed(
    fairdeal: Fairdeal, kept: EdgeFile, tmp_path: Path
) -> None:
    import sqlite3

    fairdeal.ledger.append(recorded_game(KINDS["kings_corners"], 0, most=40))
    fairdeal.ledger.append(recorded_game(KINDS["kings_corners"], 1, most=40))
    old = fairdeal.checkpoints.grow(kept)
    (_, record), *_ = fairdeal.ledger.since(0, 1)
    log = forged(fairdeal.ledger.records(record.game_id), 2, lambda payload: payload["event"].update(player="amy"))
    with closing(sqlite3.connect(tmp_path / "games.db")) as database, database:
        for changed in log:
            database.execute(
                "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?",
                (changed.link + changed.payload, changed.game_id.hex, changed.version),
            )
    assert not is_same_tree(fairdeal.checkpoints.make(), old), "who reads everything signs whatever is there"
    fairdeal.ledger.append(recorded_game(KINDS["pardon"], 1))
    grown = fairdeal.checkpoints.grow(kept)
    for checkpoint in (old, grown):
        with pytest.raises(NoProof, match="its history was changed"):
            fairdeal.checkpoints.must_still_hold(checkpoint)


def bend(edge: Edge, **changes: Any) -> Edge:
    return replace(edge, last=replace(edge.last, **changes))


BENT: dict[str, Callable[[Edge], Edge]] = {
    "a root": lambda edge: replace(edge, roots=("00" * 32, *edge.roots[1:])),
    "one root too many": lambda edge: replace(edge, roots=(*edge.roots, "00" * 32)),
    "no hash": lambda edge: replace(edge, roots=("x", *edge.roots[1:])),
    "another leaf": lambda edge: bend(edge, link="00" * 32),
    "another place in the tree": lambda edge: bend(edge, index=0),
    "another position": lambda edge: bend(edge, position=edge.last.position - 1),
    "another size": lambda edge: bend(edge, checkpoint=replace(edge.checkpoint, size=edge.checkpoint.size + 2)),
    "another root of all": lambda edge: bend(edge, checkpoint=replace(edge.checkpoint, root="00" * 32)),
    "an unsigned checkpoint": lambda edge: bend(edge, checkpoint=replace(edge.checkpoint, signature="")),
}


@pytest.mark.parametrize("bent", BENT)
def test_an_edge_that_somebody_has_changed_is_refused(fairdeal: Fairdeal, kept: EdgeFile, bent: str) -> None:
    secret, public = new_keys()
    signed = partial(sign, secret=secret)
    play_to_the_end(fairdeal)
    fairdeal.start_game("kings_corners", ["ann", "bob"])
    assert is_signed(fairdeal.checkpoints.grow(kept, signed), public)
    edge = kept.edge()
    assert edge is not None
    kept.keep(BENT[bent](edge))
    with pytest.raises(NoProof):
        fairdeal.checkpoints.grow(kept, signed)


def test_an_edge_of_somebody_elses_key_or_of_another_ledger_is_refused(fairdeal: Fairdeal, kept: EdgeFile) -> None:
    (mine, _), (theirs, _) = new_keys(), new_keys()
    with Fairdeal("memory:") as other:
        play_to_the_end(other)
        other.checkpoints.grow(kept, partial(sign, secret=theirs))
    play_to_the_end(fairdeal)
    with pytest.raises(NoProof, match="signed by this key"):
        fairdeal.checkpoints.grow(kept, partial(sign, secret=mine))
    with pytest.raises(NoProof, match="set back or changed"):
        fairdeal.checkpoints.grow(kept, partial(sign, secret=theirs))


def test_the_command_line_goes_on_from_a_file(fairdeal: Fairdeal, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        return CliRunner().invoke(app, ["checkpoint", *words], catch_exceptions=False).output

    house, edge = tmp_path / "house", tmp_path / "house.edge"
    run("keygen", str(house))
    public = house.with_suffix(".pub").read_text().strip()
    for number in range(2):
        play_to_the_end(fairdeal, command_id=str(number))
        words = ("--ledger", fairdeal.address, "--key", f"{house}.key", "--edge", str(edge))
        made = from_json(run("make", *words).encode())
        assert isinstance(made, Checkpoint)
        assert is_signed(made, public)
        assert is_same_tree(made, fairdeal.checkpoints.make())
    edge.write_text("this is not a database, and long enough to look like one " * 20)
    with pytest.raises(NotAProof):
        EdgeFile(edge)
