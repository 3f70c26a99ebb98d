"""The command line in tests: a folder with a ledger of two games, and what a command says to people and programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import recorded_game

GAME = recorded_game(KINDS["kings_corners"])
RUNNING = recorded_game(KINDS["pardon"], most=40)
ID, RUNNING_ID = str(GAME[0].game_id), str(RUNNING[0].game_id)


def prepared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ledger of two games, one over and one still running."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FAIRDEAL_LEDGER", "sqlite:///games.db")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "home"))
    with Fairdeal("sqlite:///games.db") as fairdeal:
        fairdeal.ledger.append(GAME)
        fairdeal.ledger.append(RUNNING)
    return folder


def run(*arguments: object, status: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)
    assert result.exit_code == status, (result.output, result.exception)
    return result


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*arguments: object) -> str:
    """The one sentence of what cannot be done."""
    result = run(*arguments, status=2)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr.strip()
