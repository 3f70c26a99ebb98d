"""Clocks: a seat's time runs while it has to act, and what becomes of it when it has run out."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.game import LONGEST_TIME, TIMEKEEPER, Game
from fairdeal.domain.kernel.lifecycle import (
    FIRST_HOUSE,
    GameForfeited,
    GameVoided,
    OnTimeout,
    Seat,
    SeatTimedOut,
    TableClock,
    Terms,
)
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.domain.kernel.refusals import FairdealError, GameOver, HouseRefusal, IllegalMove
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.events import TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN
from fairdeal.domain.pardon.events import FaceUpChosen
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.state import Pardon
from fairdeal.testing import changed
from fairdeal.testing.snapshot import snapshot
from positions.house import GAME_ID, HOST, SEED, opened, started

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = TableClock(60)
FORFEIT = TableClock(60, on_timeout=OnTimeout.FORFEIT)
BANK = TableClock(60, bank_seconds=30)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


class Clocked:
    """A game to which things happen at given seconds after noon."""

    def __init__(self, clock: TableClock, *players: str, rules: AnyRules = KINGS_CORNERS, seals: bool = False) -> None:
        options = next(iter(rules.setup.presets.values()))
        self.game = Game.open(GAME_ID, rules, HOST, options, SEED, terms=Terms(clock=clock))
        self.game.it_is(NOON)
        for player in players or ("Ann", "Bob"):
            self.game.join(player, seal=digest(player.encode()) if seals else None)
        self.game.start(HOST)
        self.game.collect_events()

    def move(self, seconds: float, player: str, move: Any = END_TURN) -> "Clocked":
        self.game.it_is(after(seconds), player)
        self.game.move(player, move)
        self.game.collect_events()
        return self

    def claim(self, seconds: float, seat: int, by: str = "Ann") -> list[Any]:
        self.game.it_is(after(seconds))
        self.game.claim_timeout(by, seat)
        return self.game.collect_events()

    def refused(self, seconds: float, seat: int, by: str = "Ann") -> Any:
        """Why a claim is refused; the game stays as it was."""
        before, self.game = self.game, self.game.copy()
        with pytest.raises(IllegalMove) as refusal:
            self.claim(seconds, seat, by)
        self.game = before
        return refusal.value.reason

    def deadlines(self) -> dict[int, float]:
        return {seat: (at - NOON).total_seconds() for seat, at in self.game.deadlines()}


# -- how time runs ---------------------------------------------------------------------------------------------------


def test_time_runs_from_the_moment_at_which_a_seat_has_to_act() -> None:
    table = Clocked(MINUTE)
    assert table.deadlines() == {0: 60}
    assert table.move(10, "Ann").deadlines() == {1: 70}
    assert table.move(65, "Bob").deadlines() == {0: 125}


def test_nobody_has_a_deadline_at_an_open_table_or_without_a_clock() -> None:
    game = Game.open(GAME_ID, KINGS_CORNERS, HOST, NoOptions(), SEED, terms=Terms(clock=MINUTE))
    assert game.deadlines() == ()
    game.it_is(NOON)
    assert game.deadlines() == ()
    plain = started()
    plain.it_is(NOON, "Ann")
    assert plain.deadlines() == ()


def test_the_bank_is_used_up_after_the_seconds_of_a_move_and_does_not_come_back() -> None:
    table = Clocked(BANK)
    assert table.deadlines() == {0: 90}
    table.move(80, "Ann").move(81, "Bob")
    assert table.deadlines() == {0: 81 + 60 + 10}
    table.move(81 + 1000, "Ann")
    assert table.move(1100, "Bob").deadlines() == {0: 1160}


def test_a_move_that_does_not_end_the_turn_starts_the_time_anew() -> None:
    table = Clocked(MINUTE)
    play = next(move for move in table.game.legal("Ann") if move != END_TURN)
    assert table.move(50, "Ann", play).deadlines() == {0: 110}


def test_what_others_do_never_renews_the_time_of_a_seat() -> None:
    table = Clocked(MINUTE, "Ann", "Bob", "Cem", rules=PARDON)
    assert table.deadlines() == {0: 60, 1: 60, 2: 60}
    table.move(30, "Bob", table.game.legal("Bob")[0])
    assert table.deadlines() == {0: 60, 2: 60}


def test_a_seal_has_to_be_opened_in_time_too() -> None:
    table = Clocked(MINUTE, seals=True)
    assert table.deadlines() == {0: 60, 1: 60}
    table.game.it_is(after(20), "Ann")
    table.game.reveal("Ann", b"Ann")
    assert table.deadlines() == {1: 60}
    table.game.it_is(after(30), "Bob")
    table.game.reveal("Bob", b"Bob")
    assert table.deadlines() == {0: 90}


def test_whoever_moves_out_of_turn_changes_no_clock() -> None:
    table = Clocked(MINUTE)
    with pytest.raises(IllegalMove):
        table.move(10, "Bob")
    assert table.deadlines() == {0: 60}


def test_a_late_move_counts_as_long_as_nobody_has_claimed() -> None:
    assert Clocked(FORFEIT).move(1000, "Ann").game.phase is Phase.RUNNING


def test_a_copy_has_clocks_of_its_own() -> None:
    table = Clocked(BANK).move(80, "Ann")
    before = snapshot(table.game.lobby.clocks)
    twin = table.game.copy()
    twin.it_is(after(300))
    twin.claim_timeout("Ann", 1)
    assert snapshot(table.game.lobby.clocks) == before
    table.game.it_is(after(90), "Bob")
    assert snapshot(table.game.lobby.clocks) != before
    assert twin.deadlines() != table.game.deadlines()


# -- claims ----------------------------------------------------------------------------------------------------------


def test_a_claim_holds_two_seconds_after_the_deadline_and_not_before() -> None:
    table = Clocked(MINUTE)
    assert table.refused(61.999999, 0) is HouseRefusal.TOO_EARLY
    assert table.claim(62, 0)[0] == SeatTimedOut(0)


@pytest.mark.parametrize("seat", [1, 2, 99])
def test_only_a_seat_that_has_to_act_can_be_late(seat: int) -> None:
    assert Clocked(MINUTE).refused(1000, seat) is HouseRefusal.TOO_EARLY


@pytest.mark.parametrize("by", ["Ann", "Bob", HOST, TIMEKEEPER])
def test_everybody_at_the_table_and_the_house_itself_may_claim(by: str) -> None:
    assert Clocked(MINUTE).claim(62, 0, by)[0] == SeatTimedOut(0)


def test_a_stranger_may_not_claim() -> None:
    assert Clocked(MINUTE).refused(62, 0, "Zoe") is HouseRefusal.NOT_ALLOWED


def test_nobody_can_be_called_as_the_house_calls_itself() -> None:
    for name in (TIMEKEEPER, "house:anything"):
        with pytest.raises(IllegalMove) as refused:
            opened().join(name)
        assert refused.value.reason is HouseRefusal.BAD_NAME
    first = Game.open(GAME_ID, KINGS_CORNERS, TIMEKEEPER, NoOptions(), SEED, terms=FIRST_HOUSE)
    assert first.lobby.opened.opener == TIMEKEEPER, "the first house rules knew no such names"


def test_there_is_nothing_to_claim_without_a_clock_or_after_the_end() -> None:
    with pytest.raises(IllegalMove) as refused:
        started().claim_timeout("Ann", 0)
    assert refused.value.reason is HouseRefusal.NO_CLOCK
    table = Clocked(FORFEIT)
    table.claim(62, 0)
    with pytest.raises(GameOver):
        table.claim(70, 1)


@pytest.mark.parametrize("clock", [TableClock(0), TableClock(-1), TableClock(60, -1), TableClock(LONGEST_TIME + 1)])
def test_a_clock_that_cannot_be_kept_is_refused(clock: TableClock) -> None:
    with pytest.raises(FairdealError) as refused:
        Clocked(clock)
    assert refused.value.code == HouseRefusal.BAD_CLOCK


# -- house moves -----------------------------------------------------------------------------------------------------


def test_the_house_moves_for_a_seat_that_is_late() -> None:
    table = Clocked(MINUTE)
    late, *then = table.claim(62, 0)
    assert late == SeatTimedOut(0)
    assert then[-1] == TurnPassed(1)
    assert table.deadlines() == {1: 122}


def test_the_third_turn_missed_in_a_row_forfeits_the_game() -> None:
    table = Clocked(MINUTE)
    for start in (0, 100):
        table.claim(start + 62, 0)
        table.move(start + 100, "Bob")
    assert table.claim(262, 0) == [SeatTimedOut(0), GameForfeited((0,), "timeout")]
    assert table.game.outcome == Outcome((1,), (), "timeout")
    assert (table.game.phase, table.game.lobby.rated) == (Phase.FINISHED, True)


def test_a_move_of_ones_own_makes_up_for_what_was_missed() -> None:
    table = Clocked(MINUTE)
    for start in (0, 100):
        table.claim(start + 62, 0)
        table.move(start + 100, "Bob")
    table.move(210, "Ann").move(220, "Bob")
    assert table.claim(282, 0)[-1] == TurnPassed(1)


def test_all_who_are_late_are_treated_alike_the_claimant_included() -> None:
    table = Clocked(MINUTE, "Ann", "Bob", "Cem", rules=PARDON)
    table.move(30, "Cem", table.game.legal("Cem")[0])
    said = table.claim(62, 1, "Ann")
    chosen = [event.seat for event in said if isinstance(event, FaceUpChosen)]
    assert ([event.seat for event in said if isinstance(event, SeatTimedOut)], chosen) == ([0, 1], [0, 1])


def test_what_the_house_plays_for_one_seat_may_end_the_turn_of_the_next() -> None:
    def whoever_is_first(state: Pardon) -> tuple[Seat, ...]:
        return (2,) if state.has_chosen(0) else (0, 1)

    rules: AnyRules = changed(PARDON, active=whoever_is_first)
    table = Clocked(MINUTE, "Ann", "Bob", "Cem", rules=rules)
    assert [type(event) for event in table.claim(62, 1)] == [SeatTimedOut, FaceUpChosen]
    assert table.deadlines() == {2: 122}
    table.game.it_is(after(90))
    assert table.deadlines() == {2: 122}, "and the time of the one who need not act any more has stopped"


# -- forfeits and void games -----------------------------------------------------------------------------------------


def test_where_it_was_agreed_the_first_timeout_forfeits_the_game() -> None:
    table = Clocked(FORFEIT).move(10, "Ann")
    assert table.claim(72, 1) == [SeatTimedOut(1), GameForfeited((1,), "timeout")]
    assert table.game.outcome == Outcome((0,), (), "timeout")
    assert table.game.lobby.rated


def test_at_a_larger_table_a_forfeited_game_is_not_rated() -> None:
    table = Clocked(FORFEIT, "Ann", "Bob", "Cem")
    table.claim(62, 0)
    assert table.game.outcome == Outcome((1, 2), (), "timeout")
    assert not table.game.lobby.rated


@pytest.mark.parametrize("clock", [MINUTE, FORFEIT])
def test_when_all_seats_are_late_the_game_is_void(clock: TableClock) -> None:
    table = Clocked(clock, rules=PARDON)
    assert table.claim(62, 0) == [GameVoided((0, 1), None, "timeout")]
    assert (table.game.phase, table.game.outcome) == (Phase.VOID, Outcome((), (), "timeout"))


@pytest.mark.parametrize("clock", [MINUTE, FORFEIT])
def test_a_seal_that_is_kept_shut_makes_the_game_void_and_names_the_seat(clock: TableClock) -> None:
    table = Clocked(clock, seals=True)
    table.game.it_is(after(20), "Ann")
    table.game.reveal("Ann", b"Ann")
    table.game.collect_events()
    assert table.claim(62, 1) == [GameVoided((1,), None, "timeout")]
    assert (table.game.phase, table.game.lobby.rated) == (Phase.VOID, False)


def test_the_operator_ends_any_game_without_a_loser() -> None:
    for game in (opened(), started(), Clocked(MINUTE, seals=True).game):
        game.void("the operator", "power cut")
        assert game.pending[-1] == GameVoided((), "the operator", "power cut")
        assert (game.phase, game.outcome) == (Phase.VOID, Outcome((), (), "power cut"))
        with pytest.raises(GameOver):
            game.void("the operator", "again")


def test_whoever_plays_has_no_authority_to_make_a_game_void() -> None:
    with pytest.raises(IllegalMove) as refused:
        started().void("Ann", "I was losing")
    assert refused.value.reason is HouseRefusal.NOT_ALLOWED


def test_by_the_first_house_rules_no_game_was_void() -> None:
    game = Game.open(GAME_ID, KINGS_CORNERS, HOST, NoOptions(), SEED, terms=FIRST_HOUSE)
    with pytest.raises(IllegalMove) as refused:
        game.void("the operator", "power cut")
    assert refused.value.reason is HouseRefusal.NOT_ALLOWED


# -- replay ----------------------------------------------------------------------------------------------------------


def test_whoever_missed_a_turn_is_known_to_a_table_with_a_clock_only() -> None:
    with pytest.raises(AssertionError, match="no clock"):
        started().apply(SeatTimedOut(0))
