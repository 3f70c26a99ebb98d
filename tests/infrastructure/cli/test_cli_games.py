"""`fairdeal games` from wherever its answer comes: at a glance, from read models, from the records; always the same."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli import game_list
from fairdeal.infrastructure.cli import read_models as cli_read_models
from fairdeal.infrastructure.cli.commands import games as games_command
from fairdeal.infrastructure.readmodels import glance as glance_module
from fairdeal.infrastructure.readmodels.projections.games import Games
from fairdeal.infrastructure.readmodels.stamps import GAMES_VERSION, HEAD
from fairdeal.testing.recorded import recorded_game
from kits.cli import ID, RUNNING_ID, objects, prepared, run

LEDGER, TABLES = "sqlite:///games.db", "games.read.db"
QUESTIONS: Sequence[Sequence[str]] = (
    (),
    ("--kind", "pardon"),
    ("--phase", "finished"),
    ("--player", "bob"),
    ("--player", "nobody"),
    ("--turn-of", "ann"),
    ("--since", "2026-01-01"),
    ("--since", "2026-02-01"),
    ("--until", "2026-01-01T00:00:00+00:00"),
    ("--kind", "pardon", "--phase", "running", "--player", "ann"),
    ("--limit", "1"),
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def keep_read_models() -> None:
    with Fairdeal(LEDGER) as fairdeal:
        fairdeal.read.catch_up()


def nothing(*_: object) -> None:
    """No glance is possible."""


def change(statement: str, *values: object) -> None:
    with closing(sqlite3.connect(TABLES)) as database:
        database.execute(statement, values)
        database.commit()


def answers() -> list[list[dict[str, Any]]]:
    return [objects(run("games", "--json", *more)) for more in QUESTIONS]


def test_it_is_the_same_answer_from_a_glance_from_read_models_and_from_the_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from_records = answers()
    keep_read_models()
    with monkeypatch.context() as changed:
        changed.setattr(game_list, "listed", None)  # it would be an error to ask there
        at_a_glance = answers()
    monkeypatch.setattr(games_command, "glance", nothing)
    monkeypatch.setattr(game_list, "described", None)
    assert answers() == at_a_glance
    # Both games were opened in the same microsecond, and records tell no order then.
    assert [sorted(map(str, one)) for one in at_a_glance[:-1]] == [sorted(map(str, one)) for one in from_records[:-1]]


def test_what_happened_since_is_listed_too() -> None:
    keep_read_models()
    with Fairdeal(LEDGER) as fairdeal:
        fairdeal.ledger.append(recorded_game(KINDS["red7"]))
    assert [told["kind"] for told in objects(run("games", "--json"))].count("red7") == 1


@pytest.mark.parametrize("wrong", ["players = 'no JSON'", "opened_at = 'no time'", "id = 'no id'"])
@pytest.mark.parametrize("is_quick", [True, False])
def test_read_models_that_fail_halfway_list_no_game_twice_and_none_too_few(
    wrong: str, is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_read_models()
    oldest = "(SELECT min(opened) FROM fairdeal_games)"
    change(f"UPDATE fairdeal_games SET {wrong} WHERE opened = {oldest}")
    monkeypatch.setattr(game_list, "PAGE", 1)
    if not is_quick:
        monkeypatch.setattr(games_command, "glance", nothing)
    result = run("games", "--json")
    assert sorted(told["game"] for told in objects(result)) == sorted([ID, RUNNING_ID])
    assert "fairdeal projections rebuild" in result.stderr


def test_a_ledger_that_was_set_back_is_called_so_and_its_games_are_listed(tmp_path: Path) -> None:
    run("backup", "before.db")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        later = str(fairdeal.start_game("red7", ["ann", "bob"]).game_id)
    keep_read_models()
    (tmp_path / "before.db").replace(tmp_path / "games.db")
    listed = run("games")
    assert "was set back to an earlier state" in listed.stderr
    assert "damaged" not in listed.stderr
    assert ID in listed.stdout
    assert later not in listed.stdout
    assert run("games").stderr == ""


def test_tables_of_another_release_are_not_glanced_at() -> None:
    keep_read_models()
    assert Games().version == GAMES_VERSION
    wanted = glance_module.Wanted()
    found = glance_module.glance(Path("games.db"), Path(TABLES), wanted)
    assert found is not None
    assert len(list(found)) == 2
    for statement in (
        "UPDATE fairdeal_schema SET version_num = '9999'",
        "UPDATE fairdeal_positions SET version = 9",
        "UPDATE fairdeal_positions SET position = position - 1",
        "DROP TABLE fairdeal_positions",
    ):
        change(statement)
        assert glance_module.glance(Path("games.db"), Path(TABLES), wanted) is None
        change("UPDATE fairdeal_schema SET version_num = ?", HEAD)


def test_a_page_of_a_large_ledger_loads_neither_a_game_nor_sqlalchemy(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_read_models()
    monkeypatch.setattr(cli_read_models, "SMALL", 1)
    with monkeypatch.context() as changed:
        changed.setattr(game_list, "listed", None)
        assert len(objects(run("games", "--json", "--limit", "1"))) == 1
