"""How a game of Kings Corners begins: the players, the deal, given decks and positions (RULES 1 and 2)."""

from uuid import UUID

import pytest

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.cards import CORNERS, FOUNDATIONS, Pile
from fairdeal.domain.kings_corners.events import CardsDealt, PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing.play import chance_of
from positions.kings_corners import NO_CHANCE, dealt, laid, shuffled


def opened() -> Game:
    return Game.open(UUID(int=1), KINGS_CORNERS, "the house", NoOptions(), bytes(32))


@pytest.mark.parametrize(("seats", "left"), [(2, 34), (3, 27), (4, 20), (5, 13), (6, 6)])
def test_every_seat_gets_a_block_of_seven_and_every_foundation_one_card(seats: int, left: int) -> None:
    deck = shuffled(seats)
    state = dealt(deck, seats).state
    assert state.hands == [list(deck[7 * seat : 7 * seat + 7]) for seat in range(seats)]
    assert [state.piles[pile] for pile in FOUNDATIONS] == [(card,) for card in deck[7 * seats : 7 * seats + 4]]
    assert [state.piles[pile] for pile in CORNERS] == [(), (), (), ()]
    assert state.deck[state.gone :] == deck[7 * seats + 4 :]
    assert state.deck_size == left


def test_the_first_seat_begins() -> None:
    state = dealt(DECK, 3).state
    assert state.turn == 0
    assert KINGS_CORNERS.play.active(state) == (0,)


def test_a_king_dealt_to_a_foundation_stays_there() -> None:
    others = [card for card in DECK if card is not Card.KC]
    state = dealt((*others[:14], Card.KC, *others[14:]), 2).state
    assert state.piles[Pile.N] == (Card.KC,)


def test_a_deal_is_the_shuffle_with_the_number_it_names() -> None:
    draft = Draft(KingsCorners(4), KINGS_CORNERS.play.evolve)
    chance = chance_of(5, 4)
    KINGS_CORNERS.play.deal(draft, chance, None)
    assert draft.events == [CardsDealt(0, 4, chance.shuffle(0, DECK))]


def test_a_given_deck_is_dealt_as_it_lies() -> None:
    deck = shuffled(1)
    draft = Draft(KingsCorners(2), KINGS_CORNERS.play.evolve)
    KINGS_CORNERS.play.deal(draft, NO_CHANCE, deck)
    assert draft.events == [CardsDealt(0, 2, deck)]


@pytest.mark.parametrize("deck", [DECK[1:], (*DECK[1:], DECK[1]), (*DECK, DECK[0]), ()])
def test_a_given_deck_holds_each_card_once(deck: tuple[Card, ...]) -> None:
    draft = Draft(KingsCorners(2), KINGS_CORNERS.play.evolve)
    with pytest.raises(IllegalMove) as refused:
        KINGS_CORNERS.play.deal(draft, NO_CHANCE, deck)
    assert refused.value.reason is HouseRefusal.BAD_DECK
    assert draft.events == []


@pytest.mark.parametrize("players", ["", "A", "ABCDEFG"])
def test_one_player_is_too_few_and_seven_are_too_many(players: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        opened().seat_all(list(players))
    assert refused.value.reason is HouseRefusal.PLAYER_COUNT


@pytest.mark.parametrize("players", ["AB", "ABC", "ABCD", "ABCDE", "ABCDEF"])
def test_two_to_six_can_play(players: str) -> None:
    game = opened()
    game.seat_all(list(players))
    game.start("the house")
    assert game.view(None).hand_sizes == (7,) * len(players)


@pytest.mark.parametrize(("players", "reason"), [("AA", "duplicate_player"), ("AAAAAAA", "player_count")])
def test_the_number_of_players_is_asked_before_their_names(players: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        opened().seat_all(list(players))
    assert refused.value.reason == reason


def test_a_game_can_start_from_a_position() -> None:
    game = opened()
    game.seat_all(["A", "B"])
    game.start("A", position=laid("JD 2S / 3C", N="QS", turn=1))
    assert game.active() == (1,)
    assert game.view("B").hand == (Card.C3,)


NO_PILES = ((),) * 8


@pytest.mark.parametrize(
    "position",
    [
        laid("JD / 3C / 4C"),
        laid("JD"),
        laid("JD / 3C", turn=2),
        laid("JD / 3C", turn=-1),
        PositionLaid(((Card.JD,), (Card.C3,)), NO_PILES[:7], (), 0),
        PositionLaid(((Card.JD,), (None,)), NO_PILES, (), 0),
        PositionLaid(((Card.JD,), (Card.C3,)), NO_PILES, (None,), 0),
    ],
    ids=[
        "a hand too many",
        "a hand too few",
        "turn too high",
        "turn too low",
        "seven piles",
        "hidden hand",
        "hidden deck",
    ],
)
def test_a_position_must_fit_the_table(position: PositionLaid) -> None:
    game = opened()
    game.seat_all(["A", "B"])
    with pytest.raises(IllegalMove) as refused:
        game.start("A", position=position)
    assert refused.value.reason is HouseRefusal.BAD_POSITION
