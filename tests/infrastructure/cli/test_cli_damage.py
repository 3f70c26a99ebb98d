"""A SQLite ledger in which somebody wrote by hand: the audit finds it, and no command falls over it."""

import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal.infrastructure.cli.app import app
from kits.cli import GAME, ID, RUNNING, objects, prepared

MINE, OTHER = GAME[0].game_id.hex, RUNNING[0].game_id.hex
AT_50 = f"WHERE originator_id='{MINE}' AND originator_version=50"
AT_1 = f"WHERE originator_id='{MINE}' AND originator_version=1"
COLUMNS = "INSERT INTO stored_events (originator_id, originator_version, topic, state)"

DAMAGES = {
    "version 0": f"UPDATE stored_events SET originator_version=0 {AT_1}",
    "a version below all others": f"UPDATE stored_events SET originator_version=-5 {AT_50}",
    "a version above all others": f"UPDATE stored_events SET originator_version=9223372036854775807 {AT_50}",
    "a version that is text": f"UPDATE stored_events SET originator_version='abc' {AT_50}",
    "a version between two others": f"UPDATE stored_events SET originator_version=50.5 {AT_50}",
    "a record more, below all others": f"{COLUMNS} SELECT originator_id, -1, topic, state FROM stored_events {AT_50}",
    "a record more, above all others": f"{COLUMNS} SELECT originator_id, 'z', topic, state FROM stored_events {AT_50}",
    "a game of such a record alone": f"{COLUMNS} SELECT '{'0' * 32}', 0, topic, state FROM stored_events {AT_50}",
    "no name": f"UPDATE stored_events SET topic='' {AT_50}",
    "a name that is not a text": f"UPDATE stored_events SET topic=x'ff00' {AT_50}",
    "a first name that is not a text": f"UPDATE stored_events SET topic=x'ff' {AT_1}",
    "a first name that is a number": f"UPDATE stored_events SET topic=7 {AT_1}",
    "no payload": f"UPDATE stored_events SET state=x'' {AT_50}",
    "a first record without payload": f"UPDATE stored_events SET state=substr(state, 1, 32) {AT_1}",
    "a number for a payload": f"UPDATE stored_events SET state=5 {AT_1}",
    "a payload twice": f"UPDATE stored_events SET state=(SELECT state FROM stored_events {AT_50}) "
    f"WHERE originator_id='{MINE}' AND originator_version=51",
    "a record moved to another game": f"UPDATE stored_events SET originator_id='{OTHER}', "
    f"originator_version={len(RUNNING) + 1} {AT_50}",
    "a game without an id": f"UPDATE stored_events SET originator_id='' WHERE originator_id='{MINE}'",
    "half a game under its id in capitals": "UPDATE stored_events SET originator_id=upper(originator_id) "
    f"WHERE originator_id='{MINE}' AND originator_version>60",
    "a game whose id is not text": f"UPDATE stored_events SET originator_id=x'00' WHERE originator_id='{MINE}'",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_somebody_wrote_by_hand_is_found_and_stops_nothing_else(place: Path, damage: str) -> None:
    invoke("export", ID, "-o", "kept.jsonl")
    invoke("checkpoint", "keygen", "house")
    invoke("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    with sqlite3.connect("games.db") as database:
        assert database.execute(damage).rowcount > 0
    database.close()
    assert invoke("audit")[0] == 1
    status, out, err = invoke("audit", "--json")
    assert status == 1
    assert all(isinstance(json.loads(line), dict) for line in (out + err).splitlines())
    assert invoke("audit", "--checkpoint", "kept.json")[0] == 1
    for command in (
        ("games",), ("audit", ID), ("replay", ID), ("diff", ID, "kept.jsonl"), ("branch", ID, "20"),
        ("export", ID, "-o", "one.jsonl"), ("export", "--all", "-o", "all.jsonl"),
        ("checkpoint", "make", "--key", "house.key", "-o", "new.json"),
    ):  # fmt: skip
        status, _, err = invoke(*command)
        assert status in (0, 1, 2)
        assert err.count("\n") <= 1


def test_the_sample_is_good_before_anybody_writes_into_it(place: Path) -> None:
    assert objects(CliRunner().invoke(app, ["audit", "--json"]))[0]["good"]
