"""The command line tells who was in the way of deals."""

from pathlib import Path

import pytest

from fairdeal import AbandonGame, Fairdeal, LeaveGame
from kits.cli import objects, run
from kits.sealing import closed, dealt

LEDGER = "sqlite:///tables.db"


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Somebody breaks two tables off and plays at the third; a player leaves the table of somebody else."""
    monkeypatch.chdir(tmp_path)
    with Fairdeal(LEDGER) as fairdeal:
        for number in (1, 2):
            fairdeal.handle(AbandonGame(game_id=closed(fairdeal, number), player="host", reason="bad cards"))
        fairdeal.handle(LeaveGame(game_id=closed(fairdeal, 3, opener="dan"), player="bob"))
        return str(dealt(fairdeal))


def test_the_audit_of_a_ledger_ends_with_the_tables_that_were_never_dealt() -> None:
    told = run("audit", "--ledger", LEDGER).stdout
    assert "Tables that ended after their seats were closed and before the deal:" in told
    counts = {line.rsplit(maxsplit=1)[0].strip(): line.rsplit(maxsplit=1)[1] for line in told.splitlines()[-6:]}
    assert counts == {
        "with the seal of ann shut": "3",
        "with the seal of bob shut": "3",
        "tables of host": "2",
        "broken off by host": "2",
        "tables of dan": "1",
        "broken off by bob": "1",
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_beside_the_verdict_stands_how_many_tables_of_the_opener_were_broken_off(ledger: str, jobs: int) -> None:
    reports = {report["game"]: report for report in objects(run("audit", "--ledger", LEDGER, "--json", "--jobs", jobs))}
    why = "sealed by ann, bob; 2 tables of this opener were broken off before their deal"
    assert reports[ledger]["fair"] == {"grade": "sealed", "why": why, "record": None}


def test_a_player_is_shown_with_what_they_have_to_do_with_undealt_tables() -> None:
    assert run("players", "host", "--ledger", LEDGER).stdout.splitlines()[:2] == [
        "host: 2 of 3 tables they opened ended before the deal.",
        "host: 2 broken off before the deal.",
    ]
    assert "bob: 3 ended before the deal with the seal shut." in run("players", "bob", "--ledger", LEDGER).stdout
