"""Clocks through the handlers: recorded times decide, the audit decides again, and nothing else reads a clock."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from freezegun import freeze_time

from fairdeal import (
    AbandonGame,
    ClaimTimeout,
    Fairdeal,
    InvalidCommand,
    JoinGame,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StartGame,
    VoidGame,
)
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.domain.kernel.game import TIMEKEEPER
from fairdeal.domain.kernel.lifecycle import GameForfeited, GameVoided, OnTimeout, SeatTimedOut, Spectators
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.testing.recorded import CODEC
from kits.audit import forged

END = {"move": "end_turn"}
MINUTE = {"move_seconds": 60}
NOON = "2026-01-01 12:00:00"


def table(fairdeal: Fairdeal, *players: str, kind: str = "kings_corners", seals: bool = False, **more: Any) -> UUID:
    game = fairdeal.handle(OpenGame(player="host", kind=kind, **more)).game_id
    for player in players or ("ann", "bob"):
        seal = hashlib.sha256(entropy_of(player)).hexdigest() if seals else None
        fairdeal.handle(JoinGame(game_id=game, player=player, seal=seal))
    fairdeal.handle(StartGame(game_id=game, player="host"))
    return game


def entropy_of(player: str) -> bytes:
    return player.encode().ljust(16, b"!")


def claim(fairdeal: Fairdeal, game: UUID, seat: int, player: str = "bob", **more: Any) -> tuple[Any, ...]:
    return fairdeal.handle(ClaimTimeout(game_id=game, player=player, seat=seat, **more)).events


def code_of(fairdeal: Fairdeal, command: Any) -> str:
    with pytest.raises(FairdealError) as refused:
        fairdeal.handle(command)
    return refused.value.code


def must_be_good(fairdeal: Fairdeal, game: UUID) -> None:
    report = fairdeal.audit(game)
    assert (report.untouched.grade, report.legal.grade) == (Grade.YES, Grade.YES), report


def test_a_look_shows_the_clock_and_the_deadlines(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, clock={"move_seconds": 60, "bank_seconds": 30, "on_timeout": "forfeit"})
        clock = fairdeal.look(game).clock
        assert clock is not None
        assert (clock.move_seconds, clock.bank_seconds, clock.on_timeout) == (60, 30, OnTimeout.FORFEIT)
        noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        assert [(one.seat, one.at) for one in clock.deadlines] == [(0, noon + timedelta(seconds=90))]
        time.tick(70)
        fairdeal.move(game, "ann", END)
        fairdeal.move(game, "bob", END)
        clock = fairdeal.look(game).clock
        assert clock is not None
        assert [one.at for one in clock.deadlines] == [noon + timedelta(seconds=70 + 60 + 20)]
    assert fairdeal.look(table(fairdeal)).clock is None


def test_a_claim_comes_too_early_and_then_holds_and_is_decided_again_by_the_audit(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, clock=MINUTE)
        time.tick(61)
        assert code_of(fairdeal, ClaimTimeout(game_id=game, player="bob", seat=0)) == "too_early"
        time.tick(1)
        assert claim(fairdeal, game, 0)[0] == SeatTimedOut(0)
        fairdeal.move(game, "bob", END)
        time.tick(62)
        assert claim(fairdeal, game, 0, TIMEKEEPER)[0] == SeatTimedOut(0)
        fairdeal.move(game, "bob", END)
        time.tick(62)
        assert claim(fairdeal, game, 0) == (SeatTimedOut(0), GameForfeited((0,), "timeout"))
    look = fairdeal.look(game)
    assert (look.phase, look.rated) == (Phase.FINISHED, True)
    must_be_good(fairdeal, game)


def test_a_claim_that_the_recorded_times_do_not_bear_out_is_found(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, clock=MINUTE)
        time.tick(62)
        claim(fairdeal, game, 0)
    records = fairdeal.ledger.records(game)
    version = next(record.version for record in records if "seat_timed_out" in record.name)
    assert audit(records, CODEC).legal.grade is Grade.YES
    report = audit(forged(records, version, lambda payload: payload.update(at="2026-01-01T12:01:00.000000Z")), CODEC)
    assert (report.untouched.grade, report.legal.grade) == (Grade.YES, Grade.NO)
    assert report.legal.record == version
    assert "too_early" in report.legal.why


def test_a_clock_that_is_set_back_stands_still(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, clock=MINUTE)
        time.move_to("2026-01-01 11:00:00")
        fairdeal.move(game, "ann", END)
        time.move_to("2026-01-01 12:01:01")
        assert code_of(fairdeal, ClaimTimeout(game_id=game, player="ann", seat=1)) == "too_early"
        time.move_to("2026-01-01 12:01:02")
        claim(fairdeal, game, 1, "ann")
    must_be_good(fairdeal, game)


def test_another_process_knows_the_same_deadlines(fairdeal: Fairdeal, tmp_path: Path) -> None:
    with freeze_time(NOON) as time, Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as other:
        game = table(fairdeal, "ann", "bob", "cleo", kind="pardon", clock={"move_seconds": 60, "bank_seconds": 9})
        assert other.look(game).clock == fairdeal.look(game).clock
        for player in ("bob", "ann", "cleo"):
            time.tick(20)
            fairdeal.move(game, player, fairdeal.look(game, player).legal[0])
            assert other.look(game).clock == fairdeal.look(game).clock
        with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as late:
            assert late.look(game).clock == fairdeal.look(game).clock
        time.tick(90)
        claim(other, game, fairdeal.look(game).active[0], "ann")
        assert other.look(game).clock == fairdeal.look(game).clock
    must_be_good(fairdeal, game)


def test_a_claim_that_is_sent_twice_is_one_claim(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, clock=MINUTE)
        time.tick(62)
        first = claim(fairdeal, game, 0, command_id="late")
        time.tick(62)
        assert claim(fairdeal, game, 0, command_id="late") == first


def test_entropy_that_is_withheld_wins_nothing(fairdeal: Fairdeal) -> None:
    with freeze_time(NOON) as time:
        game = table(fairdeal, seals=True, clock=MINUTE)
        fairdeal.handle(RevealEntropy(game_id=game, player="ann", entropy=entropy_of("ann").hex()))
        time.tick(62)
        assert claim(fairdeal, game, 1, "ann") == (GameVoided((1,), None, "timeout"),)
    look = fairdeal.look(game)
    assert (look.phase, look.rated, look.outcome is not None) == (Phase.VOID, False, True)
    assert look.seed is not None
    must_be_good(fairdeal, game)
    assert fairdeal.story(game)[-1] == "The game is void because of bob (timeout)."
    assert fairdeal.read.ratings("kings_corners").items == ()


def test_a_table_that_is_broken_off_before_the_deal_is_void_and_names_who_did_it(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, seals=True)
    answer = fairdeal.handle(AbandonGame(game_id=game, player="host", reason="bad cards"))
    assert answer.events == (GameVoided((), "host", "bad cards"),)
    must_be_good(fairdeal, game)


def test_the_operator_ends_a_game_and_everybody_sees_why(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as unattended:
        game = table(unattended)
        ending = VoidGame(game_id=game, player="the operator", reason="power cut")
        assert code_of(unattended, ending) == "not_allowed"
    with Fairdeal(address, operators=["the operator", "ann"]) as fairdeal:
        _the_operator_ends(fairdeal, game)


def _the_operator_ends(fairdeal: Fairdeal, game: UUID) -> None:
    assert code_of(fairdeal, VoidGame(game_id=game, player="ann", reason="I lose")) == "not_allowed"
    assert code_of(fairdeal, VoidGame(game_id=game, player="somebody", reason="I lose")) == "not_allowed"
    fairdeal.handle(VoidGame(game_id=game, player="the operator", reason="power cut"))
    assert fairdeal.story(game)[-1] == "The game is void (power cut)."
    (shown,) = fairdeal.read.games(phase="void").items
    assert (shown.id, shown.rated, shown.winners, shown.reason) == (game, False, (), "power cut")
    must_be_good(fairdeal, game)


# -- what is agreed when a table is opened ---------------------------------------------------------------------------


def test_the_terms_of_a_table_are_recorded_and_shown(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, rated=False, spectators="unlisted")
    look = fairdeal.look(game)
    assert (look.rated, look.spectators, look.opener) == (False, Spectators.UNLISTED, "host")
    must_be_good(fairdeal, game)
    usual = fairdeal.look(table(fairdeal, "ann", "bob", "cleo"))
    assert (usual.rated, usual.spectators) == (True, Spectators.OPEN)


def test_a_table_is_rated_only_if_everybody_took_their_own_seat(fairdeal: Fairdeal) -> None:
    seated_by_ann = fairdeal.handle(QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"))).game_id
    assert not fairdeal.look(seated_by_ann).rated
    for player in ("ann", "bob"):
        fairdeal.handle(AbandonGame(game_id=table(fairdeal, command_id=player), player="bob"))
    fairdeal.handle(AbandonGame(game_id=seated_by_ann, player="ann"))
    assert [(one.player, one.games) for one in fairdeal.read.ratings("kings_corners").items] == [("ann", 2), ("bob", 2)]


@pytest.mark.parametrize(
    "more",
    [
        {"clock": 60},
        {"clock": {}},
        {"clock": {"move_seconds": "60"}},
        {"clock": {"move_seconds": 60, "tick": True}},
        {"clock": {"move_seconds": 60, "on_timeout": "explode"}},
    ],
)
def test_a_clock_that_cannot_be_read_is_refused(fairdeal: Fairdeal, more: dict[str, Any]) -> None:
    with pytest.raises(InvalidCommand):
        fairdeal.handle(OpenGame(player="ann", kind="kings_corners", **more))


def test_a_clock_that_cannot_be_kept_is_refused(fairdeal: Fairdeal) -> None:
    assert code_of(fairdeal, OpenGame(player="ann", kind="kings_corners", clock={"move_seconds": 0})) == "bad_clock"


def test_time_goes_on_while_the_handlers_try_again(fairdeal: Fairdeal, tmp_path: Path) -> None:
    with freeze_time(NOON) as time, Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as other:
        game = table(fairdeal, clock=MINUTE)
        assert _behind(other, game) == 0
        time.tick(62)
        fairdeal.move(game, "ann", END)
        # The other process still believes that ann is late; what it decides counts only against the ledger.
        assert code_of(other, ClaimTimeout(game_id=game, player="bob", seat=0)) == "too_early"
    must_be_good(fairdeal, game)


def _behind(fairdeal: Fairdeal, game: UUID) -> int:
    return fairdeal.look(game).active[0]
