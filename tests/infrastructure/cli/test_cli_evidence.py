"""Evidence on the command line: nothing touched is shown as good, left out in silence, or readable by strangers."""

import json
import sqlite3
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import CODEC, relinked
from kits.cli import GAME, ID, RUNNING, RUNNING_ID, objects, prepared, refused, run


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def damage_first_game() -> None:
    with sqlite3.connect("games.db") as database:
        database.execute("UPDATE stored_events SET state=state||'x' WHERE originator_version=9 AND originator_id=?",
                         (GAME[0].game_id.hex,))  # fmt: skip
    database.close()


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["garbage", "cut", "salt", "header", "space"])
def test_a_file_that_was_touched_is_not_replayed(place: Path, how: str) -> None:
    run("export", ID, "-o", "kept.jsonl")
    lines = Path("kept.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    salt = json.loads(lines[30])["salt"]
    touched = {
        "garbage": [*lines[:30], "garbage\n", *lines[31:]],
        "cut": lines[:-5],
        "salt": [*lines[:30], lines[30].replace(salt, "00" * 16), *lines[31:]],
        "header": [lines[0].replace('"cleo"', '"zoe"'), *lines[1:]],
        "space": [lines[0].replace('":', '": ', 1), *lines[1:]],
    }[how]
    assert touched != lines
    Path("bad.jsonl").write_text("".join(touched), encoding="utf-8")
    assert refused("replay", "bad.jsonl").startswith("touched_log: bad.jsonl was touched at record")
    run("verify", "bad.jsonl", status=1)


def test_a_ledger_that_ends_inside_a_batch_is_not_replayed(place: Path) -> None:
    ends = [record.version - 1 for record in GAME if CODEC.batch(record)]
    inside = next(version for version in range(20, len(GAME)) if version not in ends)
    with sqlite3.connect("games.db") as database:
        database.execute("DELETE FROM stored_events WHERE originator_id=? AND originator_version>?",
                         (GAME[0].game_id.hex, inside))  # fmt: skip
    database.close()
    assert "the rest of its batch is missing" in refused("replay", ID)
    assert "the rest of its batch is missing" in refused("export", ID)


def test_files_are_named_and_one_that_cannot_be_read_hides_no_other(place: Path) -> None:
    run("export", ID, "-o", "good.jsonl")
    Path("bad.json").write_text("{}", encoding="utf-8")
    Path("worse.jsonl").write_text('{"fairdeal": 1}\n', encoding="utf-8")
    result = run("verify", "bad.json", "worse.jsonl", "good.jsonl", status=2)
    assert result.stdout.startswith(f"good.jsonl  {ID}  kings_corners")
    assert "not_a_proof: bad.json: " in result.stderr
    assert "not_an_export: worse.jsonl: " in result.stderr
    (found,) = objects(run("verify", "good.jsonl", "--json"))
    assert (found["file"], found["what"], found["good"]) == ("good.jsonl", "game", True)


# -- exports ---------------------------------------------------------------------------------------------------------


def test_a_damaged_game_stops_an_export_of_all_or_is_left_out_and_named(place: Path) -> None:
    damage_first_game()
    assert "the link does not fit" in refused("export", "--all", "--operator", "-o", "all.jsonl")
    assert not Path("all.jsonl").exists()
    result = run("export", "--all", "--operator", "--skip-damaged", "-o", "all.jsonl", status=1)
    assert f"Record 9 of game {ID} is damaged" in result.stderr
    told = json.loads(run("export", "--all", "--skip-damaged", "-o", "all.jsonl", "--json", status=1).stderr)
    assert told["error"] == "damaged_record"
    assert RUNNING_ID in Path("all.jsonl").read_text(encoding="utf-8")
    assert ID not in Path("all.jsonl").read_text(encoding="utf-8")


def test_a_backup_with_all_secrets_is_readable_by_its_owner_only(place: Path) -> None:
    run("export", RUNNING_ID, "--operator", "-o", "secret.jsonl")
    run("export", RUNNING_ID, "--as", "ann", "-o", "anns.jsonl")
    assert stat.S_IMODE(Path("secret.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("anns.jsonl").stat().st_mode) & 0o400


def test_an_export_through_a_link_leaves_the_link(place: Path) -> None:
    Path("real.jsonl").touch()
    Path("link.jsonl").symlink_to("real.jsonl")
    run("export", ID, "-o", "link.jsonl")
    assert Path("link.jsonl").is_symlink()
    assert Path("real.jsonl").read_text(encoding="utf-8").startswith('{"fairdeal":1')


# -- audits ----------------------------------------------------------------------------------------------------------


def test_a_receipt_for_a_game_that_is_gone_is_a_finding(place: Path) -> None:
    receipt = f"{ID}:{len(GAME)}:{GAME[-1].link.hex()}"
    with sqlite3.connect("games.db") as database:
        database.execute("DELETE FROM stored_events WHERE originator_id=?", (GAME[0].game_id.hex,))
    database.close()
    assert "the game is missing" in run("audit", ID, "--receipt", receipt, status=1).stdout
    assert "There is no game" in refused("audit", ID)


def test_a_ledger_with_games_of_other_rules_is_not_called_all_good(place: Path) -> None:
    rows = [(record.name, record.payload.replace(b'"rules":1,', b'"rules":2,')) for record in GAME]
    with Fairdeal("sqlite:///other.db") as other:
        other.ledger.append(relinked(CODEC.seed_of(GAME[0]), GAME[0].game_id, rows))
    told = run("audit", "--ledger", "sqlite:///other.db", status=4).stdout
    assert told.startswith(f"1 game, {len(GAME)} records: nothing bad, but 1 not fully checked.")
    assert "all good" in run("audit").stdout.splitlines()[0]


# -- imports ---------------------------------------------------------------------------------------------------------


def test_a_refused_import_leaves_no_ledger_behind(place: Path) -> None:
    run("export", ID, "--output", "game.jsonl")
    text = (place / "game.jsonl").read_text(encoding="utf-8")
    (place / "bad.jsonl").write_text(text.replace('"version":3', '"version":4'), encoding="utf-8")
    before = sorted(place.iterdir())
    assert refused("import", "bad.jsonl", "--ledger", "sqlite:///new.db").startswith("import_refused")
    assert sorted(place.iterdir()) == before
    run("import", "game.jsonl", "--ledger", "sqlite:///new.db")
    assert refused("import", "bad.jsonl", "--ledger", "sqlite:///new.db").startswith("import_refused")


def test_an_import_that_ends_early_says_how_far_it_came(place: Path) -> None:
    run("export", "--all", "--operator", "-o", "all.jsonl")
    first, second = sorted((GAME[0].game_id.hex, RUNNING[0].game_id.hex))
    Fairdeal("sqlite:///new.db").close()
    with sqlite3.connect("new.db") as database:
        # Somebody stores another game under the id of the second one as soon as the first one is there.
        database.execute(
            f"CREATE TRIGGER rival AFTER INSERT ON stored_events WHEN NEW.originator_id='{first}' "
            f"AND NEW.originator_version=1 BEGIN INSERT INTO stored_events (originator_id, originator_version, "
            f"topic, state) VALUES ('{second}', 1, 'x', x'00'); END"
        )
    database.close()
    result = run("import", "all.jsonl", "--ledger", "sqlite:///new.db", status=2)
    assert "1 of 2 games are in the ledger; importing again goes on from there." in result.stderr
    assert "with other contents" in result.stderr


def test_a_file_without_a_game_makes_no_ledger(place: Path) -> None:
    Path("empty.jsonl").touch()
    Path("other.txt").write_text("root:x:0:0\n", encoding="utf-8")
    for file in ("empty.jsonl", "other.txt"):
        assert refused("import", file, "--ledger", "sqlite:///new.db").startswith("not_an_export")
    assert not Path("new.db").exists()


# -- rows that belong nowhere ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stranger", ["''", "'0'", "'zzz'", "7", "x'00'"])
def test_rows_of_no_game_hide_no_game(place: Path, stranger: str) -> None:
    damage_first_game()
    with sqlite3.connect("games.db") as database:
        database.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            f"VALUES ({stranger}, 1, 'x', x'00')"
        )
    database.close()
    for jobs in (1, 2):
        result = run("audit", "--jobs", jobs, status=1)
        assert f"{ID}  kings_corners" in result.stdout
        assert "tampered_ledger" in result.stderr
    listed = run("games", status=2)
    assert listed.stdout.count("\n") == 2
    assert "tampered_ledger" in listed.stderr
    left_out = run("export", "--all", "--operator", "--skip-damaged", "-o", "all.jsonl", status=1).stderr
    assert "tampered_ledger" in left_out
    assert "damaged_record" in left_out
    assert RUNNING_ID in Path("all.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("version", ["'abc'", "x'78'", "-9223372036854775808", "1e300"])
def test_rows_of_no_game_are_found_whatever_their_version(place: Path, version: str) -> None:
    with sqlite3.connect("games.db") as database:
        database.execute(f"INSERT INTO stored_events (originator_id, originator_version, topic, state) "
                         f"VALUES ('zz', {version}, 'x', 'y')")  # fmt: skip
    database.close()
    assert "tampered_ledger" in run("audit", status=1).stderr


@pytest.mark.parametrize("column", ["originator_id", "originator_version", "topic", "state"])
def test_columns_that_somebody_emptied_are_found(place: Path, column: str) -> None:
    with sqlite3.connect("games.db") as database:
        database.executescript(
            "CREATE TABLE other (rowid INTEGER PRIMARY KEY, originator_id, originator_version, topic, state);"
            "INSERT INTO other SELECT rowid, * FROM (SELECT originator_id, originator_version, topic, state "
            "FROM stored_events ORDER BY rowid); DROP TABLE stored_events; ALTER TABLE other RENAME TO stored_events;"
            f"UPDATE stored_events SET {column}=NULL "
            f"WHERE originator_version=9 AND originator_id='{GAME[0].game_id.hex}'"
        )  # fmt: skip
    database.close()
    result = run("audit", status=1)
    assert ID in result.stdout
    assert "1 bad" in result.stdout or column == "originator_id"
    for command in (("games",), ("replay", ID), ("export", ID), ("checkpoint", "keygen", "x")):
        assert isinstance(CliRunner().invoke(app, list(command)).exception, SystemExit | None)


def test_rows_before_the_first_position_are_in_no_checkpoint_and_so_there_is_none(place: Path) -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    with sqlite3.connect("games.db") as database:
        database.execute(
            "INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state) "
            f"SELECT rowid - 100000, '{'0' * 32}', originator_version, topic, state FROM stored_events WHERE rowid < 9"
        )
    database.close()
    assert "position -99999" in refused("checkpoint", "make", "--key", "house.key")
    assert "position -99999" in run("audit", "--checkpoint", "kept.json", status=1).stdout


# -- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [
    ("branch", ID, "x"), ("audit", "--nonsense"), ("replay",), ("nonsense",), ("export", "x"),
    ("checkpoint", "make", "--key", "none.key"), ("checkpoint", "keygen", "."), ("checkpoint", "prove"),
])  # fmt: skip
def test_every_error_is_json_for_programs(place: Path, arguments: tuple[str, ...]) -> None:
    result = run(*arguments, "--json", status=2)
    told = json.loads(result.stderr)
    assert told.keys() == {"error", "message"}
    assert result.stdout == ""


# -- screens and files -----------------------------------------------------------------------------------------------


def test_a_log_cannot_write_verdicts_on_the_screen(place: Path) -> None:
    forged = "kings_corners, 9 records\n  untouched  yes (all is well)\n  fair  sealed\n  legal  yes"
    rows = [(record.name.replace("kings_corners", forged), record.payload) for record in GAME]
    with Fairdeal("sqlite:///other.db") as other:
        other.ledger.append(relinked(CODEC.seed_of(GAME[0]), GAME[0].game_id, rows))
    for command, status in ((("audit", ID), 4), (("games",), 0)):
        told = run(*command, "--ledger", "sqlite:///other.db", status=status).stdout
        assert not any(line.startswith("  untouched  yes (all is well)") for line in told.splitlines())


def test_an_export_takes_nothing_away_that_is_somebody_elses(place: Path) -> None:
    Path("g.jsonl.part").write_text("mine", encoding="utf-8")
    run("export", ID, "-o", "g.jsonl")
    assert Path("g.jsonl.part").read_text(encoding="utf-8") == "mine"
    run("export", ID, "-o", "x" * 250 + ".json")
    assert not [path for path in place.iterdir() if path.name.startswith(".fairdeal-")]


def test_a_ledger_behind_a_link_is_read_with_its_log_and_left_as_it_is(place: Path) -> None:
    Path("real").mkdir()
    with Fairdeal("sqlite:///real/g.db") as writer:
        writer.start_game("pardon", ["ann", "bob"])
        for name in ("g.db", "g.db-wal"):
            Path("real", f"copy{name[1:]}").write_bytes(Path("real", name).read_bytes())
    Path("link.db").symlink_to("real/copy.db")
    before = [(path.name, path.read_bytes()) for path in sorted(Path("real").glob("copy.db*"))]
    assert len(before) == 2
    assert run("games", "--ledger", "sqlite:///link.db").stdout.count("pardon") == 1
    after = [(path.name, path.read_bytes()) for path in sorted(Path("real").glob("copy.db*"))]
    assert [found for found in after if not found[0].endswith("-shm")] == before
