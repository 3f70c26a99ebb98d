"""Tables that end between the closing of their seats and the deal, and seals that are used twice: they are counted."""

from collections.abc import Iterator
from hashlib import sha256
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Fairdeal, JoinGame, LeaveGame, OpenGame, RevealEntropy, StartGame
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade, Report
from fairdeal.testing.recorded import CODEC
from kits.audit import golden
from kits.sealing import closed, dealt, entropy


@pytest.fixture
def fairdeal() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as fairdeal:
        yield fairdeal


def of_ledger(fairdeal: Fairdeal, game: UUID) -> Report:
    return next(report for report in fairdeal.audit_all() if report.game_id == game)


def test_a_game_that_was_dealt_is_told_with_the_tables_that_were_not(fairdeal: Fairdeal) -> None:
    for number in range(36):
        fairdeal.handle(AbandonGame(game_id=closed(fairdeal, number + 1), player="host", reason="bad cards"))
    suits = dealt(fairdeal)
    fair = of_ledger(fairdeal, suits).fair
    assert (fair.grade, fair.why) == (
        Grade.SEALED,
        "sealed by ann, bob; 36 tables of this opener were broken off before their deal",
    )
    assert fairdeal.audit(suits).fair.why == "sealed by ann, bob"


def test_tables_of_others_and_those_that_were_dealt_or_never_closed_do_not_count(fairdeal: Fairdeal) -> None:
    fairdeal.handle(AbandonGame(game_id=closed(fairdeal, 1, opener="somebody else"), player="somebody else"))
    fairdeal.handle(AbandonGame(game_id=fairdeal.handle(OpenGame(player="host", kind="red7")).game_id, player="host"))
    dealt(fairdeal, 2)
    assert of_ledger(fairdeal, dealt(fairdeal)).fair.why == "sealed by ann, bob"


def test_one_table_is_told_as_one(fairdeal: Fairdeal) -> None:
    fairdeal.handle(LeaveGame(game_id=closed(fairdeal, 1), player="ann"))
    why = of_ledger(fairdeal, dealt(fairdeal)).fair.why
    assert why == "sealed by ann, bob; 1 table of this opener was broken off before its deal"


def test_whoever_breaks_a_table_off_is_named_with_those_whose_seals_were_shut(fairdeal: Fairdeal) -> None:
    game = closed(fairdeal)
    fairdeal.handle(RevealEntropy(game_id=game, player="ann", entropy=entropy("ann").hex()))
    fairdeal.handle(AbandonGame(game_id=game, player="host", reason="bad cards"))
    report = fairdeal.audit(game)
    assert report.sealing is not None
    assert (report.sealing.opener, report.sealing.never_opened, report.sealing.broken_off_by) == (
        "host",
        ("bob",),
        "host",
    )
    why = "nothing was dealt: host broke the table off before the deal, with the seal of bob shut"
    assert (report.fair.grade, report.fair.why) == (Grade.NOT_CHECKED, why)


def test_whoever_lets_the_time_run_out_is_named() -> None:
    report = audit(golden("kings_corners-withheld"), CODEC)
    assert report.fair.why == "nothing was dealt: bob kept the seal shut"


def test_a_seal_that_was_used_at_another_table_is_told(fairdeal: Fairdeal) -> None:
    first, again = dealt(fairdeal, 1), dealt(fairdeal, 2, bob=1)
    for game in (first, again):
        why = of_ledger(fairdeal, game).fair.why
        assert why == "sealed by ann, bob; the seal of bob was used at another table, too"
    assert of_ledger(fairdeal, dealt(fairdeal, 3)).fair.why == "sealed by ann, bob"


def test_whoever_stands_up_and_sits_down_again_with_the_same_seal_has_used_it_once(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle(OpenGame(player="host", kind="red7")).game_id
    seal = sha256(entropy("ann")).hexdigest()
    fairdeal.handle(JoinGame(game_id=game, player="ann", seal=seal))
    fairdeal.handle(LeaveGame(game_id=game, player="ann"))
    fairdeal.handle(JoinGame(game_id=game, player="ann", seal=seal))
    fairdeal.handle(JoinGame(game_id=game, player="bob"))
    fairdeal.handle(StartGame(game_id=game, player="host"))
    fairdeal.handle(RevealEntropy(game_id=game, player="ann", entropy=entropy("ann").hex()))
    fairdeal.handle(LeaveGame(game_id=game, player="bob"))
    assert of_ledger(fairdeal, game).fair.why == "sealed by ann"
