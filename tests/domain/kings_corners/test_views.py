"""What seats and spectators see (RULES 7)."""

import pytest

from fairdeal.domain.kernel.french_deck import DECK, Card, cards
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kings_corners.cards import FOUNDATIONS, PILES, Pile
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    CardsDealt,
    NothingDrawn,
    PileMoved,
    PositionLaid,
    TurnPassed,
)
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, PlayCard
from fairdeal.domain.kings_corners.views import PileView
from fairdeal.testing import given
from positions.kings_corners import dealt, laid

POSITION = laid("JD 2S / 3C", deck="10D 9D 8D", N="QS", NE="KC QH", turn=1)


def test_a_seat_sees_its_own_hand_and_the_sizes_of_the_others() -> None:
    seen = KINGS_CORNERS.eyes.view(given(KINGS_CORNERS, POSITION).state, 0)
    assert seen.seat == 0
    assert seen.hand == (Card.JD, Card.S2)
    assert seen.hand_sizes == (2, 1)


def test_a_spectator_sees_no_hand() -> None:
    seen = KINGS_CORNERS.eyes.view(given(KINGS_CORNERS, POSITION).state, None)
    assert seen.seat is None
    assert seen.hand is None


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_all_piles_the_size_of_the_deck_and_the_turn(viewer: int | None) -> None:
    seen = KINGS_CORNERS.eyes.view(given(KINGS_CORNERS, POSITION).state, viewer)
    assert [pile.pile for pile in seen.piles] == list(PILES)
    assert seen.piles[0] == PileView(Pile.N, (Card.QS,))
    assert seen.pile(Pile.NE) == (Card.KC, Card.QH)
    assert seen.pile(Pile.SW) == ()
    assert seen.deck_size == 3
    assert seen.turn == 1
    assert not seen.over


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_who_has_won(viewer: int | None) -> None:
    won = given(KINGS_CORNERS, laid("JD / 3C", N="QS")).when(0, PlayCard("JD", "N"))
    seen = KINGS_CORNERS.eyes.view(won.state, viewer)
    assert (seen.over, seen.winner, seen.turn) == (True, 0, 0)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_a_stalemate(viewer: int | None) -> None:
    ended = given(KINGS_CORNERS, laid("JD / 3C", deck="")).when(0, END_TURN).when(1, END_TURN)
    seen = KINGS_CORNERS.eyes.view(ended.state, viewer)
    assert (seen.over, seen.winner, seen.turn) == (True, None, 0)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_of_the_deal_one_sees_ones_own_cards_and_the_foundations(viewer: int | None) -> None:
    event = KINGS_CORNERS.eyes.redact(CardsDealt(0, 3, DECK), viewer)
    own = range(0) if viewer is None else range(7 * viewer, 7 * viewer + 7)
    seen = {*own, *range(21, 25)}
    assert event == CardsDealt(0, 3, tuple(card if at in seen else None for at, card in enumerate(DECK)))


def test_of_a_position_one_sees_ones_own_hand_and_the_piles() -> None:
    nothing = (None, None, None)
    assert KINGS_CORNERS.eyes.redact(POSITION, 0) == PositionLaid((cards("JD 2S"), (None,)), POSITION.piles, nothing, 1)
    assert KINGS_CORNERS.eyes.redact(POSITION, None) == PositionLaid(
        ((None, None), (None,)), POSITION.piles, nothing, 1
    )


def test_a_drawn_card_is_shown_to_its_owner_only() -> None:
    drawn = CardDrawn(1, Card.AC)
    assert KINGS_CORNERS.eyes.redact(drawn, 1) == drawn
    assert KINGS_CORNERS.eyes.redact(drawn, 0) == CardDrawn(1, None)
    assert KINGS_CORNERS.eyes.redact(drawn, None) == CardDrawn(1, None)


@pytest.mark.parametrize(
    "event",
    [
        CardPlayed(0, Card.JD, Pile.N),
        PileMoved(0, Pile.E, Pile.N, (Card.S9,)),
        NothingDrawn(0),
        TurnPassed(1),
        GameFinished((0,), (), "won"),
    ],
)
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everything_else_is_public(event: object, viewer: int | None) -> None:
    assert KINGS_CORNERS.eyes.redact(event, viewer) is event


def test_hidden_are_the_other_hands_and_the_deck() -> None:
    state = dealt(DECK, 2).state
    table = [card for pile in FOUNDATIONS for card in state.piles[pile]]
    for viewer in (0, 1):
        assert sorted(KINGS_CORNERS.eyes.hidden(state, viewer)) == sorted(set(DECK) - {*state.hands[viewer], *table})
    assert sorted(KINGS_CORNERS.eyes.hidden(state, None)) == sorted(set(DECK) - {*table})
