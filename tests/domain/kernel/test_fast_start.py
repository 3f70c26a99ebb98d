"""The quick start made for speed is held to the plain one: the same game, or a refusal where that refuses."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.fast_start import quickly_started
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import Terms
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import changed
from fairdeal.testing.snapshot import snapshot
from positions.house import GAME_ID, HOST, SEED


def plainly_started(rules: AnyRules, options: Any, seed: bytes, players: Sequence[str], *, rated: bool) -> Game:
    game = Game.open(GAME_ID, rules, HOST, options, seed, terms=Terms(rated=rated))
    game.seat_all(players)
    game.start(HOST)
    return game


def all_of(game: Game) -> Any:
    """All that makes a game, its chance by what it draws."""
    parts = (game.id, game.version, game.lobby, game.state, game.chance.shuffle(7, range(52)))
    return game.pending, [snapshot(part) for part in parts]


@given(
    kind=st.sampled_from(sorted(KINDS)),
    seed=st.binary(min_size=32, max_size=32),
    names=st.permutations(["ann", "bob", HOST, "bot:strong:1", "Ωmega", "x" * 200]),
    rated=st.booleans(),
    draw=st.data(),
)
def test_it_makes_the_game_that_opening_seating_and_starting_make(
    kind: str, seed: bytes, names: Sequence[str], rated: bool, draw: st.DataObject
) -> None:
    rules = KINDS[kind]
    options = draw.draw(st.sampled_from(list(rules.setup.presets.values())))
    players = names[: draw.draw(st.integers(rules.seats[0], min(rules.seats[-1], len(names))))]
    plain = plainly_started(rules, options, seed, players, rated=rated)
    quick = quickly_started(GAME_ID, rules, HOST, options, seed, players=players, rated=rated)
    assert all_of(quick) == all_of(plain)
    rng = Random(seed)
    for _ in range(5):  # and both go on alike
        active = plain.active()
        if active:
            player = plain.players[rng.choice(active)]
            move = rng.choice(plain.legal(player))
            for game in (plain, quick):
                game.move(player, move)
            assert all_of(quick) == all_of(plain)


@pytest.mark.parametrize(
    "players",
    [("ann",), ("ann", "ann"), ("ann", ""), ("ann", " bob"), ("ann", "house:bob"), ("ann", "x" * 201), ("a", "b\n")],
)
@pytest.mark.parametrize("kind", KINDS)
def test_it_refuses_what_the_plain_one_refuses(kind: str, players: Sequence[str]) -> None:
    rules = KINDS[kind]
    options = next(iter(rules.setup.presets.values()))
    with pytest.raises(IllegalMove):
        plainly_started(rules, options, SEED, players, rated=False)
    with pytest.raises((IllegalMove, ValueError)):
        quickly_started(GAME_ID, rules, HOST, options, SEED, players=players, rated=False)


def test_it_refuses_an_opener_and_options_that_the_plain_one_refuses() -> None:
    rules = KINDS["red7"]
    options = type(rules.setup.presets["basic"])(hand_size=0)
    with pytest.raises(IllegalMove, match="1 to 11 cards"):
        quickly_started(GAME_ID, rules, HOST, options, SEED, players=("ann", "bob"), rated=False)
    with pytest.raises(IllegalMove, match="belong to the house"):
        quickly_started(
            GAME_ID, rules, "house:", rules.setup.presets["basic"], SEED, players=("ann", "bob"), rated=False
        )


def test_it_asks_what_everybody_must_bring() -> None:
    """A game may refuse to seat somebody who brings nothing."""

    def must_bring(options: object, brought: object) -> None:
        raise ValueError("bring something")

    rules = changed(KINDS["tcg"], check_brought=must_bring)
    options = next(iter(rules.setup.presets.values()))
    with pytest.raises(ValueError, match="bring something"):
        quickly_started(GAME_ID, rules, HOST, options, SEED, players=("ann", "bob"), rated=False)
