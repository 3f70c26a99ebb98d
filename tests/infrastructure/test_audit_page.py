"""docs/audit.md tells the truth: its commands run, in the order in which they stand there."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit_kit import batch_ends
from fairdeal import Fairdeal, Receipt
from fairdeal.application.catalogue import GAMES
from fairdeal.application.verdicts import Grade
from fairdeal.infrastructure.cli.main import app
from fairdeal.testing.recorded import recorded_game
from verifier import VERIFIER

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
GAME = recorded_game(GAMES["kings_corners"])
RECEIPT = Receipt(GAME[0].game_id, len(GAME), GAME[-1].link.hex())
OTHER = recorded_game(GAMES["pardon"], most=40)


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
            assert VERIFIER.main(*arguments[1:]) == 0
            continue
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, (command, done.output)
        counted = [re.sub(r"\d+ records", "N records", line) for line in expected]
        shown = re.sub(r"\d+ records", "N records", done.stdout).splitlines()
        assert shown[: len(counted)] == counted, command


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Fairdeal("sqlite:///games.db") as fairdeal:
        fairdeal.ledger.append(GAME)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    block = block.replace("branch(game, 9,", f"branch(game, {batch_ends(GAME)[2]},")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "docs/audit.md", "exec"), {"game": GAME[0].game_id, "receipt": RECEIPT})
    assert "The game starts (shuffle)." in printed.getvalue()


def test_the_page_explains_every_grade() -> None:
    assert [grade for grade in Grade if f"`{grade.value.replace('_', ' ')}`" not in PAGE] == []


def test_every_command_of_the_page_is_there() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for command in {line.split()[1] for line, _ in examples() if line.startswith("fairdeal")}:
        assert command in shown
