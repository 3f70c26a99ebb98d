"""The command line in the hands of strangers: odd files, odd words, broken pipes, and nobody's cards shown."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairdeal import Fairdeal, InvalidCommand
from fairdeal.application.log.record import Receipt
from fairdeal.testing.recorded import CODEC, relinked
from kits.audit import batch_ends
from kits.cli import GAME, ID, RUNNING, RUNNING_ID, objects, prepared, refused, run

KEY = "00" * 32


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


# -- secrets ---------------------------------------------------------------------------------------------------------


def test_a_diff_shows_of_a_running_game_only_what_may_be_seen(place: Path) -> None:
    seed = CODEC.seed_of(RUNNING[0]).hex()
    run("export", RUNNING_ID, "--operator", "-o", "backup.jsonl")
    for one, other in ((ID, RUNNING_ID), (RUNNING_ID, ID), (ID, "backup.jsonl")):
        for more in ((), ("--json",), ("--as", "ann")):
            assert seed not in run("diff", one, other, *more, status=1).output
    assert CODEC.seed_of(GAME[0]).hex() in run("diff", ID, RUNNING_ID, status=1).stdout, "that game is over"


def test_a_diff_with_a_cut_log_tells_the_next_record_as_its_viewer_may_see_it(place: Path) -> None:
    cut = next(v for v in batch_ends(RUNNING) if v > 8 and b'"by":"bob"' in RUNNING[v].payload)
    with Fairdeal("sqlite:///cut.db") as fairdeal:
        fairdeal.ledger.append(RUNNING[:cut])
        Path("cut.jsonl").write_text(
            fairdeal.exports.export(RUNNING[0].game_id, operator=True), encoding="utf-8", newline="\n"
        )
    (found,) = objects(run("diff", "cut.jsonl", RUNNING_ID, "--json", status=1))
    found = found["parting"]
    assert (found["version"], found["one"], found["other"]["version"]) == (cut + 1, None, cut + 1)
    assert "payload" not in found["other"], "the command is its sender's business"
    (found,) = objects(run("diff", "cut.jsonl", RUNNING_ID, "--as", "bob", "--json", status=1))
    assert found["parting"]["other"]["payload"] == RUNNING[cut].payload.decode()
    assert "- the log has ended" in run("diff", "cut.jsonl", RUNNING_ID, status=1).stdout


def test_a_diff_still_finds_where_a_log_was_touched_that_cannot_be_followed(place: Path) -> None:
    run("export", ID, "-o", "kept.jsonl")
    with sqlite3.connect("games.db") as database:
        database.execute("UPDATE stored_events SET topic='x.y' WHERE originator_version=9")
    database.close()
    found = run("diff", "kept.jsonl", ID, status=1).stdout.splitlines()
    assert found[0] == "The logs part at record 9:"
    assert found[1].startswith(f"- {GAME[8].name} {{")
    assert found[2] == f"+ x.y {GAME[8].link.hex()}", "whether its game is over is not known"


# -- files and words -------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_a_text_is_a_sentence(place: Path) -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    for arguments in (
        ("audit", "--receipt", "@games.db"),
        ("verify", "kept.json", "--key", "games.db"),
        ("audit", "--checkpoint", "kept.json", "--key", "games.db"),
        ("checkpoint", "make", "--key", "games.db"),
    ):
        assert "is not a text" in refused(*arguments)


def test_an_empty_file_is_not_audited_as_if_it_were_good(place: Path) -> None:
    Path("empty.jsonl").touch()
    assert refused("audit", "empty.jsonl").startswith("not_an_export")
    assert refused("verify", "empty.jsonl").startswith("not_a")
    assert refused("replay", "empty.jsonl").startswith("not_an_export")


def test_a_file_of_a_later_format_is_called_that(place: Path) -> None:
    run("export", ID, "-o", "game.jsonl")
    text = Path("game.jsonl").read_text(encoding="utf-8")
    Path("later.jsonl").write_text(text.replace('{"fairdeal":1,', '{"fairdeal":2,', 1), encoding="utf-8", newline="\n")
    assert "a log of format 2" in refused("verify", "later.jsonl")


@pytest.mark.parametrize("arguments", [("--as", ""), ("--as", "x" * 201), ("--command-id", "")])
def test_a_branch_by_nobody_is_a_sentence(place: Path, arguments: tuple[str, ...]) -> None:
    assert refused("branch", ID, batch_ends(GAME)[4], *arguments).startswith("invalid_command")


def test_moments_at_the_ends_of_the_calendar(place: Path) -> None:
    for moment in ("0001-01-01T00:00:00+14:00", "0001-01-01"):
        (frame,) = objects(run("replay", ID, "--at", moment, "--json"))
        assert frame["version"] == 0
    assert "has not come yet" in refused("replay", ID, "--at", "9999-12-31T23:59:59-14:00")


def test_a_name_is_printed_as_it_is(place: Path) -> None:
    assert refused("replay", ID, "--as", ":bear: [red]x[/]").startswith("unknown_player: :bear: [red]x[/] does not sit")


def test_a_story_cannot_be_made_to_look_like_another(place: Path) -> None:
    with Fairdeal("sqlite:///games.db") as fairdeal:
        game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
        with pytest.raises(InvalidCommand, match="one line"):
            fairdeal.handle({"command": "leave_game", "player": "ann", "game_id": game, "reason": "bye\n"})
        # It may come from elsewhere, with links that fit.
        fairdeal.handle({"command": "leave_game", "player": "ann", "game_id": game, "reason": "bye!!!"})
        records = fairdeal.ledger.records(game)
    rows = [(record.name, record.payload.replace(b"bye!!!", b"bye\\n\\u001b[2J")) for record in records]
    with Fairdeal("sqlite:///forged.db") as other:
        other.ledger.append(relinked(CODEC.seed_of(records[0]), game, rows))
    for more in ((), ("--version", len(records))):
        told = run("replay", game, *more, "--ledger", "sqlite:///forged.db").stdout
        assert r"(bye\n\x1b[2J)" in told
        assert "\x1b" not in told


@pytest.mark.parametrize("receipt", [f"{ID}:5:zz", f"{ID}:0:{KEY}", f"{ID}:-1:{KEY}", f"{ID}:5:{KEY}0", f"x:5:{KEY}"])
def test_a_bad_receipt_is_not_a_sign_of_tampering(place: Path, receipt: str) -> None:
    assert "is not a receipt" in refused("audit", "--receipt", receipt)


def test_a_receipt_in_capitals_is_the_same_receipt(place: Path) -> None:
    receipt = str(Receipt(GAME[0].game_id, len(GAME), GAME[-1].link.hex()))
    assert "1 receipts" in run("audit", ID, "--receipt", receipt.upper()).stdout


def test_receipts_of_other_games_are_an_error(place: Path) -> None:
    other = Receipt(RUNNING[0].game_id, len(RUNNING), RUNNING[-1].link.hex())
    run("export", ID, "-o", "game.jsonl")
    for command in ("audit", "verify"):
        told = run(command, "game.jsonl", "--receipt", other, status=2).stderr
        assert "receipt_not_checked" in told
        assert json.loads(run(command, "game.jsonl", "--receipt", other, "--json", status=2).stderr)["error"] == (
            "receipt_not_checked"
        )
    assert "receipt_not_checked" not in run("audit", RUNNING_ID, "--receipt", other).stderr


@pytest.mark.parametrize("content", ["", "foreign"])
def test_a_command_that_reads_makes_no_ledger_of_another_database(place: Path, content: str) -> None:
    with sqlite3.connect("other.db") as database:
        if content:
            database.execute("CREATE TABLE foreign_affairs (note TEXT)")
    database.close()
    before = Path("other.db").read_bytes()
    assert refused("audit", "--ledger", "sqlite:///other.db").startswith("not_a_ledger")
    assert Path("other.db").read_bytes() == before


def test_an_export_that_fails_leaves_the_one_before(place: Path) -> None:
    run("export", "--all", "-o", "all.jsonl")
    kept = Path("all.jsonl").read_bytes()
    with sqlite3.connect("games.db") as database:
        database.execute("UPDATE stored_events SET topic='x.y' WHERE originator_version=9")
    database.close()
    assert "the link does not fit" in refused("export", "--all", "-o", "all.jsonl")
    assert Path("all.jsonl").read_bytes() == kept
    assert sorted(path.name for path in place.glob("all*")) == ["all.jsonl"]


# -- checkpoints -----------------------------------------------------------------------------------------------------


def test_keys_need_a_name_and_the_secret_one_signs(place: Path) -> None:
    assert "name for the keys" in refused("checkpoint", "keygen", ".")
    run("checkpoint", "keygen", "house")
    assert "is a public key" in refused("checkpoint", "make", "--key", "house.pub")


def test_a_proof_is_compared_with_what_one_kept(place: Path) -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "monday.json")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        mine = fairdeal.start_game("pardon", ["ann", "bob"]).receipt
        other = fairdeal.start_game("pardon", ["ann", "bob"]).receipt
    run("checkpoint", "make", "--key", "house.key", "-o", "tuesday.json")
    run("checkpoint", "prove", "--checkpoint", "tuesday.json", "--since", "monday.json", "-o", "since.json")
    run("checkpoint", "prove", "--checkpoint", "tuesday.json", "--receipt", mine, "-o", "mine.json")
    files = ("monday.json", "tuesday.json", "since.json", "mine.json")
    run("verify", *files, "--key", "house.pub", "--receipt", mine)
    assert "not among the given ones" in run("verify", *files[1:], "--key", "house.pub", status=1).stdout
    assert "no receipt was given" in run(
        "verify", "mine.json", "--key", "house.pub", "--receipt", other, status=2
    ).stdout  # fmt: skip
    found = objects(run("verify", "mine.json", "--key", "house.pub", "--receipt", other, "--json", status=2))
    assert [proof["good"] for proof in found] == [False]


def test_what_cannot_be_proved_is_not_written_where_a_proof_would_stand(place: Path) -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    asked = ("checkpoint", "prove", "--checkpoint", "kept.json", "--receipt")
    found = run(*asked, f"{ID}:5:{KEY}", status=1)
    assert (found.stdout, found.stderr.partition(":")[0]) == ("", "no_proof")
    assert "one receipt" in refused(*asked, "")


@pytest.mark.parametrize("change", [{"position": -1}, {"version": -1}, {"path": ["x"]}, {"game": "x"}])
def test_a_proof_written_by_hand_is_a_finding(place: Path, change: dict[str, Any]) -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    receipt = Receipt(GAME[0].game_id, len(GAME), GAME[-1].link.hex())
    run("checkpoint", "prove", "--checkpoint", "kept.json", "--receipt", receipt, "-o", "in.json")
    proof = json.loads(Path("in.json").read_text(encoding="utf-8"))
    Path("in.json").write_text(json.dumps({**proof, **change}), encoding="utf-8")
    assert "does not lead to the root" in run("verify", "in.json", "--key", "house.pub", status=1).stdout
    Path("deep.json").write_text('{"fairdeal":' + "[" * 9999, encoding="utf-8")
    assert refused("verify", "deep.json", "--key", "house.pub").startswith("not_a_proof")


# -- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("audit", "nothing"), "cannot_do"),
        (("audit", "--ledger", "sqlite:///none.db"), "cannot_do"),
        (("replay", ID, "--version", "9999"), "beyond_head"),
        (("diff", ID, "--from", "1", "--to", "9999"), "beyond_head"),
        (("branch", RUNNING_ID, "9"), "still_running"),
        (("import", "none.jsonl"), "cannot_do"),
        (("verify", "games.db"), "not_a_proof"),
        (("games", "--ledger", "mysql:"), "ledger_error"),
    ],
)
def test_for_programs_errors_are_json_too(place: Path, arguments: tuple[str, ...], code: str) -> None:
    result = run(*arguments, "--json", status=2)
    assert result.stdout == ""
    told = json.loads(result.stderr)
    assert told["error"] == code
    assert told["message"].endswith(".")


def test_rows_of_no_game_are_told_to_programs_as_json(place: Path) -> None:
    with sqlite3.connect("games.db") as database:
        database.execute("UPDATE stored_events SET originator_id='mine' WHERE originator_id=?", (GAME[0].game_id.hex,))
    database.close()
    assert json.loads(run("audit", "--json", status=1).stderr)["error"] == "tampered_ledger"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "fairdeal.infrastructure.cli.app", *arguments]


@pytest.fixture
def path_to_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3] / "src"))


def test_a_program_can_step_through_a_game(place: Path) -> None:
    stepped = run("replay", ID, "--step", "--version", 3, "--json", typed=f"n\n{'9' * 5000}\nb\nq\n")
    assert [frame["version"] for frame in objects(stepped)] == [3, 4, 3]
    assert [json.loads(line)["error"] for line in stepped.stderr.splitlines()] == ["cannot_do"]
    assert "not both" in refused("replay", ID, "--version", 3, "--at", "2026-01-01")
    (frame,) = objects(run("replay", ID, "--step", "--at", "2026-01-02", "--json", typed=""))
    assert frame["version"] == len(GAME)


@pytest.mark.usefixtures("path_to_source")
def test_json_stays_json_where_a_file_has_a_strange_name(place: Path) -> None:
    name = os.fsdecode(b"kept\xff.json")
    checkpoint = {"fairdeal": "checkpoint", "size": 1, "root": "", "position": 1, "at": "now", "signature": ""}
    Path(name).write_text(json.dumps(checkpoint), encoding="utf-8")
    done = subprocess.run(command("verify", name, "--key", KEY, "--json"), capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout.decode())["file"]) == (1, name)


@pytest.mark.usefixtures("path_to_source")
@pytest.mark.parametrize("arguments", [("replay", ID), ("export", "--all"), ("audit", "--json")])
def test_a_pipe_that_is_closed_early_is_not_a_finding(place: Path, arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(command(*arguments), stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.usefixtures("path_to_source")
def test_an_interrupt_is_status_130_and_no_traceback(place: Path) -> None:
    child = subprocess.Popen(
        command("replay", ID, "--step"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline().startswith(b"Version 0"), "by now it waits for a word"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate()
    assert child.returncode == 130
    assert b"Traceback" not in said
