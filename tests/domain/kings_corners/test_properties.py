"""What holds in every game of Kings Corners, whoever plays it and however."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kings_corners.cards import CORNERS, FOLLOWERS, FOUNDATIONS, KINGS, PILES, Pile, follows
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    NothingDrawn,
    PileMoved,
    PositionLaid,
    TurnPassed,
)
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.rules import STALEMATE
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing.play import Playthrough, play
from fairdeal.testing.snapshot import exchange, snapshot
from positions.kings_corners import NO_CHANCE, dealt, shuffled

Test = Callable[..., None]

thorough = settings(max_examples=60, deadline=None, derandomize=True)


def for_all_games(**more: st.SearchStrategy[Any]) -> Callable[[Test], Test]:
    """For any number of seats and any shuffle, the same ones in every run."""

    def wrap(test: Test) -> Test:
        return thorough(for_all(seats=st.integers(2, 6), seed=st.integers(0, 2**32 - 1), **more)(test))

    return wrap


def played(seats: int, seed: int, bot: str = "random") -> Playthrough:
    return play(KINGS_CORNERS, seats=seats, seed=seed, bots=[bot] * seats)


def states(game: Playthrough) -> list[KingsCorners]:
    return [*(step.before for step in game.steps), game.state]


def count(events: list[Any], *kinds: type) -> int:
    return sum(isinstance(event, kinds) for event in events)


def turns_ended(events: list[Any]) -> int:
    return count(events, CardDrawn, NothingDrawn)


@for_all_games()
def test_all_52_cards_are_somewhere_and_none_twice(seats: int, seed: int) -> None:
    for state in states(played(seats, seed)):
        places = [*state.hands, *state.piles.values(), state.deck[state.gone :]]
        assert sorted(card for place in places for card in place) == sorted(DECK)


@for_all_games()
def test_every_pile_is_a_chain_and_every_corner_stands_on_a_king(seats: int, seed: int) -> None:
    for state in states(played(seats, seed)):
        for lying in state.piles.values():
            assert all(follows(card, below) for below, card in pairwise(lying))
        for corner in CORNERS:
            assert not state.piles[corner] or state.piles[corner][0] in KINGS


@for_all_games()
def test_the_deck_loses_one_card_with_every_turn_until_it_is_empty(seats: int, seed: int) -> None:
    turns = 0
    for step in played(seats, seed).steps:
        assert step.before.deck_size == max(0, 48 - 7 * seats - turns)
        turns += turns_ended(list(step.events))


@for_all_games()
def test_a_pile_move_leaves_one_foundation_less_occupied(seats: int, seed: int) -> None:
    game = played(seats, seed, "greedy")
    for before, after, step in zip(states(game), states(game)[1:], game.steps, strict=False):
        if isinstance(step.events[0], PileMoved):
            assert occupied(after) == occupied(before) - 1


def occupied(state: KingsCorners) -> int:
    return sum(1 for pile in FOUNDATIONS if state.piles[pile])


@for_all_games(bot=st.sampled_from(list(KINGS_CORNERS.bots)))
def test_every_game_ends_soon(seats: int, seed: int, bot: str) -> None:
    game = played(seats, seed, bot)
    assert isinstance(game.events[-1], GameFinished)
    assert count(game.events, CardPlayed) <= 48
    assert count(game.events, PileMoved) <= 52
    if bot in ("sensible", "careful"):
        assert game.outcome.winners, "who always acts when they can never ends in a stalemate"


@for_all_games()
def test_turns_go_round_and_each_ends_with_one_draw(seats: int, seed: int) -> None:
    events = played(seats, seed).events
    turn = 0
    for event, following in pairwise(events):
        match event:
            case CardPlayed() | PileMoved():
                assert event.seat == turn
            case CardDrawn() | NothingDrawn():
                assert event.seat == turn
                assert isinstance(following, TurnPassed | GameFinished)
            case TurnPassed():
                turn = (turn + 1) % seats
                assert event.to == turn
            case _:
                assert event is events[0]


@for_all_games()
def test_with_an_empty_deck_somebody_can_always_act(seats: int, seed: int) -> None:
    for state in (*states(played(seats, seed)), deck_drawn_by_idle_players(seats, seed)):
        if not state.deck_size and not state.over:
            assert any(can_act(state, seat) for seat in range(seats))


def can_act(state: KingsCorners, seat: int) -> bool:
    twin = state.copy()
    twin.turn = seat
    return KINGS_CORNERS.play.legal(twin, seat) != [END_TURN]


def deck_drawn_by_idle_players(seats: int, seed: int) -> KingsCorners:
    draft = dealt(shuffled(seed), seats)
    while draft.state.deck_size:
        KINGS_CORNERS.play.decide(draft, draft.state.turn, END_TURN, NO_CHANCE)
    return draft.state


@for_all_games()
def test_if_nobody_ever_acts_the_game_is_a_stalemate_after_48_minus_6n_turns(seats: int, seed: int) -> None:
    draft = dealt(shuffled(seed), seats)
    while not draft.state.over:
        KINGS_CORNERS.play.decide(draft, draft.state.turn, END_TURN, NO_CHANCE)
    assert turns_ended(draft.events) == 48 - 6 * seats
    assert draft.events[-1] == GameFinished((), (), STALEMATE)


HEARTS_FOR_DIAMONDS_AND_CLUBS_FOR_SPADES = {"H": "D", "D": "H", "C": "S", "S": "C"}
RED_FOR_BLACK = {"H": "C", "C": "H", "D": "S", "S": "D"}


@pytest.mark.parametrize("suits", [HEARTS_FOR_DIAMONDS_AND_CLUBS_FOR_SPADES, RED_FOR_BLACK])
@for_all_games()
def test_exchanged_colours_give_the_same_game(suits: dict[str, str], seats: int, seed: int) -> None:
    swaps = {card: Card(card[:-1] + suits[card.suit]) for card in DECK}
    deck = shuffled(seed)
    one, other = dealt(deck, seats), dealt(tuple(swaps[card] for card in deck), seats)
    rng = Random(seed)
    while not one.state.over:
        seat = one.state.turn
        moves = KINGS_CORNERS.play.legal(one.state, seat)
        assert set(KINGS_CORNERS.play.legal(other.state, seat)) == {exchange(move, swaps) for move in moves}
        move = rng.choice(moves)
        KINGS_CORNERS.play.decide(one, seat, move, NO_CHANCE)
        KINGS_CORNERS.play.decide(other, seat, exchange(move, swaps), NO_CHANCE)
    assert other.events == [exchange(event, swaps) for event in one.events]


EVERYTHING: list[Move] = [
    *(PlayCard(card, pile) for card in DECK for pile in PILES),
    *(MovePile(source, target) for source in PILES for target in PILES),
    END_TURN,
]


def accepted(state: KingsCorners, move: Move) -> bool:
    try:
        KINGS_CORNERS.play.decide(Draft(state.copy(), KINGS_CORNERS.play.evolve), state.turn, move, NO_CHANCE)
    except IllegalMove:
        return False
    return True


@thorough
@for_all(st.data())
def test_the_legal_moves_are_those_that_are_accepted_of_all_there_are(data: st.DataObject) -> None:
    state = KingsCorners(2)
    KINGS_CORNERS.play.evolve[PositionLaid](state, data.draw(positions()))
    legal = KINGS_CORNERS.play.legal(state, state.turn)
    assert len(set(legal)) == len(legal)
    assert set(legal) == {move for move in EVERYTHING if accepted(state, move)}


@st.composite
def positions(draw: st.DrawFn) -> PositionLaid:
    """Piles as play makes them, chains with kings in the corners, but with any cards left out."""
    unused = list(draw(st.permutations(DECK)))
    piles: dict[Pile, tuple[Card, ...]] = dict.fromkeys(PILES, ())
    for pile in PILES:
        candidates = [card for card in unused if pile in FOUNDATIONS or card in KINGS]
        length = draw(st.integers(0, 5))
        while candidates and len(piles[pile]) < length:
            piles[pile] += (candidates[0],)
            unused.remove(candidates[0])
            candidates = [card for card in FOLLOWERS[candidates[0]] if card in unused]
    size = draw(st.integers(1, 10))
    hands = (tuple(unused[:size]), tuple(unused[size : size + 3]))
    return PositionLaid(hands, tuple(piles.values()), (), draw(st.integers(0, 1)))


@for_all_games()
def test_a_refused_move_changes_nothing_even_in_place(seats: int, seed: int) -> None:
    rng = Random(seed)
    for state in states(played(seats, seed))[::7]:
        before = snapshot(state)
        for move in rng.sample(EVERYTHING, 40):
            if not accepted(state, move):
                with pytest.raises(IllegalMove):
                    KINGS_CORNERS.play.decide(Draft(state, KINGS_CORNERS.play.evolve), state.turn, move, NO_CHANCE)
        assert snapshot(state) == before
