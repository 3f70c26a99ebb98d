"""The four types of players: their ties and their pointers."""

from dataclasses import replace
from random import Random

import pytest

from fairdeal.domain.kernel.search import MOST_CANDIDATES
from fairdeal.domain.reviiyot import bots
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import Strategy
from fairdeal.domain.reviiyot.views import ReviiyotView
from fairdeal.domain.reviiyot.worlds import imagine
from fairdeal.testing import play
from positions.reviiyot import view_of


def value(hand: str, strategy: Strategy) -> str:
    return bots.choose(view_of(hand, seat=0, sizes=(9, 9)), strategy).value


@pytest.mark.parametrize(
    ("hand", "type1", "type2", "type3", "type4"),
    [
        ("2C 9C 10H", "10", "2", "10", "2"),
        ("2C 2D 9C 10H", "2", "9", "10", "2"),
        ("2C 2D 9C 9D 10H", "9", "10", "10", "2"),
        ("2C 2D 10C 10D JC", "10", "J", "J", "2"),
        ("2C 2D JC JD QC QD KC KD AC", "K", "A", "A", "2"),
        ("3C 3D 3H 9C 9D 9H AC AD", "9", "A", "A", "3"),
        ("9C", "9", "9", "9", "9"),
    ],
)
def test_which_value_each_type_asks_for(hand: str, type1: str, type2: str, type3: str, type4: str) -> None:
    assert [value(hand, strategy) for strategy in Strategy] == [type1, type2, type3, type4]


@pytest.mark.parametrize("strategy", [Strategy.MOST_HELD, Strategy.LEAST_HELD])
@pytest.mark.parametrize(
    ("seat", "sizes", "asked"),
    [(0, (9, 3, 4, 2), 2), (0, (1, 4, 4, 2), 2), (3, (4, 4, 1, 9), 1), (1, (5, 9, 5, 5), 3), (1, (5, 9), 0)],
)
def test_types_1_and_2_ask_who_has_most_cards_the_later_of_equals(
    strategy: Strategy, seat: int, sizes: tuple[int, ...], asked: int
) -> None:
    assert bots.choose(view_of("2C", seat=seat, sizes=sizes), strategy).seat == asked


@pytest.mark.parametrize("strategy", [Strategy.HIGHEST, Strategy.LOWEST])
@pytest.mark.parametrize(
    ("seat", "seats", "round_trip"),
    [
        (2, 3, [0, 1, 0, 1]),
        (0, 3, [1, 2, 1, 2]),
        (1, 3, [0, 2, 0, 2]),
        (0, 2, [1, 1, 1]),
        (1, 2, [0, 0, 0]),
        (1, 4, [0, 2, 3, 0, 2, 3]),
    ],
)
def test_types_3_and_4_ask_around_the_table_and_never_themselves(  # ruling A9
    strategy: Strategy, seat: int, seats: int, round_trip: list[int]
) -> None:
    last: int | None = None
    for asked in round_trip:
        last = bots.choose(view_of("2C", seat=seat, sizes=(5,) * seats, last_asked=last), strategy).seat
        assert last == asked


def test_the_registered_bots_play_by_their_type() -> None:
    seen = view_of("2C 2D 9C 10H", seat=0, sizes=(4, 4, 2), last_asked=1)
    moves = [Ask(seat, value) for seat in (1, 2) for value in ("2", "9", "10")]
    asked = {name: REVIIYOT.bots[name](seen, moves, Random(0)) for name in REVIIYOT.bots if name.startswith("type")}
    assert asked == {"type1": Ask(1, "2"), "type2": Ask(1, "9"), "type3": Ask(2, "10"), "type4": Ask(2, "2")}
    assert REVIIYOT.bots["random"](seen, moves, Random(0)) in moves


def test_a_seat_plays_what_it_brought_or_at_random() -> None:
    seen = view_of("2C 2D 9C 10H", seat=0, sizes=(4, 4, 2), last_asked=1)
    with_strategy = ReviiyotView(
        seen.seat, seen.hand, seen.hand_sizes, 0, (), 0, 0, seen.last_asked, Strategy.LOWEST, 10, False
    )
    assert REVIIYOT.bots["brought"](with_strategy, [], Random(0)) == Ask(2, "2")
    assert REVIIYOT.bots["brought"](seen, [Ask(2, "9")], Random(0)) == Ask(2, "9")


def test_the_careful_bot_is_another_name_for_the_first_type() -> None:
    seen = view_of("2C 2D 9C 10H", seat=0, sizes=(4, 4, 2))
    assert REVIIYOT.bots["careful"](seen, [], Random(0)) == REVIIYOT.bots["type1"](seen, [], Random(0))


def test_the_strong_bot_asks_for_the_value_that_wins() -> None:
    # All other cards of the two values are with the neighbour, who holds twelve more.
    seen = replace(
        view_of("2C 2D 2H", seat=0, sizes=(3, 13)), discarded=("3", "4", "5", "6", "7", "8", "9", "10", "J"), turn=0
    )
    assert REVIIYOT.bots["strong"](seen, [Ask(1, "2")], Random(0)) == Ask(1, "2")


def test_the_strong_bot_knows_the_strategy_that_it_brought() -> None:
    seen = replace(view_of("2C 9C", seat=0, sizes=(2, 4)), strategy=Strategy.HIGHEST)
    world = imagine(seen, Random(0))
    assert world.strategies == (Strategy.HIGHEST, None)
    assert REVIIYOT.eyes.view(world, 0) == seen


def test_the_strong_bot_thinks_about_some_of_very_many_asks() -> None:
    state = play(REVIIYOT, seats=7, seed=1).steps[0].before
    moves = REVIIYOT.play.legal(state, 0)
    assert len(moves) > MOST_CANDIDATES - 10
    assert REVIIYOT.bots["strong"](REVIIYOT.eyes.view(state, 0), moves, Random(0)) in moves


@pytest.mark.contest
def test_the_strong_bot_shares_nearly_every_game_for_two_and_loses_none_of_these() -> None:
    """With an empty deck all values are split between the two, who get rid of their last cards together."""
    for seed in range(10):
        bots = ("strong", "careful") if seed % 2 else ("careful", "strong")
        assert bots.index("strong") in play(REVIIYOT, seed=seed, bots=bots, keep_states=False).outcome.winners
