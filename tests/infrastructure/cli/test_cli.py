"""The command line: for people and for programs, with exit statuses, and sentences instead of tracebacks."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from fairdeal import Fairdeal
from fairdeal.application.log.record import Receipt
from kits.audit import batch_ends
from kits.cli import GAME, ID, RUNNING, RUNNING_ID, objects, prepared, refused, run

SPECS = Path(__file__).parents[2] / "specs" / "reviiyot"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


# -- games, replay, diff ---------------------------------------------------------------------------------------------


def test_games_are_listed(place: Path) -> None:
    listed = objects(run("games", "--json"))
    assert sorted((game["game"], game["phase"], game["version"]) for game in listed) == sorted(
        [(ID, "finished", len(GAME)), (RUNNING_ID, "running", len(RUNNING))]
    )
    assert ID in run("games").stdout


def test_a_game_that_cannot_be_read_is_listed_all_the_same(place: Path) -> None:
    with sqlite3.connect("games.db") as database:
        database.execute("DELETE FROM stored_events WHERE originator_version = 1")
    database.close()
    assert [game["phase"] for game in objects(run("games", "--json"))] == ["unreadable"] * 2


def test_a_game_is_told(place: Path) -> None:
    lines = run("replay", ID).stdout.splitlines()
    assert len(lines) == len(GAME)
    assert lines[0].endswith("ann opens the table.")
    assert [line["version"] for line in objects(run("replay", ID, "--json"))] == [*range(1, len(GAME) + 1)]


def test_the_table_at_a_version_as_somebody_sees_it(place: Path) -> None:
    shown = run("replay", ID, "--version", 6, "--as", "bob").stdout
    assert shown.startswith(f"Version 6 of {len(GAME)}")
    assert "As bob sees it:" in shown
    assert "To act: ann" in shown
    (frame,) = objects(run("replay", ID, "--version", 6, "--as", "bob", "--json"))
    assert (list(frame["tables"]), frame["places"]) == (["bob"], [])


def test_the_table_at_a_moment(place: Path) -> None:
    (frame,) = objects(run("replay", ID, "--at", "2026-01-01T00:00:00.000006Z", "--json"))
    assert frame["version"] >= 6
    (frame,) = objects(run("replay", ID, "--at", "2025-01-01", "--json"))
    assert (frame["version"], frame["at"]) == (0, None)
    assert "has not come yet" in refused("replay", ID, "--at", "2999-01-01")
    assert "is not a moment" in refused("replay", ID, "--at", "noon")


def test_stepping_forwards_and_backwards(place: Path) -> None:
    shown = run("replay", ID, "--step", typed="n\n\nb\n5\nx\n999\nq\n")
    versions = [
        int(line.split()[1]) for line in shown.stdout.replace("> ", "").splitlines() if line.startswith("Version")
    ]
    assert versions == [0, 1, 2, 1, 5]
    assert shown.stdout.count("n: next, b: back, a number: that version, q: quit.\n> ") == 1
    assert "n: next" in shown.stderr
    assert "beyond_head" in shown.stderr
    run("replay", ID, "--step", "--version", 3, typed="")


def test_what_cannot_be_replayed(place: Path) -> None:
    assert refused("replay", uuid4()).startswith("unknown_game")
    assert refused("replay", ID, "--version", 9999).startswith("beyond_head")
    assert refused("replay", RUNNING_ID, "--open").startswith("still_running")
    assert "neither a file nor the id of a game" in refused("replay", "nothing.jsonl")
    assert "does not sit at this table" in refused("replay", ID, "--as", "zoe")


def test_what_changed_between_two_versions(place: Path) -> None:
    assert "deck_size" in run("diff", ID, "--from", 6, "--to", len(GAME), status=1).stdout
    (found,) = objects(run("diff", ID, "--from", 6, "--to", len(GAME), "--json", status=1))
    assert {"path", "before", "after"} == set(found["changes"][0])
    assert run("diff", ID, "--from", 9, "--to", 9).stdout == "No difference.\n"
    assert objects(run("diff", ID, "--from", 9, "--to", 9, "--json")) == [{"changes": []}]
    assert "Give another log" in refused("diff", ID)


def test_where_two_logs_part(place: Path) -> None:
    run("export", ID, "-o", "one.jsonl")
    assert run("diff", "one.jsonl", ID).stdout == "No difference.\n"
    changed = Path("one.jsonl").read_text(encoding="utf-8").replace('\\"seat\\":1', '\\"seat\\":0', 1)
    Path("two.jsonl").write_text(changed, encoding="utf-8")
    assert "The logs part at record " in run("diff", "one.jsonl", "two.jsonl", status=1).stdout
    (found,) = objects(run("diff", ID, RUNNING_ID, "--json", status=1))
    assert found["parting"]["version"] == 1
    assert objects(run("diff", ID, "one.jsonl", "--json")) == [{"parting": None}]
    for versions in (("--from", 1, "--to", 2), ("--to", 2), ("--open",)):
        assert "Two logs are compared as they are" in refused("diff", ID, RUNNING_ID, *versions)


# -- audit, verify ---------------------------------------------------------------------------------------------------


def test_one_game_is_audited(place: Path) -> None:
    assert run("audit", ID).stdout.splitlines()[1:] == [
        f"  untouched  yes ({len(GAME)} records, 0 receipts)",
        "  fair       operators word (nobody sealed entropy: it rests on the operator's word)",
        "  legal      yes (every command, decided again, gives what was recorded)",
    ]
    (report,) = objects(run("audit", ID, "--json"))
    assert report["good"] is True


def test_a_whole_ledger_is_audited(place: Path) -> None:
    assert run("audit").stdout.startswith(f"2 games, {len(GAME) + len(RUNNING)} records: all good.")
    assert len(objects(run("audit", "--json"))) == 2


def damage() -> None:
    with sqlite3.connect("games.db") as database:
        database.execute(
            "UPDATE stored_events SET topic='kings_corners.turn_passed.v1' "
            "WHERE originator_id=? AND originator_version=7", (GAME[0].game_id.hex,),
        )  # fmt: skip
    database.close()


def test_a_touched_game_is_status_1_and_named_with_its_record(place: Path) -> None:
    damage()
    assert "untouched  no at record 7 (the link does not fit)" in run("audit", status=1).stdout
    (report,) = objects(run("audit", ID, "--json", status=1))
    assert report["untouched"] == {"grade": "no", "why": "the link does not fit", "record": 7}


def test_rows_of_no_game_are_a_finding(place: Path) -> None:
    with sqlite3.connect("games.db") as database:
        database.execute(
            "UPDATE stored_events SET originator_id='mine' WHERE originator_version=7 AND topic LIKE 'kings%'"
        )
    database.close()
    assert run("audit", status=1).stderr.startswith("tampered_ledger: ")


def test_receipts_are_checked(place: Path) -> None:
    good = Receipt(GAME[0].game_id, len(GAME), GAME[-1].link.hex())
    later = Receipt(GAME[0].game_id, len(GAME) + 1, GAME[-1].link.hex())
    assert "1 receipts" in run("audit", ID, "--receipt", good).stdout
    assert "the record is missing" in run("audit", ID, "--receipt", later, status=1).stdout
    Path("kept.txt").write_text(f"{good}\n\n{later}\n", encoding="utf-8")
    run("audit", "--receipt", "@kept.txt", status=1)
    run("export", ID, "-o", "game.jsonl")
    run("verify", "game.jsonl", "--receipt", good)
    run("verify", "game.jsonl", "--receipt", later, status=1)
    assert "is not a receipt" in refused("audit", ID, "--receipt", "mine")
    assert "There is no file" in refused("audit", ID, "--receipt", "@none.txt")


def test_exports_are_verified_without_a_ledger(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("export", ID, "-o", "game.jsonl")
    run("export", RUNNING_ID, "--as", "ann", "-o", "ann.jsonl")
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    assert run("verify", "game.jsonl", "ann.jsonl").stdout.count("untouched  yes") == 2
    assert run("audit", "game.jsonl").stdout.count("legal      yes") == 1
    text = Path("game.jsonl").read_text(encoding="utf-8").replace("ann", "amy")
    Path("game.jsonl").write_text(text, encoding="utf-8")
    assert "untouched  no at record 1" in run("verify", "game.jsonl", status=1).stdout


# -- export, import --------------------------------------------------------------------------------------------------


def test_games_go_out_and_come_back(place: Path) -> None:
    run("export", "--all", "--operator", "-o", "all.jsonl")
    taken = run("import", "all.jsonl", "--ledger", "sqlite:///other.db")
    assert taken.stdout == f"2 games with {len(GAME) + len(RUNNING)} records: 2 new, 0 were there already.\n"
    again = objects(run("import", "all.jsonl", "--ledger", "sqlite:///other.db", "--json"))
    assert [game["new"] for game in again] == [False, False]
    run("export", ID, "-o", "one.jsonl")
    told = run("import", "one.jsonl", "--ledger", "sqlite:///other.db").stdout
    assert told == f"1 game with {len(GAME)} records: 0 new, 1 was there already.\n"
    out = run("export", "--all", "--operator", "--ledger", "sqlite:///other.db")
    assert out.stdout_bytes == Path("all.jsonl").read_bytes()


def test_what_is_not_exported_or_imported(place: Path) -> None:
    assert "Give the id of a game, or --all" in refused("export")
    assert "Give the id of a game, or --all" in refused("export", ID, "--all")
    assert "does not go with" in refused("export", ID, "--as", "ann", "--operator")
    assert "does not sit at this table" in refused("export", ID, "--as", "zoe")
    assert refused("export", uuid4()).startswith("unknown_game")
    run("export", RUNNING_ID, "-o", "seen.jsonl")
    assert refused("import", "seen.jsonl", "--ledger", "sqlite:///other.db").startswith("import_refused")
    assert "There is no file none.jsonl" in refused("import", "none.jsonl")
    assert "is a folder" in refused("import", ".")
    assert refused("import", "games.db").startswith("not_an_export")
    assert "cannot be used" in refused("export", ID, "-o", "no/such/folder.jsonl")


# -- branch ----------------------------------------------------------------------------------------------------------


def test_a_branch_is_opened(place: Path) -> None:
    version = batch_ends(GAME)[4]
    (told,) = objects(run("branch", ID, version, "--as", "zoe", "--command-id", "b1", "--json"))
    assert run("branch", ID, version, "--as", "zoe", "--command-id", "b1").stdout.startswith(str(told["game"]))
    assert "branch" in run("replay", told["game"]).stdout
    assert run("audit").exit_code == 0
    assert refused("branch", RUNNING_ID, 9).startswith("still_running")
    assert refused("branch", ID, len(GAME)).startswith("at_the_end")


# -- checkpoints -----------------------------------------------------------------------------------------------------


def test_checkpoints_and_proofs(place: Path) -> None:
    run("checkpoint", "keygen", "auditor")
    assert "exists already" in refused("checkpoint", "keygen", "auditor")
    assert Path("auditor.key").stat().st_mode & 0o077 == 0
    run("checkpoint", "make", "--key", "auditor.key", "-o", "old.json")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        receipt = fairdeal.start_game("pardon", ["ann", "bob"]).receipt
    run("checkpoint", "make", "--key", "auditor.key", "-o", "new.json")
    run("checkpoint", "prove", "--checkpoint", "new.json", "--receipt", receipt, "-o", "in.json")
    run("checkpoint", "prove", "--checkpoint", "new.json", "--since", "old.json", "-o", "since.json")
    assert "not in the checkpoint" in run(
        "checkpoint", "prove", "--checkpoint", "old.json", "--receipt", receipt, status=1
    ).stderr  # fmt: skip
    files = ("old.json", "new.json", "in.json", "since.json")
    assert run("verify", *files, "--key", "auditor.pub").stdout.count("  yes: ") == 4
    assert all(found["good"] for found in objects(run("verify", *files, "--key", "auditor.pub", "--json")))
    assert "the ledger still holds" in run("audit", "--checkpoint", "old.json", "--key", "auditor.pub").stdout
    run("checkpoint", "keygen", "other")
    assert "not signed by this key" in run("verify", "in.json", "--key", "other.pub", status=1).stdout
    run("audit", "--checkpoint", "old.json", "--key", "other.pub", "--json", status=1)
    forged = Path("in.json").read_text(encoding="utf-8").replace(f'"version": {receipt.version}', '"version": 3')
    Path("in.json").write_text(forged, encoding="utf-8")
    assert "does not lead to the root" in run("verify", "in.json", "--key", "auditor.pub", status=1).stdout
    assert "Give the public key" in refused("verify", "new.json")
    assert "There is no file 00" in refused("verify", "new.json", "--key", "00")
    assert refused("verify", "new.json", "--key", "x" * 64).startswith("bad_key")
    assert "a secret key" in refused("verify", "new.json", "--key", "auditor.key")
    assert "is the newer one" in refused(
        "checkpoint", "prove", "--checkpoint", "old.json", "--since", "new.json"
    )  # fmt: skip
    assert "not overwritten" in refused("checkpoint", "make", "--key", "auditor.key", "-o", "old.json")
    assert "whose signature was not checked" in run("audit", "--checkpoint", "old.json").stdout
    assert "a proof, not a checkpoint" in refused("audit", "--checkpoint", "since.json")
    assert "Give --receipt, or --since" in refused("checkpoint", "prove", "--checkpoint", "new.json")
    assert refused("verify", "auditor.key").startswith("not_a_proof")


def test_a_rewritten_ledger_is_found_against_a_kept_checkpoint(place: Path) -> None:
    run("checkpoint", "keygen", "auditor")
    run("checkpoint", "make", "--key", "auditor.key", "-o", "kept.json")
    with sqlite3.connect("games.db") as database:
        database.execute("DELETE FROM stored_events WHERE originator_id=?", (RUNNING[0].game_id.hex,))
    database.close()
    assert run("audit").exit_code == 0, "nobody misses a game that is gone as a whole"
    assert "its end was cut off" in run("audit", "--checkpoint", "kept.json", status=1).stdout


# -- reviiyot --------------------------------------------------------------------------------------------------------


def test_reviiyot_prints_the_very_bytes(place: Path) -> None:
    assert run("reviiyot", SPECS / "cases" / "001.cfg").stdout_bytes == (SPECS / "cases" / "001.out").read_bytes()
    run("reviiyot", SPECS / "endless" / "E01.cfg", status=3)
    assert "line 3" in run("reviiyot", SPECS / "invalid" / "I03.cfg", status=2).stderr
    assert "Give a configuration file" in refused("reviiyot")


def test_a_stored_game_of_reviiyot_prints_the_same_again_from_its_log(place: Path) -> None:
    config = SPECS / "cases" / "001.cfg"
    expected = config.with_suffix(".out").read_bytes()
    ledger = ("--ledger", "sqlite:///games.db")
    played = run("reviiyot", config, *ledger)
    assert played.stdout_bytes == expected
    game = played.stderr.rsplit(" ", 1)[1].strip()
    lines = config.read_text(encoding="utf-8").splitlines()
    verbal = next(line for line in lines if line and not line.startswith("#")) == "1"
    again = run("reviiyot", "--game", game, *ledger, *(["--verbal"] if verbal else []))
    assert again.stdout_bytes == expected
    (report,) = objects(run("audit", game, "--json"))
    assert report["fair"]["grade"] == "given_deck"
    assert "is a game of kings_corners" in refused("reviiyot", "--game", ID, *ledger)


# -- the outside of it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [("audit",), ("games",), ("replay", ID), ("export", ID), ("branch", ID, 5), ("checkpoint", "make", "--key", "x")],
)
def test_a_ledger_that_is_not_there_is_never_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x").write_text("", encoding="utf-8")
    assert "There is no ledger none.db" in refused(*arguments, "--ledger", "sqlite:///none.db")
    assert not Path("none.db").exists()


def test_a_file_that_is_not_a_database_is_a_sentence(place: Path) -> None:
    Path("poem.db").write_text("Roses are red, violets are blue, this is not a database\n" * 99, encoding="utf-8")
    assert refused("audit", "--ledger", "sqlite:///poem.db").startswith("not_a_ledger")
    assert refused("audit", "--ledger", "mysql://x").startswith("ledger_error")


def test_nothing_to_audit_is_a_sentence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    assert "What is to be audited?" in refused("audit")
    assert "Which ledger?" in refused("replay", ID)


COMMANDS = ["games", "branch", "replay", "diff", "audit", "verify", "export", "import", "reviiyot"]


@pytest.mark.parametrize(
    "command", [[name] for name in COMMANDS] + [["checkpoint", name] for name in ("make", "keygen", "prove")]
)
def test_every_command_says_what_its_exit_status_means(command: list[str]) -> None:
    assert "Exit status: 0" in " ".join(run(*command, "--help").stdout.split())


def subprocess_run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairdeal.infrastructure.cli.app", *arguments],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src"), **environment},
        capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip


def test_in_a_process_of_its_own(place: Path) -> None:
    done = subprocess_run("audit")
    assert (done.returncode, done.stderr) == (0, "")
    assert "all good" in done.stdout
    damage()
    assert subprocess_run("audit").returncode == 1
    failed = subprocess_run("replay", str(uuid4()))
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in subprocess_run("branch", ID, "x").stderr
