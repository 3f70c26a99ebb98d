"""The bots: the careful one keeps its best cards and never goes round for ever; the strong one looks ahead."""

from dataclasses import replace
from random import Random

import pytest

from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.pardon.bots import PATIENCE, careful, strong
from fairdeal.domain.pardon.cards import BIT
from fairdeal.domain.pardon.events import CardsDealt, PositionLaid
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.options import PardonOptions
from fairdeal.domain.pardon.worlds import imagine
from fairdeal.testing import given, play
from positions.pardon import position


def choice(laid: PositionLaid | CardsDealt) -> Move:
    state = given(PARDON, laid).state
    return careful(PARDON.eyes.view(state, 0), PARDON.play.legal(state, 0), Random(0))


def test_the_careful_one_puts_its_best_cards_face_up() -> None:
    assert choice(CardsDealt(0, 2, DECK)) == ChooseFaceUp(("2C", "3C", "AC"))


@pytest.mark.parametrize(
    ("hand", "table", "move"),
    [
        ("4C 9C KC", "8H", PlayCards(("9C",))),
        ("9C 9D KC", "8H", PlayCards(("9C", "9D"))),
        ("2C 3C 10C AC", "8H", PlayCards(("AC",))),
        ("2C 3C 10C 4C", "8H", PlayCards(("3C",))),
        ("2C 2D 10C 4C", "8H", PlayCards(("2C",))),
        ("10C 4C", "8H", PlayCards(("10C",))),
        ("4C 9C", "AH", TakeTable()),
    ],
)
def test_the_careful_one_plays_low_cards_together_and_keeps_the_special_ones(hand: str, table: str, move: Move) -> None:
    assert choice(position(f"{hand} / 4D", table=table, face_down="KC / QC")) == move


def test_the_careful_one_turns_a_card_rather_than_take_the_table() -> None:
    assert isinstance(choice(position(" / 4D", table="8H", face_down="KC KD KH / QC")), TurnFaceDown)


@pytest.mark.contest
def test_the_careful_one_wins_nearly_every_game_against_the_random_one() -> None:
    won = 0
    for seed in range(100):
        seat = seed % 2
        bots = ["random", "random"]
        bots[seat] = "careful"
        won += play(PARDON, seed=seed, bots=bots, keep_states=False).outcome.winners == (seat,)
    assert won >= 90


@pytest.mark.parametrize("seed", [140, 202, 403, 594])
def test_careful_ones_that_would_go_round_for_ever_lose_patience_even_without_a_limit(seed: int) -> None:
    game = play(PARDON, seed=seed, options=PardonOptions(None), bots=["careful", "careful"])
    assert max(step.before.idle for step in game.steps) >= PATIENCE
    assert game.outcome.reason == "won"


def test_the_strong_one_wins_where_it_can() -> None:
    state = given(PARDON, position("9C 9D / 4D", table="8H", face_down=" / QC")).state
    assert strong(PARDON.eyes.view(state, 0), PARDON.play.legal(state, 0), Random(0)) == PlayCards(("9C", "9D"))


def test_the_strong_one_turns_a_card_that_nobody_knows() -> None:
    state = given(PARDON, position(" / 4D", table="8H", face_down="KC KD KH / QC")).state
    assert isinstance(strong(PARDON.eyes.view(state, 0), PARDON.play.legal(state, 0), Random(0)), TurnFaceDown)


def test_the_strong_one_goes_on_after_a_long_time_without_progress_and_before_a_draw() -> None:
    state = given(PARDON, position("4C 9C KC / 4D 5D", table="8H", face_down="KD KH / QC")).state
    seen, moves = PARDON.eyes.view(state, 0), PARDON.play.legal(state, 0)
    for idle, limit in ((PATIENCE, 200), (0, 1)):
        assert strong(replace(seen, idle=idle, no_progress_limit=limit), moves, Random(0)) in moves


def test_a_card_that_failed_is_imagined_in_the_hand_it_went_to() -> None:
    table = given(PARDON, position(" / 4D 5D", table="8H", face_down="4C / QC")).when(0, TurnFaceDown(1))
    seen = PARDON.eyes.view(table.state, 1)
    worlds = [imagine(seen, Random(seed)) for seed in range(5)]
    assert all(world.hands[0] & BIT["4C"] for world in worlds)
    assert all(PARDON.eyes.view(world, 1) == seen for world in worlds)


@pytest.mark.contest
def test_the_strong_one_beats_the_careful_one() -> None:
    won = 0
    for seed in range(10):
        bots = ("strong", "careful") if seed % 2 else ("careful", "strong")
        won += play(PARDON, seed=seed, bots=bots, keep_states=False).outcome.winners == (bots.index("strong"),)
    assert won >= 6
