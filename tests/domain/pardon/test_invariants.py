"""What holds in every game of Pardon, whoever plays it: the invariants of its rules."""

from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

from hypothesis import given as forall
from hypothesis import settings
from hypothesis import strategies as st

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, SUITS, Card
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.pardon.cards import TEN, as_cards, effective_top
from fairdeal.domain.pardon.events import (
    CardsPlayed,
    FaceDown,
    FaceDownFailed,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    PositionLaid,
    TurnPassed,
)
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, PlayCards
from fairdeal.domain.pardon.state import Pardon
from fairdeal.testing import Playthrough, play
from fairdeal.testing.snapshot import exchange

few = settings(max_examples=60, deadline=None)


@st.composite
def games(draw: st.DrawFn) -> Playthrough:
    """A whole game of two to five players, some of them random and some careful."""
    seats = draw(st.integers(2, 5))
    bots = draw(st.lists(st.sampled_from(["random", "careful"]), min_size=seats, max_size=seats))
    return play(PARDON, seats=seats, seed=draw(st.integers(0, 2**32)), bots=bots)


def states(game: Playthrough) -> list[Pardon]:
    return [*(step.before for step in game.steps), game.state]


@few
@forall(games())
def test_no_card_is_ever_lost_or_doubled(game: Playthrough) -> None:
    for state in states(game):
        assert sorted(cards_in(PARDON.eyes.places(state))) == sorted(DECK)


@few
@forall(games())
def test_while_the_deck_has_cards_every_hand_has_four(game: Playthrough) -> None:
    for state in states(game):
        if state.deck_size:
            assert all(hand.bit_count() >= 4 for hand in state.hands)


@few
@forall(games())
def test_no_ten_lies_on_the_table_and_burned_cards_never_come_back(game: Playthrough) -> None:
    burned: tuple[Card, ...] = ()
    for state in states(game):
        assert all(card.rank != TEN for card in state.table)
        assert state.burned[: len(burned)] == burned
        burned = state.burned


@few
@forall(games())
def test_face_down_cards_are_touched_only_when_hand_row_and_deck_are_empty(game: Playthrough) -> None:
    for step in game.steps:
        turned = isinstance(step.events[0], FaceDownFailed) or getattr(step.events[0], "slot", None) is not None
        if turned:
            assert not step.before.hands[step.seat]
            assert not step.before.face_up[step.seat]
            assert not step.before.deck_size
        else:
            assert all(not isinstance(event, FaceDownFailed) for event in step.events)


@few
@forall(games())
def test_whoever_has_to_act_can(game: Playthrough) -> None:
    for step in game.steps:
        assert all(PARDON.play.legal(step.before, seat) for seat in PARDON.play.active(step.before))


@few
@forall(games())
def test_every_play_on_the_table_was_legal_on_what_lay_below_it(game: Playthrough) -> None:
    table: list[Card] = []
    for event in game.events:
        match event:
            case CardsPlayed():
                assert {name(card) for card in event.cards} == {name(event.cards[0])}
                assert may_lie_on(name(event.cards[0]), [name(card) for card in table])
                table += event.cards
            case PileBurned() | PileTaken():
                assert event.cards == tuple(table)
                table = []
            case FaceDownFailed():
                assert not may_lie_on(name(event.card), [name(card) for card in table])
                table = []
            case _:
                pass


def name(card: Card) -> str:
    return card[:-1]


def may_lie_on(played: str, table: list[str]) -> bool:
    """RULES 3 once more, in other words than those of the game."""
    order = ["4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]
    while table and table[-1] == "3":
        table = table[:-1]
    if not table or table[-1] == "2" or played in ("2", "3", "10"):
        return True
    if table[-1] == "7":
        return played in ("4", "5", "6")
    return order.index(played) > order.index(table[-1])


@few
@forall(games())
def test_the_turn_goes_where_the_last_action_sends_it(game: Playthrough) -> None:
    """Never twice on, and nothing at all after the end."""
    for step in game.steps:
        kinds: list[Any] = [type(event) for event in step.events]
        assert kinds.count(TurnPassed) <= 1
        assert kinds.count(PlayersSkipped) <= 1
        if GameFinished in kinds:
            assert kinds[-1] is GameFinished
            assert TurnPassed not in kinds
            assert PlayersSkipped not in kinds
    assert game.state.turn == game.steps[-1].seat


@few
@forall(games(), st.sampled_from(list(permutations(SUITS))))
def test_permuting_the_suits_gives_the_same_game(game: Playthrough, suits: tuple[str, ...]) -> None:
    swaps = {card: Card(name(card) + suits[SUITS.index(card.suit)]) for card in DECK}
    draft = Draft(game.initial_state(), PARDON.play.evolve)
    PARDON.play.deal(draft, game.chance, exchange(game.dealt[0].deck, swaps))
    for step in game.steps:
        PARDON.play.decide(draft, step.seat, exchange(step.move, swaps), game.chance)
    assert draft.events == [exchange(event, swaps) for event in game.events]


@few
@forall(games(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_rotating_the_seats_gives_the_same_game(game: Playthrough, by: int, rng: Random) -> None:
    start = rng.randrange(game.seats, len(game.steps))
    laid = position_of(game.steps[start].before)
    turned = replace(
        laid,
        hands=rotated(laid.hands, by),
        face_up=rotated(laid.face_up, by),
        face_down=rotated(laid.face_down, by),
        turn=(laid.turn + by) % game.seats,
    )
    first, second = followed(game, laid, start, 0), followed(game, turned, start, by)
    assert [seen_from(event, by, game.seats) for event in first] == second


def position_of(state: Pardon) -> PositionLaid:
    return PositionLaid(
        hands=tuple(as_cards(hand) for hand in state.hands),
        face_up=tuple(state.face_up),
        face_down=tuple(tuple(FaceDown(slot, card) for slot, card in slots.items()) for slots in state.face_down),
        table=state.table,
        deck=state.deck[state.gone :],
        turn=state.turn,
    )


def rotated(things: tuple[Any, ...], by: int) -> tuple[Any, ...]:
    by %= len(things)
    return things[-by:] + things[:-by]


def followed(game: Playthrough, laid: PositionLaid, start: int, by: int) -> list[Any]:
    """What happens when the rest of the game is played from a position, everybody `by` seats further on."""
    draft = Draft(game.initial_state(), PARDON.play.evolve)
    PARDON.play.evolve[PositionLaid](draft.state, laid)
    for step in game.steps[start:]:
        if not draft.state.over:
            PARDON.play.decide(draft, (step.seat + by) % game.seats, step.move, game.chance)
    return draft.events


def seen_from(event: Any, by: int, seats: int) -> Any:
    changes: dict[str, Any] = {}
    for name in ("seat", "to"):
        if hasattr(event, name):
            changes[name] = (getattr(event, name) + by) % seats
    for name in ("seats", "winners"):
        if hasattr(event, name):
            changes[name] = tuple((seat + by) % seats for seat in getattr(event, name))
    return replace(event, **changes)


@forall(st.lists(st.sampled_from(DECK)), st.sampled_from([card for card in DECK if card.rank == 3]))
def test_a_three_on_top_never_changes_the_effective_top(table: list[Card], three: Card) -> None:
    assert effective_top([*table, three]) == effective_top(table)


@few
@forall(games(), st.randoms(use_true_random=False))
def test_any_order_of_the_same_cards_is_the_same_play(game: Playthrough, rng: Random) -> None:
    draft = Draft(game.initial_state(), PARDON.play.evolve)
    PARDON.play.deal(draft, game.chance, game.dealt[0].deck)
    for step in game.steps:
        move = step.move
        if isinstance(move, PlayCards | ChooseFaceUp):
            move = type(move)(tuple(rng.sample(move.cards, len(move.cards))))
        PARDON.play.decide(draft, step.seat, move, game.chance)
    assert list(map(without_order, draft.events)) == list(map(without_order, game.events))


def without_order(event: Any) -> Any:
    return replace(event, cards=tuple(sorted(event.cards))) if hasattr(event, "cards") else event
