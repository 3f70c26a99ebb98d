"""What holds for every game, and a second referee who plays by the plain text of the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.reviiyot.cards import deck_size, pack_of
from fairdeal.domain.reviiyot.events import CardsAsked, CardsDealt
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.options import ReviiyotOptions
from fairdeal.domain.reviiyot.state import Reviiyot
from fairdeal.infrastructure.games.reviiyot.config import Config
from fairdeal.infrastructure.games.reviiyot.run import play
from fairdeal.testing.play import chance_of
from positions.reviiyot import config_of

thorough = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)


@st.composite
def configs(draw: st.DrawFn, *, types: str = "1234", most_seats: int = 7) -> Config:
    seats = draw(st.integers(2, most_seats))
    least = max(1, -(-7 * seats // 4) - 3)
    n = draw(st.integers(least, max(10, least)))
    deck = list(pack_of(n).cards)
    Random(draw(st.integers(0, 2**32))).shuffle(deck)
    strategies = draw(st.text(types, min_size=seats, max_size=seats))
    return config_of(" ".join(deck), strategies, n=n)


# -- the second referee ----------------------------------------------------------------------------


@dataclass
class Told:
    """How a game went, in the fewest words."""

    asks: list[tuple[int, int, str]]
    hands: list[set[str]]
    deck: list[str]
    winners: tuple[int, ...]


def rank(value: str) -> int:
    return 10**6 + "JQKA".index(value) if value in "JQKA" else int(value)


def referee(config: Config) -> Told:
    """Slow and literal: sets of cards, and every state with an empty deck remembered."""
    deck = list(config.deck)
    hands = [{deck.pop(0) for _ in range(7)} for _ in config.players]
    pointers = [-1] * len(hands)
    for hand in hands:
        discard(hand)
    told = Told([], hands, deck, ())
    seen: set[Any] = set()
    while not told.winners:
        turn = len(told.asks) % len(hands)
        state = (turn, tuple(frozenset(hand) for hand in hands), tuple(pointers))
        if not deck and state in seen:
            break
        seen.add(state)
        take_turn(config, told, turn, pointers)
        told.winners = tuple(seat for seat, hand in enumerate(hands) if not hand)
    return told


def take_turn(config: Config, told: Told, asker: int, pointers: list[int]) -> None:
    asked, value = wish(int(config.players[asker].strategy), told.hands, asker, pointers)
    told.asks.append((asker, asked, value))
    gift = {card for card in told.hands[asked] if card[:-1] == value}
    told.hands[asked] -= gift
    told.hands[asker] |= gift
    drawer = told.hands[asked] if gift else told.hands[asker]
    if drawer:
        for _ in range(min(len(gift) or 1, len(told.deck))):
            drawer.add(told.deck.pop(0))
    discard(told.hands[asker])
    discard(told.hands[asked])


def wish(kind: int, hands: list[set[str]], asker: int, pointers: list[int]) -> tuple[int, str]:
    values = [card[:-1] for card in hands[asker]]
    if kind in (1, 2):
        others = [seat for seat in range(len(hands)) if seat != asker]
        asked = max(others, key=lambda seat: (len(hands[seat]), seat))
        if kind == 1:
            return asked, max(values, key=lambda value: (values.count(value), rank(value)))
        return asked, min(values, key=lambda value: (values.count(value), rank(value)))
    asked = (pointers[asker] + 1) % len(hands)
    if asked == asker:
        asked = (asked + 1) % len(hands)
    pointers[asker] = asked
    return asked, (max if kind == 3 else min)(values, key=rank)


def discard(hand: set[str]) -> None:
    for value in {card[:-1] for card in hand}:
        full = {value + shape for shape in "CDHS"}
        if full <= hand:
            hand -= full


def went(config: Config) -> tuple[Told, list[Any]]:
    """The same game by the real rules, and its events."""
    events = list(play(config))
    state = REVIIYOT.play.initial_state(len(config.players), ReviiyotOptions(config.n), (None,) * len(config.players))
    for event in events:
        if type(event) in REVIIYOT.play.evolve:
            REVIIYOT.play.evolve[type(event)](state, event)
    asks = [(event.seat, event.asked, event.value) for event in events if isinstance(event, CardsAsked)]
    hands = [set(state.hand(seat)) for seat in range(len(state.hands))]
    return Told(asks, hands, list(state.deck[state.gone :]), events[-1].winners), events


@thorough
@given(configs())
def test_a_second_referee_sees_the_same_game(config: Config) -> None:
    assert went(config)[0] == referee(config)


@thorough
@given(configs(types="12", most_seats=4))
def test_a_second_referee_stops_endless_games_at_the_same_turn(config: Config) -> None:
    assert went(config)[0] == referee(config)


# -- what always holds --------------------------------------------------------------------------------


@thorough
@given(configs())
def test_one_or_two_win_or_the_game_is_stalled(config: Config) -> None:
    ending = went(config)[1][-1]
    assert isinstance(ending, GameFinished)
    assert (len(ending.winners), ending.reason) in {(1, "won"), (2, "won"), (0, "stalled")}


@thorough
@given(configs(most_seats=2))
def test_two_players_always_come_to_an_end(config: Config) -> None:
    assert went(config)[1][-1].reason == "won"


@thorough
@given(configs())
def test_only_types_1_and_2_among_themselves_go_on_for_ever(config: Config) -> None:
    if went(config)[1][-1].reason == "stalled":
        assert {player.strategy for player in config.players} <= {"1", "2"}


def random_game(seed: int, seats: int, n: int) -> Iterator[Reviiyot]:
    """The states of a game in which people ask whatever they like."""
    rng = Random(seed)
    draft = Draft(REVIIYOT.play.initial_state(seats, ReviiyotOptions(n), (None,) * seats), REVIIYOT.play.evolve)
    REVIIYOT.play.deal(draft, chance_of(seed, seats), None)
    yield draft.state.copy()
    while active := REVIIYOT.play.active(draft.state):
        move = rng.choice(REVIIYOT.play.legal(draft.state, active[0]))
        REVIIYOT.play.decide(draft, active[0], move, chance_of(seed, seats))
        yield draft.state.copy()


tables = st.integers(2, 7).flatmap(
    lambda seats: st.tuples(st.integers(0, 10**6), st.just(seats), st.integers(max(1, 2 * seats - 3), 16))
)


@thorough
@given(tables)
def test_cards_are_conserved(table: tuple[int, int, int]) -> None:
    for state in random_game(*table):
        assert sorted(cards_in(REVIIYOT.eyes.places(state))) == sorted(pack_of(state.n).cards)
        assert len(cards_in(REVIIYOT.eyes.places(state))) == deck_size(state.n)


@thorough
@given(tables)
def test_while_there_is_a_deck_it_shrinks_or_the_game_ends(table: tuple[int, int, int]) -> None:
    states = list(random_game(*table))
    for before, after in pairwise(states):
        assert after.over or not before.deck_size or after.deck_size < before.deck_size


@thorough
@given(tables)
def test_nobody_ever_holds_a_whole_set_or_a_hand_out_of_order(table: tuple[int, int, int]) -> None:
    for state in random_game(*table):
        for seat, hand in enumerate(state.hands):
            assert hand == sorted(hand)
            assert all(state.count(seat, value) < 4 for value in state.values(seat))
            assert hand or state.over


@thorough
@given(configs())
def test_the_recorded_deal_is_the_given_deck(config: Config) -> None:
    assert CardsDealt(0, config.deck) in play(config)


@thorough
@given(tables)
def test_everybody_sees_how_many_cards_are_in_each_hand(table: tuple[int, int, int]) -> None:
    for state in random_game(*table):
        assert REVIIYOT.eyes.view(state, None).hand_sizes == tuple(len(hand) for hand in state.hands)
