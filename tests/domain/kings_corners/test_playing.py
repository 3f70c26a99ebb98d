"""Playing cards from the hand (RULES 3 and 4.1)."""

from itertools import permutations

import pytest

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kings_corners.cards import CORNERS, FOLLOWERS, FOUNDATIONS, KINGS, PILES, Pile, follows
from fairdeal.domain.kings_corners.events import CardPlayed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, PlayCard
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing.given import Given
from positions.kings_corners import laid

PAIRS = list(permutations(DECK, 2))


def holding(card: Card, **piles: str) -> Given:
    """Seat 0 holds this card and another one, so that playing it does not win."""
    spare = "3C" if card is Card.S2 else "2S"
    return given(KINGS_CORNERS, laid(f"{card} {spare} / 9D", deck="10D", turn=0, **piles))


def test_96_of_the_2652_pairs_follow() -> None:
    assert len(PAIRS) == 2652
    assert sum(follows(card, top) for card, top in PAIRS) == 96


def test_nothing_follows_an_ace_and_a_king_follows_nothing() -> None:
    for card in DECK:
        assert not any(follows(card, ace) for ace in DECK if ace.rank == 1)
        assert not any(follows(king, card) for king in KINGS)


def test_the_table_of_followers_says_what_the_rule_says() -> None:
    assert {(card, top) for top in DECK for card in FOLLOWERS[top]} == {pair for pair in PAIRS if follows(*pair)}


@pytest.mark.parametrize("pile", [Pile.S, Pile.NW])
def test_a_card_goes_onto_another_exactly_if_it_follows_it(pile: Pile) -> None:
    for card, top in PAIRS:
        tried = holding(card, **{pile: top}).when(0, PlayCard(card, pile))
        if follows(card, top):
            tried.then(CardPlayed(0, card, pile))
        elif card.rank == top.rank - 1:
            tried.then_refused(Refusal.SAME_COLOUR)
        else:
            tried.then_refused(Refusal.WRONG_RANK)


@pytest.mark.parametrize("pile", FOUNDATIONS)
def test_an_empty_foundation_takes_every_card(pile: Pile) -> None:
    for card in DECK:
        holding(card).when(0, PlayCard(card, pile)).then(CardPlayed(0, card, pile))


@pytest.mark.parametrize("pile", CORNERS)
def test_an_empty_corner_takes_kings_only(pile: Pile) -> None:
    for card in DECK:
        tried = holding(card).when(0, PlayCard(card, pile))
        if card in KINGS:
            tried.then(CardPlayed(0, card, pile))
        else:
            tried.then_refused(Refusal.CORNER_NEEDS_KING)


def test_a_card_played_leaves_the_hand_and_lies_on_top() -> None:
    (
        given(KINGS_CORNERS, laid("JD 2S / 3C", N="KH QS"))
        .when(0, PlayCard("JD", "N"))
        .then_state(lambda state: state.hands == [[Card.S2], [Card.C3]])
        .then_state(lambda state: state.piles[Pile.N] == (Card.KH, Card.QS, Card.JD))
        .then_state(lambda state: state.turn == 0)
    )


def test_the_drawn_card_waits_for_the_next_turn() -> None:
    table = given(KINGS_CORNERS, laid("3D 2S / 3C", deck="JD 4C", N="QS"))
    table.when(0, END_TURN).when(0, PlayCard("JD", "N")).then_refused(Refusal.NOT_YOUR_TURN)
    table.when(0, END_TURN).when(1, END_TURN).when(0, PlayCard("JD", "N")).then(CardPlayed(0, Card.JD, Pile.N))


@pytest.mark.parametrize("name", ["JD", "1D", "", "jd", "N", "JDD"])
def test_a_card_that_one_does_not_hold_or_that_does_not_exist_is_not_in_the_hand(name: str) -> None:
    table = given(KINGS_CORNERS, laid("4D 2S / JD", N="QS"))
    table.when(0, PlayCard(name, "N")).then_refused(Refusal.CARD_NOT_IN_HAND)


@pytest.mark.parametrize("name", ["X", "", "n", "NNE", "JD", "deck"])
def test_there_are_eight_piles_and_no_others(name: str) -> None:
    given(KINGS_CORNERS, laid("JD 2S / 3C", N="QS")).when(0, PlayCard("JD", name)).then_refused(Refusal.UNKNOWN_PILE)


def test_cards_and_piles_may_be_named_by_plain_words() -> None:
    for pile in PILES:
        holding(Card.KD).when(0, PlayCard("KD", pile.value)).then(CardPlayed(0, Card.KD, pile))
