"""Every engine gives positions without leaving one out, so a position without a record is a finding of the audit."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import NO_GAME, Grade, Report
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli.app import app
from fairdeal.testing.recorded import recorded_game

LOGS = [recorded_game(KINDS["pardon"], number, most=30) for number in range(4)]
FIRSTS = [1 + sum(len(log) for log in LOGS[:number]) for number in range(4)]
"""Where each game begins."""


class Ledger:
    """Four games, and what its owner does to it."""

    def __init__(self, address: str, path: Path | None) -> None:
        self.address = address
        self._path = path
        with Fairdeal(address) as fairdeal:
            for log in LOGS:
                fairdeal.ledger.append(log)

    def execute(self, sql: str) -> None:
        """Positions are called `rowid` on SQLite, which is the only difference here."""
        if self._path is not None:
            with closing(sqlite3.connect(self._path, isolation_level=None)) as database:
                database.execute(sql)
            return
        with psycopg.connect(self.address, autocommit=True) as server:
            server.execute(sql.replace("rowid", "notification_id").replace("stored_events", "fairdeal_events").encode())

    def drop_game(self, number: int) -> None:
        self.execute(f"DELETE FROM stored_events WHERE originator_id='{self._id(number)}'")

    def damage_game(self, number: int) -> None:
        self.execute(
            "UPDATE stored_events SET topic='pardon.card_flown.v1' "
            f"WHERE originator_version=2 AND originator_id='{self._id(number)}'"
        )

    def _id(self, number: int) -> str:
        game_id = LOGS[number][0].game_id
        return game_id.hex if self._path is not None else str(game_id)

    def bad(self, jobs: int = 1) -> list[Report]:
        with Fairdeal(self.address) as fairdeal:
            return [report for report in fairdeal.audit_all(jobs=jobs) if not report.good]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Ledger:
    if request.param == "sqlite":
        return Ledger(f"sqlite:///{tmp_path / 'games.db'}", tmp_path / "games.db")
    return Ledger(request.getfixturevalue("postgres"), None)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_game_that_was_deleted_whole_leaves_positions_of_which_the_ledger_tells(
    ledger: Ledger, number: int, jobs: int
) -> None:
    assert ledger.bad(jobs) == []
    ledger.drop_game(number)
    (report,) = ledger.bad(jobs)
    first, count = FIRSTS[number], len(LOGS[number])
    assert (report.game_id, report.is_of_ledger, report.missing_position) == (NO_GAME, True, first)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, None)
    assert report.untouched.why == f"the ledger holds no record at position {first}, and at {count - 1} more"


def test_the_end_of_a_game_that_is_gone_is_seen_where_something_was_stored_after_it(ledger: Ledger) -> None:
    ledger.execute(f"DELETE FROM stored_events WHERE rowid={FIRSTS[1] - 1}")
    (report,) = ledger.bad()
    assert report.missing_position == FIRSTS[1] - 1
    assert report.untouched.why.endswith(f"the ledger holds no record at position {FIRSTS[1] - 1}")


def test_several_deleted_games_are_told_in_one_report(ledger: Ledger) -> None:
    for number in (0, 2):
        ledger.drop_game(number)
    (report,) = ledger.bad()
    assert report.missing_position == 1
    assert report.untouched.why.endswith(f"position 1, and at {len(LOGS[0]) + len(LOGS[2]) - 1} more")


def test_what_is_missing_is_not_hidden_by_a_touched_game(ledger: Ledger) -> None:
    ledger.drop_game(1)
    ledger.damage_game(3)
    (report,) = ledger.bad()
    assert (report.game_id, report.is_of_ledger) == (LOGS[3][0].game_id, False)
    assert report.untouched.record == 2
    assert report.untouched.why.endswith(
        f"; the ledger holds no record at position {FIRSTS[1]}, and at {len(LOGS[1]) - 1} more"
    )
    assert report.missing_position == FIRSTS[1]


def test_rows_that_were_shifted_leave_positions_too(ledger: Ledger) -> None:
    ledger.execute(f"UPDATE stored_events SET rowid=rowid+5000 WHERE rowid>={FIRSTS[2]}")
    (report,) = ledger.bad()
    assert report.untouched.why == f"the ledger holds no record at position {FIRSTS[2]}, and at 4999 more"


def test_a_ledger_that_was_set_back_and_goes_on_has_no_gap(ledger: Ledger) -> None:
    ledger.execute(f"DELETE FROM stored_events WHERE rowid>={FIRSTS[3]}")
    with Fairdeal(ledger.address) as fairdeal:
        assert fairdeal.ledger.head() == FIRSTS[3] - 1
        fairdeal.start_game("red7", ["ann", "bob"])
    assert ledger.bad() == []


def test_the_command_line_names_the_position_and_ends_with_the_status_of_a_damaged_ledger(ledger: Ledger) -> None:
    ledger.drop_game(1)
    left = f"3 games, {sum(map(len, LOGS)) - len(LOGS[1])} records"
    told = CliRunner().invoke(app, ["audit", "--ledger", ledger.address])
    assert told.exit_code == 1
    missing = f"the ledger holds no record at position {FIRSTS[1]}, and at {len(LOGS[1]) - 1} more"
    assert told.stdout.startswith(f"the ledger beside its games\n  untouched  no ({missing})\n")
    assert f"{left}: records are missing." in told.stdout
    plain = CliRunner().invoke(app, ["audit", "--ledger", ledger.address, "--json"])
    assert plain.exit_code == 1
    *games, last = [json.loads(line) for line in plain.stdout.splitlines()]
    assert all(game["good"] and "missing_position" not in game for game in games)
    assert (last["what"], last["game"], last["good"], last["missing_position"]) == ("ledger", None, False, FIRSTS[1])
    assert missing in last["untouched"]["why"]
    ledger.damage_game(3)
    told = CliRunner().invoke(app, ["audit", "--ledger", ledger.address])
    assert f"{left}: 1 bad, records are missing." in told.stdout
