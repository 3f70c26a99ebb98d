"""Moving whole piles (RULES 4.2)."""

from itertools import permutations

import pytest

from fairdeal.domain.kernel.french_deck import DECK, Card, cards
from fairdeal.domain.kings_corners.cards import CORNERS, FOUNDATIONS, KINGS, PILES, Pile, follows
from fairdeal.domain.kings_corners.events import PileMoved
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import MovePile
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.testing import given
from fairdeal.testing.given import Given
from positions.kings_corners import laid


def table(**piles: str) -> Given:
    return given(KINGS_CORNERS, laid("2S / 3C", deck="10D", turn=0, **piles))


@pytest.mark.parametrize("target", [Pile.W, Pile.SE])
def test_a_pile_goes_onto_another_exactly_if_its_bottom_follows_the_top(target: Pile) -> None:
    for bottom, top in permutations(DECK, 2):
        tried = table(**{Pile.N: bottom, target: top}).when(0, MovePile("N", target))
        if follows(bottom, top):
            tried.then(PileMoved(0, Pile.N, target, (bottom,)))
        elif bottom.rank == top.rank - 1:
            tried.then_refused(Refusal.SAME_COLOUR)
        else:
            tried.then_refused(Refusal.WRONG_RANK)


def test_a_pile_moves_as_a_whole_in_its_order() -> None:
    (
        table(N="JC 10H", E="9S 8D 7C")
        .when(0, MovePile("E", "N"))
        .then(PileMoved(0, Pile.E, Pile.N, cards("9S 8D 7C")))
        .then_state(lambda state: state.piles[Pile.N] == cards("JC 10H 9S 8D 7C"))
        .then_state(lambda state: state.piles[Pile.E] == ())
        .then_state(lambda state: state.hands == [[Card.S2], [Card.C3]])
        .then_state(lambda state: state.turn == 0)
    )


def test_the_top_of_the_moved_pile_does_not_matter() -> None:
    table(N="10H", E="QS JH 10S 9D 8S").when(0, MovePile("E", "N")).then_refused(Refusal.WRONG_RANK)


def test_anybody_on_turn_may_move_any_pile() -> None:
    position = laid("2S / 3C", turn=1, N="10H", E="9S")
    given(KINGS_CORNERS, position).when(1, MovePile("E", "N")).then(PileMoved(1, Pile.E, Pile.N, (Card.S9,)))


@pytest.mark.parametrize("pile", ["KS", "KS QH", "KS QH JC 10D 9S 8H 7C 6D 5S 4H 3C 2D AS"])
@pytest.mark.parametrize("corner", CORNERS)
def test_a_king_led_foundation_of_any_length_moves_into_an_empty_corner(pile: str, corner: Pile) -> None:
    table(W=pile).when(0, MovePile("W", corner)).then(PileMoved(0, Pile.W, corner, cards(pile)))


def test_no_other_pile_opens_a_corner() -> None:
    for card in DECK:
        if card not in KINGS:
            table(W=card).when(0, MovePile("W", "SW")).then_refused(Refusal.CORNER_NEEDS_KING)


@pytest.mark.parametrize("target", FOUNDATIONS)
def test_no_pile_moves_to_an_empty_foundation(target: Pile) -> None:
    sources = [pile for pile in PILES if pile is not target]
    for source in sources:
        table(**{source: "KS QH"}).when(0, MovePile(source, target)).then_refused(Refusal.EMPTY_TARGET)


def test_a_corner_pile_never_leaves_its_corner() -> None:
    for top in DECK:
        if top is not Card.KC:
            table(NE="KC QH", N=top).when(0, MovePile("NE", "N")).then_refused(Refusal.WRONG_RANK)
    table(NE="KC QH", SW="KH").when(0, MovePile("NE", "SW")).then_refused(Refusal.WRONG_RANK)
    table(NE="KC QH").when(0, MovePile("NE", "SW")).then_refused(Refusal.NO_EFFECT)
    table(NE="KC QH").when(0, MovePile("NE", "S")).then_refused(Refusal.EMPTY_TARGET)


@pytest.mark.parametrize("pile", PILES)
def test_a_pile_does_not_move_onto_itself(pile: Pile) -> None:
    table(**{pile: "KS"}).when(0, MovePile(pile, pile)).then_refused(Refusal.SAME_PILE)


@pytest.mark.parametrize("pile", [pile for pile in PILES if pile is not Pile.N])
def test_an_empty_pile_cannot_be_moved(pile: Pile) -> None:
    table(N="QH").when(0, MovePile(pile, "N")).then_refused(Refusal.EMPTY_SOURCE)


@pytest.mark.parametrize(("source", "target"), [("X", "N"), ("N", "X"), ("X", "X"), ("", "N"), ("N", "ne")])
def test_both_piles_must_exist(source: str, target: str) -> None:
    table(N="KS").when(0, MovePile(source, target)).then_refused(Refusal.UNKNOWN_PILE)
