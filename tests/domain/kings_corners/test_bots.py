"""The bots play as they are described, and their games come out as measured on thousands of them."""

from random import Random

import pytest

from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kings_corners.events import CardDrawn, CardPlayed, NothingDrawn, PileMoved, PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, EndTurn, Move, MovePile, PlayCard
from fairdeal.testing import given
from fairdeal.testing.play import play
from positions.kings_corners import laid


def choice(bot: str, position: PositionLaid, seed: int = 0) -> Move:
    state = given(KINGS_CORNERS, position).state
    return KINGS_CORNERS.bots[bot](KINGS_CORNERS.eyes.view(state, 0), KINGS_CORNERS.play.legal(state, 0), Random(seed))


def test_the_first_bot_is_the_random_one() -> None:
    assert next(iter(KINGS_CORNERS.bots)) == "random"


def test_the_random_bot_takes_any_legal_move_also_the_end_of_the_turn() -> None:
    position = laid("JD 2S / 3C", N="QS", E="JH", S="5C", W="5D")
    taken = {choice("random", position, seed) for seed in range(50)}
    assert taken == {PlayCard("JD", "N"), MovePile("E", "N"), END_TURN}


def test_the_greedy_bot_ends_its_turn_only_if_it_must() -> None:
    position = laid("JD 2S / 3C", N="QS", E="JH", S="5C", W="5D")
    assert {choice("greedy", position, seed) for seed in range(50)} == {PlayCard("JD", "N"), MovePile("E", "N")}
    assert choice("greedy", laid("2S / 3C", N="QS", E="JS", S="5C", W="5D")) == END_TURN


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (laid("KD 10C 2S / 3C", N="QS", E="JH", S="9C"), PlayCard("KD", "NE")),
        (laid("10C 2S / 3C", N="QS", E="JH", S="9C"), MovePile("E", "N")),
        (laid("9C 2S / 3C", N="QS", E="KH", S="10H"), MovePile("N", "E")),
        (laid("9C QH 2S / 3C", N="QS", E="10H", S="KS"), MovePile("S", "NE")),
        (laid("9C JH 2S / 3C", N="QS", E="10H", S="3D"), PlayCard("JH", "N")),
        (laid("2S 9C 4H / 3C", N="QS", E="QC", S="7D"), PlayCard("9C", "W")),
        (laid("2S / 3C", N="QS", E="QC", S="7D", W="7H"), END_TURN),
    ],
    ids=[
        "a king to a corner first",
        "then pile moves",
        "a queen's pile onto a king",
        "a king's pile to a corner",
        "then the highest card that builds",
        "then the highest card into a gap",
        "then the end of the turn",
    ],
)
def test_the_sensible_bot_has_its_order(position: PositionLaid, move: Move) -> None:
    assert choice("sensible", position) == move


def test_bots_take_moves_that_came_from_outside_as_plain_words() -> None:
    state = given(KINGS_CORNERS, laid("KD 2S / 3C", N="QS")).state
    moves: list[Move] = [PlayCard("2S", "E"), PlayCard("KD", "NE"), EndTurn()]
    assert KINGS_CORNERS.bots["sensible"](KINGS_CORNERS.eyes.view(state, 0), moves, Random(0)) == PlayCard("KD", "NE")


def test_the_careful_bot_is_another_name_for_the_sensible_one() -> None:
    assert KINGS_CORNERS.bots["careful"] is KINGS_CORNERS.bots["sensible"]


def test_the_strong_bot_wins_where_it_can() -> None:
    assert choice("strong", laid("2S / 3C 4C", N="3D", E="JH", S="5C", W="5D")) == PlayCard("2S", "N")


def test_the_strong_bot_plays_on_from_positions_with_cards_that_are_there_twice() -> None:
    twice = PositionLaid(hands=((DECK[0],), (DECK[0],)), piles=((),) * 8, deck=DECK * 2, turn=0)
    assert choice("strong", twice) == PlayCard(DECK[0], "N")


@pytest.mark.contest
def test_the_strong_bot_beats_the_careful_one() -> None:
    won = 0
    for seed in range(16):
        bots = ("strong", "careful") if seed % 2 else ("careful", "strong")
        winners = play(KINGS_CORNERS, seed=seed, bots=bots, keep_states=False).outcome.winners
        won += winners == (bots.index("strong"),)
    assert won >= 10


@pytest.mark.parametrize(
    ("bot", "seats", "figures"),
    [
        ("random", 2, (0.795, 35.4, 41.9, 9.8)),
        ("random", 4, (0.862, 26.8, 36.1, 8.4)),
        ("random", 6, (0.905, 23.5, 31.5, 7.0)),
        ("greedy", 2, (1.0, 23.5, 33.1, 7.5)),
        ("greedy", 4, (1.0, 10.6, 25.9, 5.7)),
        ("greedy", 6, (1.0, 7.5, 27.1, 5.8)),
        ("sensible", 2, (1.0, 21.3, 30.9, 7.2)),
        ("sensible", 4, (1.0, 9.3, 24.6, 5.6)),
        ("sensible", 6, (1.0, 6.1, 24.9, 5.8)),
    ],
)
def test_games_come_out_as_measured(bot: str, seats: int, figures: tuple[float, float, float, float]) -> None:
    """Games won, turns ended, cards played and piles moved, as an independent simulation of 3,000 games has them."""
    won, turns, plays, moves = figures
    games = [play(KINGS_CORNERS, seats=seats, seed=seed, bots=[bot] * seats, keep_states=False) for seed in range(150)]

    def mean(*kinds: type) -> float:
        return sum(isinstance(event, kinds) for game in games for event in game.events) / len(games)

    assert abs(sum(bool(game.outcome.winners) for game in games) / len(games) - won) < 0.08
    assert abs(mean(CardDrawn, NothingDrawn) - turns) < 1.5
    assert abs(mean(CardPlayed) - plays) < 1.5
    assert abs(mean(PileMoved) - moves) < 0.5
