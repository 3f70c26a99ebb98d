"""What holds for the bots of every game: their names, and that the strong one plays by its view alone, repeatably."""

from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from random import Random
from typing import Any

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.play import every_table, play

every_kind = pytest.mark.parametrize("rules", KINDS.values(), ids=KINDS)


def imagined(rules: AnyRules, seen: Any, moves: Sequence[Any], rng: Random) -> Any:
    """A world as the game's own `worlds.py` makes it up; the trading card game also needs the moves."""
    imagine = import_module(f"fairdeal.domain.{rules.kind}.worlds").imagine
    return imagine(seen, moves, rng) if "moves" in signature(imagine).parameters else imagine(seen, rng)


@every_kind
def test_every_game_has_a_random_a_careful_and_a_strong_bot(rules: AnyRules) -> None:
    assert list(rules.bots)[:3] == ["random", "careful", "strong"]


@every_kind
def test_an_imagined_world_looks_like_the_real_one_and_lets_one_do_the_same(rules: AnyRules) -> None:
    rng = Random(1)
    for seats, _, options in every_table(rules, most_seats=4):
        game = play(rules, seats=seats, options=options, seed=seats)
        states = [step.before for step in rng.sample(game.steps, min(12, len(game.steps)))]
        for state in (*states, game.state):
            for seat in range(seats):
                seen, moves = rules.eyes.view(state, seat), rules.play.legal(state, seat)
                world = imagined(rules, seen, moves, rng)
                assert rules.eyes.view(world, seat) == seen
                assert rules.play.legal(world, seat) == moves


@every_kind
def test_worlds_differ_in_what_is_hidden(rules: AnyRules) -> None:
    state = play(rules, seed=3).steps[0].before
    moves = rules.play.legal(state, 0)
    worlds = [imagined(rules, rules.eyes.view(state, 0), moves, Random(seed)) for seed in (1, 2)]
    assert rules.eyes.view(worlds[0], 1) != rules.eyes.view(worlds[1], 1)


@every_kind
def test_the_strong_bot_makes_the_same_legal_move_again_with_the_same_luck(rules: AnyRules) -> None:
    steps = play(rules, seed=4).steps
    for step in (steps[0], steps[len(steps) // 2], steps[-1]):
        seen, moves = rules.eyes.view(step.before, step.seat), rules.play.legal(step.before, step.seat)
        chosen = [rules.bots["strong"](seen, moves, Random(5)) for _ in range(2)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in moves
