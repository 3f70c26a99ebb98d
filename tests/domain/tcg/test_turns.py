"""Turns, mana and draws (RULES 3 and 4)."""

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.tcg.cards import Card, Mode
from fairdeal.domain.tcg.deal import numbered
from fairdeal.domain.tcg.events import (
    BledOut,
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    CardsDefined,
    DamageDealt,
    DeckShuffled,
    HandDealt,
    ManaRefilled,
    ManaSlotGained,
    StartingPlayerChosen,
    TurnStarted,
)
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, PlayCard
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.testing import given
from fairdeal.testing.play import chance_of
from positions.tcg import ASCENDING, dealt, decks, ids
from positions.tcg_positions import position_of


def test_a_game_begins_with_decks_a_first_player_two_hands_and_the_first_turn() -> None:
    first, second = numbered(ASCENDING, 0), numbered(ASCENDING, 20)
    assert dealt(TcgOptions(first=1, second_bonus=1), deck=(ASCENDING, ASCENDING)).events == [
        CardsDefined(STARTER[:9]),
        DeckShuffled(0, 0, first),
        DeckShuffled(1, 1, second),
        StartingPlayerChosen(1, None),
        HandDealt(1, second[:3]),
        HandDealt(0, first[:4]),
        TurnStarted(1, 1),
        ManaSlotGained(1, 1),
        ManaRefilled(1, 1),
        CardDrawn(1, second[3]),
    ]


def test_each_deck_is_shuffled_by_its_own_number_from_pool_order() -> None:
    events = dealt(TcgOptions(), seed=4).events
    chance = chance_of(4, 2)
    for seat, deck in enumerate(decks(events)):
        assert deck.shuffle == seat
        assert tuple(ids(deck)) == chance.shuffle(seat, ASCENDING)
    assert events[3] == StartingPlayerChosen(chance.pick(2, 2), 2)


def test_the_numbers_of_cards_follow_their_places_in_the_shuffled_decks() -> None:
    cards = [card for deck in decks(dealt(TcgOptions(), seed=9).events) for card in deck.deck]
    assert [card.number for card in cards if card is not None] == list(range(40))


def test_chance_lets_either_seat_start() -> None:
    starts = [dealt(TcgOptions(), seed=seed).state.active for seed in range(400)]
    assert 150 < sum(starts) < 250


def test_ending_a_turn_begins_the_opponents_as_one_step() -> None:
    position = position_of({"active": "A", "B": {"slots": 3, "mana": 1, "deck": ["d7"]}})
    given(TCG, position).when(0, END_TURN).then(
        TurnStarted(1, 10), ManaSlotGained(1, 4), ManaRefilled(1, 4), CardDrawn(1, Card(5, "d7"))
    )


def test_with_all_slots_only_the_mana_is_refilled() -> None:
    position = position_of({"active": "A", "B": {"slots": 10, "mana": 1, "deck": ["d7"]}})
    given(TCG, position).when(0, END_TURN).then(TurnStarted(1, 10), ManaRefilled(1, 10), CardDrawn(1, Card(5, "d7")))


def test_full_mana_in_all_slots_is_not_refilled() -> None:
    position = position_of({"active": "A", "B": {"slots": 10, "mana": 10, "deck": ["d7"]}})
    given(TCG, position).when(0, END_TURN).then(TurnStarted(1, 10), CardDrawn(1, Card(5, "d7")))


def test_a_card_drawn_into_a_full_hand_is_overloaded() -> None:
    position = position_of({"active": "A", "B": {"slots": 10, "mana": 10, "hand": ["d1"] * 5, "deck": ["d7"]}})
    given(TCG, position).when(0, END_TURN).then(TurnStarted(1, 10), CardOverloaded(1, Card(10, "d7")))


def test_an_empty_deck_bleeds_and_nothing_follows_the_end() -> None:
    position = position_of({"active": "A", "B": {"health": 3, "slots": 10, "mana": 10, "deck": []}})
    options = TcgOptions(bleed=3)
    given(TCG, position, options=options).when(0, END_TURN).then(
        TurnStarted(1, 10), BledOut(1, 3), GameFinished((0,), (), "bleeding")
    ).then_state(lambda state: state.active == 1 and state.sides[1].health == 0)


def test_a_killing_spell_ends_the_game_by_damage() -> None:
    position = position_of({"active": "B", "B": {"slots": 2, "mana": 2, "hand": ["d2"]}, "A": {"health": 2}})
    given(TCG, position).when(1, PlayCard("d2")).then(
        CardPlayed(1, Card(5, "d2"), Mode.SPELL, 2, None), DamageDealt(0, 2), GameFinished((1,), (), "damage")
    )


def test_surplus_mana_from_a_position_becomes_equal_to_the_slots() -> None:
    position = position_of({"active": "A", "B": {"slots": 1, "mana": 7}})
    given(TCG, position).when(0, END_TURN).then_state(lambda state: state.sides[1].mana == 2)
