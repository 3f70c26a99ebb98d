"""The bots: the careful one is clearly better than chance."""

from random import Random

import pytest

from fairdeal.domain.red7.bots import careful, random, strong
from fairdeal.domain.red7.cards import Card
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import CHANGES, END_TURN, GIVE_UP, Move, PlayCard
from fairdeal.testing import play
from positions.red7 import position, table


@pytest.mark.contest
def test_careful_wins_most_of_a_thousand_games_against_random() -> None:
    won = 0
    for seed in range(1000):
        seats = ("careful", "random") if seed % 2 else ("random", "careful")
        game = play(RED7, seats=2, seed=seed, bots=seats, keep_states=False)
        won += game.outcome.winners == (seats.index("careful"),)
    assert won > 850


def test_careful_keeps_its_cards_where_one_is_enough() -> None:
    state = table(position("G7 R1 O1/O2", "B4/Y6")).state
    move = careful(RED7.eyes.view(state, 0), RED7.play.legal(state, 0), Random(0))
    assert isinstance(move, PlayCard)


def test_careful_gives_up_only_if_it_must() -> None:
    one_way = table(position("R7/O2", "R6/O7")).state
    assert careful(RED7.eyes.view(one_way, 0), RED7.play.legal(one_way, 0), Random(0)) == PlayCard("R7")
    empty = table(position("/O2", "R6/R7")).state
    assert careful(RED7.eyes.view(empty, 0), RED7.play.legal(empty, 0), Random(0)) is GIVE_UP


def test_careful_hopes_for_a_drawn_card_only_if_nothing_is_certain() -> None:
    def choice(hands: str, palettes: str) -> Move:
        state = table(position(hands, palettes, deck="I4"), "actions").state
        return careful(RED7.eyes.view(state, 0), RED7.play.legal(state, 0), Random(0))

    assert choice("B3 O1/O2", "G2/R6 O6 Y6 G6 R1 R2 V7") == PlayCard("B3")
    assert choice("B3 V7/O2", "G2/R7") != PlayCard("B3")


def test_careful_ends_its_turn_rather_than_spend_another_card() -> None:
    played = table(position("G6 R1/O2", "B4/Y5"), "actions").when(0, PlayCard("G6"))
    assert careful(RED7.eyes.view(played.state, 0), RED7.play.legal(played.state, 0), Random(0)) is END_TURN


def test_random_takes_any_legal_move() -> None:
    state = table(position("V5 B1/O3", "R2/Y6")).state
    moves = RED7.play.legal(state, 0)
    chosen = {random(RED7.eyes.view(state, 0), moves, Random(seed)) for seed in range(200)}
    assert chosen == set(moves)
    assert CHANGES[Card.V5] in chosen


def test_strong_makes_the_last_move_that_wins() -> None:
    state = table(position("V1 R7/O2", "O2/R6")).state
    move = strong(RED7.eyes.view(state, 0), RED7.play.legal(state, 0), Random(0))
    assert RED7.play.legal(table(position("V1 R7/O2", "O2/R6")).when(0, move).state, 1) == [GIVE_UP]


@pytest.mark.contest
def test_strong_beats_careful() -> None:
    won = 0
    for seed in range(40):
        bots = ("strong", "careful") if seed % 2 else ("careful", "strong")
        won += play(RED7, seed=seed, bots=bots, keep_states=False).outcome.winners == (bots.index("strong"),)
    assert won > 20
