"""docs/audit.md tells the truth: its commands run, in the order in which they stand there."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal, Receipt
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.proofs import NoProof, NotAProof
from fairdeal.infrastructure.checkpoints.signing import BadKey
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import recorded_game
from kits.audit import batch_ends
from kits.verifier import VERIFIER

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "audit.md").read_text(encoding="utf-8")
PYTHON = (DOCS / "audit-in-python.md").read_text(encoding="utf-8")
GAME = recorded_game(KINDS["kings_corners"])
RECEIPT = Receipt(GAME[0].game_id, len(GAME), GAME[-1].link.hex())
OTHER = recorded_game(KINDS["pardon"], most=40)


def examples() -> list[tuple[str, list[str]]]:
    """Each command with the lines that it must print."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


def test_the_commands_of_the_page_run_as_they_stand_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Fairdeal("sqlite:///games.db") as fairdeal:
        fairdeal.ledger.append(GAME)
        fairdeal.ledger.append(OTHER)
    Path("receipts.txt").write_text(f"{RECEIPT}\n", encoding="utf-8")
    words = {"GAME": str(GAME[0].game_id), "RECEIPT": str(RECEIPT), "9": str(batch_ends(GAME)[2])}
    for command, expected in examples():
        program, *arguments = [words.get(word, word) for word in shlex.split(command)]
        if program == "python":
            assert arguments[:2] == ["-m", "fairdeal.verify"]
            assert VERIFIER.main(*arguments[2:]) == 0
            continue
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, (command, done.output)
        counted = [re.sub(r"\d+ records", "N records", line) for line in expected]
        shown = re.sub(r"\d+ records", "N records", done.stdout).splitlines()
        assert shown[: len(counted)] == counted, command


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in re.findall(r"```python\n(.*?)```", PYTHON, re.S):
            exec(compile(block, "docs/audit-in-python.md", "exec"), names)
    assert "ann opens the seal." in printed.getvalue()


def test_the_table_of_errors_knows_every_code_that_an_auditor_can_meet() -> None:
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", PYTHON, re.M))))
    files = {"not_an_export", "redacted_log", "touched_log", "import_refused", "game_differs"}
    assert told >= {"beyond_head", "not_yet", "still_running"} | files
    assert told >= {cls.code for cls in (NoProof, NotAProof, BadKey)}


def test_the_page_explains_every_grade() -> None:
    assert [grade for grade in Grade if f"`{grade.value.replace('_', ' ')}`" not in PAGE] == []


def test_every_command_of_the_page_is_there() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for command in {line.split()[1] for line, _ in examples() if line.startswith("fairdeal")}:
        assert command in shown
