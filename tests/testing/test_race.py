"""A race is the same random play without the record."""

from random import Random

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.testing.play import play, race


@pytest.mark.parametrize("kind", KINDS)
def test_a_race_plays_as_many_moves_as_the_recorded_game(kind: str) -> None:
    rules = KINDS[kind]
    seats, options = rules.seats[0], next(iter(rules.setup.presets.values()))
    recorded = play(rules, seats=seats, options=options, seed=3, keep_states=False)
    assert race(rules, seats=seats, options=options, seed=3, rng=Random(3)) == len(recorded.steps)
