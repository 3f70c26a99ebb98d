"""The past under a signed checkpoint: an owner who shows one history by game and keeps another by position is found."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal, Receipt
from fairdeal.application.audit import ledger as ledger_audit
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints import ledger_walk
from fairdeal.application.checkpoints.proofs import Checkpoint, NoProof, to_json
from fairdeal.application.errors import LedgerError, TamperedLedger
from fairdeal.application.log.record import Record
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import recorded_game
from kits.audit import batch_ends, said, written
from kits.two_histories import another_history, hide_in_postgres, hide_in_sqlite, index_first, play_to_the_end, winners


def bad_games(reports: Iterator[Report]) -> dict[str, str]:
    return {str(report.game_id): str(report.untouched) for report in reports if not report.good}


class Attacked:
    """A ledger whose index by game was made to forget the first history of a game, with the second one appended."""

    def __init__(self, address: str, checkpoint: Checkpoint, first: Sequence[Record], second: Sequence[Record]) -> None:
        self.address, self.checkpoint, self.first, self.second = address, checkpoint, first, second


@pytest.fixture(params=["sqlite", "postgres"])
def attacked(request: pytest.FixtureRequest, tmp_path: Path) -> Attacked:
    on_sqlite = request.param == "sqlite"
    address = f"sqlite:///{tmp_path / 'games.db'}" if on_sqlite else index_first(request.getfixturevalue("postgres"))
    with Fairdeal(address) as fairdeal:
        first = play_to_the_end(fairdeal)
        checkpoint, head = fairdeal.checkpoints.make(), fairdeal.ledger.head()
        for number in range(2):
            fairdeal.ledger.append(recorded_game(KINDS["pardon"], number))
    hide_in_sqlite(tmp_path / "games.db", head) if on_sqlite else hide_in_postgres(address, head)
    second = another_history(first)
    with Fairdeal(address) as fairdeal:
        fairdeal.ledger.append(second)
    return Attacked(address, checkpoint, first, second)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_second_history_behind_a_short_index_is_found_by_the_audit(attacked: Attacked, jobs: int) -> None:
    game = attacked.second[0].game_id
    with Fairdeal(attacked.address) as fairdeal:
        assert winners(fairdeal, fairdeal.records(game)) != winners(fairdeal, attacked.first)
        assert fairdeal.audit(game).good, "the game alone is as good as any"
        found = bad_games(fairdeal.audit_all(jobs=jobs))
    assert found.keys() == {str(game)}
    assert found[str(game)].startswith("no at record")


def test_neither_checkpoints_nor_proofs_are_given_for_two_histories(attacked: Attacked) -> None:
    game, head = attacked.first[-1].game_id, attacked.first[-1]
    old = attacked.checkpoint
    with Fairdeal(attacked.address) as fairdeal:
        with pytest.raises((NoProof, LedgerError), match=str(game)):
            fairdeal.checkpoints.must_still_hold(old)
        with pytest.raises((NoProof, LedgerError), match=str(game)):
            fairdeal.checkpoints.make()
        with pytest.raises((NoProof, LedgerError), match=str(game)):
            fairdeal.checkpoints.prove_consistency(old, old)
        with pytest.raises((NoProof, LedgerError), match=str(game)):
            fairdeal.checkpoints.prove_inclusion(old, Receipt(game, head.version, head.link.hex()))


def test_the_command_line_does_not_call_it_good(attacked: Attacked, tmp_path: Path) -> None:
    kept = tmp_path / "monday.json"
    kept.write_text(to_json(attacked.checkpoint))
    for more in ((), ("--checkpoint", str(kept)), ("--jobs", "2")):
        result = CliRunner().invoke(app, ["audit", "--ledger", attacked.address, *more])
        assert result.exit_code == 1
        assert "all good" not in result.output
        assert str(attacked.first[0].game_id) in result.output


def test_a_game_that_no_index_knows_is_found(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        hidden = play_to_the_end(fairdeal)
        head = fairdeal.ledger.head()
        fairdeal.ledger.append(recorded_game(KINDS["pardon"]))
    hide_in_sqlite(tmp_path / "games.db", head)
    with Fairdeal(address) as fairdeal:
        assert bad_games(fairdeal.audit_all()).keys() == {str(hidden[0].game_id)}
        assert [report.records for report in fairdeal.audit_all()].count(0) == 1


def test_a_game_that_only_the_index_knows_is_found(tmp_path: Path) -> None:
    """The index names the rows of a batch by another game than the rows themselves do."""
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        log = recorded_game(KINDS["pardon"])
        fairdeal.ledger.append(log)
        last = fairdeal.ledger.head()
        fairdeal.ledger.append(recorded_game(KINDS["pardon"], 1))
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        # Without its index the table is changed; then the old index comes back.
        database.execute("PRAGMA writable_schema=ON")
        sql = database.execute("SELECT sql FROM sqlite_master WHERE name='stored_events'").fetchone()[0]
        plain = sql.replace(", UNIQUE (originator_id, originator_version)", "")
        index = database.execute("SELECT * FROM sqlite_master WHERE name LIKE 'sqlite_auto%_events_1'").fetchone()
        database.execute("UPDATE sqlite_master SET sql=? WHERE name='stored_events'", (plain,))
        database.execute("DELETE FROM sqlite_master WHERE name LIKE 'sqlite_auto%_events_1'")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        before = batch_ends(log)[-2]
        values = ("0" * 31 + "1", before, last)
        database.execute("UPDATE stored_events SET originator_id=? WHERE rowid>? AND rowid<=?", values)
        database.execute("PRAGMA writable_schema=ON")
        database.execute("INSERT INTO sqlite_master VALUES (?,?,?,?,?)", index)
        database.execute("UPDATE sqlite_master SET sql=? WHERE name='stored_events'", (sql,))
    with Fairdeal(address) as fairdeal:
        assert fairdeal.audit(log[0].game_id).good, "by game nothing is amiss"
        found: dict[str, str] = {}
        with pytest.raises(TamperedLedger, match=str(log[0].game_id)):
            for report in fairdeal.audit_all():
                found |= {} if report.good else {str(report.game_id): str(report.untouched)}
        assert found.keys() == {"00000000-0000-0000-0000-000000000001"}


def test_an_invented_game_cannot_take_positions_under_a_checkpoint(tmp_path: Path) -> None:
    """A leaf covers a batch's last record only: what is counted into the batch must be that game's, too."""
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        honest = recorded_game(KINDS["pardon"])
        fairdeal.ledger.append(honest)
        checkpoint = fairdeal.checkpoints.make()
        size = said(honest[0])["size"]
    invented = recorded_game(KINDS["pardon"], 5)
    assert size > 5
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        head = len(honest)
        # The honest beginning moves behind everything else, but for its last record, which the checkpoint covers.
        database.execute("UPDATE stored_events SET rowid=rowid+? WHERE rowid<?", (head, size))
        payload = written({**said(invented[0]), "size": size})
        rows = [(invented[0].name, invented[0].link + payload), *((r.name, r.link + r.payload) for r in invented[1:])]
        for at, (name, state) in enumerate(rows[: size - 1], 1):
            database.execute(
                "INSERT INTO stored_events VALUES (?,?,?,?,?)", (at, invented[0].game_id.hex, at, name, state)
            )
    with Fairdeal(address) as fairdeal:
        with pytest.raises((NoProof, LedgerError)):
            fairdeal.checkpoints.must_still_hold(checkpoint)
        with pytest.raises((NoProof, LedgerError)):
            fairdeal.checkpoints.prove_consistency(checkpoint, checkpoint)
        assert str(honest[0].game_id) in bad_games(fairdeal.audit_all())


@pytest.mark.parametrize(("one", "other"), [(3, 4), (1, 2)])
def test_records_that_changed_places_inside_a_batch_are_found(tmp_path: Path, one: int, other: int) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        log = recorded_game(KINDS["pardon"])
        fairdeal.ledger.append(log)
        checkpoint = fairdeal.checkpoints.make()
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        for old, new in ((one, 10**6), (other, one), (10**6, other)):
            database.execute("UPDATE stored_events SET rowid=? WHERE rowid=?", (new, old))
    with Fairdeal(address) as fairdeal:
        assert fairdeal.audit(log[0].game_id).good
        assert bad_games(fairdeal.audit_all()).keys() == {str(log[0].game_id)}
        with pytest.raises((NoProof, LedgerError), match=str(log[0].game_id)):
            fairdeal.checkpoints.must_still_hold(checkpoint)


def test_a_batch_with_a_gap_in_its_positions_is_found(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        log = recorded_game(KINDS["pardon"])
        fairdeal.ledger.append(log)
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        database.execute("UPDATE stored_events SET rowid=rowid+10000 WHERE rowid>=?", (len(log),))
    with Fairdeal(address) as fairdeal:
        assert bad_games(fairdeal.audit_all()).keys() == {str(log[0].game_id)}


@pytest.mark.parametrize("most", [2, 3, 100])
def test_a_ledger_of_more_games_than_memory_holds_is_walked_in_several_rounds(
    fairdeal: Fairdeal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(ledger_walk, "MOST_GAMES", most)
    monkeypatch.setattr(ledger_audit, "PAGE", 2)
    for number in range(9):
        fairdeal.ledger.append(recorded_game(KINDS["pardon"], number, most=12))
    checkpoint = fairdeal.checkpoints.make()
    fairdeal.checkpoints.must_still_hold(checkpoint)
    assert len(list(fairdeal.audit_all())) == 9
    assert bad_games(fairdeal.audit_all()) == {}
    last = max(fairdeal.ledger.game_ids(None, 100))
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        database.execute("UPDATE stored_events SET rowid=(rowid+10000)*2 WHERE originator_id=?", (last.hex,))
    assert bad_games(fairdeal.audit_all()).keys() == {str(last)}
    with pytest.raises((NoProof, LedgerError)):
        fairdeal.checkpoints.make()


@pytest.mark.parametrize("most", [1, 100])
def test_games_that_grow_while_they_are_audited_are_good(
    fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(ledger_audit, "PAGE", 1)
    monkeypatch.setattr(ledger_walk, "MOST_GAMES", most)
    games = [fairdeal.start_game("pardon", ["ann", "bob"]).game_id for _ in range(4)]
    records = 0
    for report in fairdeal.audit_all():
        assert report.good
        records += report.records
        fairdeal.start_game("pardon", ["ann", "bob"])
        for game in games:
            player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
            fairdeal.move(game, player, fairdeal.look(game, player).legal[0])
    assert records


def test_a_checkpoint_says_nothing_of_what_came_later(fairdeal: Fairdeal, tmp_path: Path) -> None:
    fairdeal.ledger.append(recorded_game(KINDS["pardon"], 1, most=12))
    checkpoint = fairdeal.checkpoints.make()
    later = recorded_game(KINDS["pardon"], 2, most=12)
    fairdeal.ledger.append(later)
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as database:
        database.execute("UPDATE stored_events SET state=x'' WHERE rowid=?", (fairdeal.ledger.head(),))
    fairdeal.checkpoints.must_still_hold(checkpoint)
    assert bad_games(fairdeal.audit_all()).keys() == {str(later[0].game_id)}


def test_programs_are_told_as_well(attacked: Attacked) -> None:
    result = CliRunner().invoke(app, ["audit", "--ledger", attacked.address, "--json"])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["game"] for one in told if not one["good"]] == [str(attacked.first[0].game_id)]
