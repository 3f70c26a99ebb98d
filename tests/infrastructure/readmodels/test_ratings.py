"""Ratings follow from results alone: who won, who left, what does not count."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from fairdeal.application.projections.public_event import LineUp, PublicEvent, Result, TableSummary, results
from fairdeal.domain.kernel.lifecycle import DealtFrom, GameAbandoned, GameFinished
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.infrastructure.readmodels.projections.ratings import NEWCOMER, counts, rate
from fairdeal.infrastructure.readmodels.projections.statistics import next_streak

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
W, D, L, LEFT, OFF = Result.WON, Result.DRAWN, Result.LOST, Result.LEFT, Result.BROKEN_OFF


def ended(
    event: Any, winners: tuple[int, ...], players: int = 3, opening: DealtFrom | None = DealtFrom.SHUFFLE
) -> PublicEvent:
    names = [f"player {seat}" for seat in range(players)]
    outcome = Outcome(winners, (), "because")
    table = TableSummary(
        *(
            "some_game",
            range(2, 5),
            "opener",
            None,
            "",
            "",
            opening,
            LineUp(names, players),
            Phase.FINISHED,
            (),
            outcome,
        ),
        *(10, NOON, None if opening is None else NOON),
    )
    return PublicEvent(
        1, UUID(int=1), 1, "game_finished", NOON, "x", "x", event, "It ends.", b"", table, "x.game_finished.v1"
    )


@pytest.mark.parametrize(
    ("happened", "expected"),
    [
        (ended(GameFinished((1,), (), "won"), (1,)), (L, W, L)),
        (ended(GameFinished((0, 2), (), "shared"), (0, 2)), (W, L, W)),
        (ended(GameFinished((), (), "stalemate"), ()), (D, D, D)),
        (ended(GameFinished((0, 1, 2), (), "shared"), (0, 1, 2)), (D, D, D)),
        (ended(GameAbandoned(1, "left"), (0, 2)), (W, LEFT, W)),
        (ended(GameAbandoned(None, "closed"), ()), (OFF, OFF, OFF)),
        (ended(GameAbandoned(None, "closed"), (), opening=None), ()),
        (ended(GameFinished((0,), (), "alone"), (0,), players=1), (W,)),
        (ended(GameFinished((), (), "alone"), (), players=1), (L,)),
    ],
)
def test_every_ending_has_a_result_for_every_seat(happened: PublicEvent, expected: tuple[Result, ...]) -> None:
    assert results(happened) == expected


def test_a_running_game_has_no_results() -> None:
    over = ended(GameFinished((), (), ""), ())
    assert results(replace(over, table=replace(over.table, outcome=None))) == ()


@pytest.mark.parametrize(
    ("happened", "rated"),
    [
        (ended(GameFinished((1,), (), "won"), (1,)), True),
        (ended(GameAbandoned(1, "left"), (0, 2)), True),
        (ended(GameFinished((1,), (), "won"), (1,), opening=DealtFrom.GIVEN_DECK), False),
        (ended(GameFinished((1,), (), "won"), (1,), opening=DealtFrom.POSITION), False),
        (ended(GameAbandoned(None, "closed"), ()), False),
        (ended(GameAbandoned(None, "closed"), (), opening=None), False),
        (ended(GameFinished((0,), (), "alone"), (0,), players=1), False),
    ],
)
def test_only_shuffled_games_with_a_result_are_rated(happened: PublicEvent, rated: bool) -> None:
    assert counts(happened) is rated


def test_the_winner_gains_what_the_others_lose_and_equals_stay_equal() -> None:
    first, second, third = rate([NEWCOMER] * 3, (W, L, LEFT), NOON)
    assert first.mu > NEWCOMER.mu > second.mu == pytest.approx(third.mu)
    assert all(one.sigma < NEWCOMER.sigma and one.games == 1 for one in (first, second, third))


def test_after_a_draw_equals_are_still_equal_but_better_known() -> None:
    first, second = rate([NEWCOMER] * 2, (D, D), NOON)
    assert first == second
    assert first.mu == NEWCOMER.mu
    assert first.sigma < NEWCOMER.sigma


def test_beating_a_strong_player_is_worth_more_than_beating_a_weak_one() -> None:
    strong, weak = rate([NEWCOMER] * 2, (W, L), NOON)
    over_strong, _ = rate([NEWCOMER, strong], (W, L), NOON)
    over_weak, _ = rate([NEWCOMER, weak], (W, L), NOON)
    assert over_strong.mu > over_weak.mu


def test_the_same_games_give_the_same_numbers_again() -> None:
    def season() -> list[float]:
        players = [NEWCOMER] * 4
        for number in range(50):
            players = rate(players, [W if seat == number % 3 else L for seat in range(4)], NOON)
        return [one.mu for one in players]

    assert season() == season()


@pytest.mark.parametrize(
    ("results_in_order", "streak"),
    [((W, W, W), 3), ((W, W, L), -1), ((L, LEFT, L), -3), ((W, D), 0), ((L, D, W), 1), ((), 0)],
)
def test_a_streak_counts_wins_up_and_defeats_down(results_in_order: tuple[Result, ...], streak: int) -> None:
    now = 0
    for result in results_in_order:
        now = next_streak(now, result)
    assert now == streak
