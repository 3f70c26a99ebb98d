"""Who sees what: hands are their owner's, face-down cards nobody's (RULES 9)."""

import pytest

from fairdeal.domain.kernel.french_deck import DECK, cards
from fairdeal.domain.pardon.events import (
    CardsDealt,
    CardsDrawn,
    CardsPlayed,
    FaceDown,
    FaceDownFailed,
    FaceUpChosen,
    PileTaken,
    PositionLaid,
)
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp
from fairdeal.domain.pardon.views import Phase
from fairdeal.testing import given
from positions.pardon import position

VIEWERS = (None, 0, 1)
LAID = position(
    "9C 4C / 4D", table="8H 3H", face_up="5C 6C 7C / 5D 6D 7D", face_down="JC - KC / JD QD KD", deck="AS AH"
)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_deal_one_sees_ones_own_seven_cards_and_nothing_face_down(viewer: int | None) -> None:
    own = range(0) if viewer is None else range(7 * viewer, 7 * viewer + 7)
    shown = tuple(card if at in own else None for at, card in enumerate(DECK))
    assert PARDON.eyes.redact(CardsDealt(0, 2, DECK), viewer) == CardsDealt(0, 2, shown)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_position_one_sees_ones_own_hand_and_what_lies_open(viewer: int | None) -> None:
    shown: PositionLaid = PARDON.eyes.redact(LAID, viewer)
    assert shown.hands == tuple(hand if at == viewer else (None,) * len(hand) for at, hand in enumerate(LAID.hands))
    assert shown.face_down[0] == (FaceDown(1, None), FaceDown(3, None))
    assert shown.face_down[1] == (FaceDown(1, None), FaceDown(2, None), FaceDown(3, None))
    assert shown.deck == (None, None)
    assert (shown.face_up, shown.table, shown.turn) == (LAID.face_up, LAID.table, LAID.turn)


def test_drawn_cards_are_shown_to_their_owner_only_their_number_to_everybody() -> None:
    drawn = CardsDrawn(0, cards("AS AH"))
    assert PARDON.eyes.redact(drawn, 0) == drawn
    assert PARDON.eyes.redact(drawn, 1) == PARDON.eyes.redact(drawn, None) == CardsDrawn(0, (None, None))


@pytest.mark.parametrize(
    "event",
    [
        FaceUpChosen(0, cards("AS AH AC")),
        CardsPlayed(0, cards("9C"), None),
        CardsPlayed(0, cards("9C"), 2),
        FaceDownFailed(0, 1, cards("4C")[0]),
        PileTaken(0, cards("8H 3H")),
    ],
)
def test_what_lies_open_or_is_turned_is_shown_to_everybody(event: object) -> None:
    assert all(PARDON.eyes.redact(event, viewer) == event for viewer in VIEWERS)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_view_shows_what_lies_open_and_the_own_hand(viewer: int | None) -> None:
    view = PARDON.eyes.view(given(PARDON, LAID).state, viewer)
    assert view.hand == {None: None, 0: cards("4C 9C"), 1: cards("4D")}[viewer]
    assert view.phase is Phase.PLAY
    assert view.hand_sizes == (2, 1)
    assert view.chosen == (True, True)
    assert view.face_up == LAID.face_up
    assert view.face_down == ((1, 3), (1, 2, 3))
    assert (view.table, view.burned, view.failed) == (LAID.table, (), None)
    assert (view.deck_size, view.turn, view.over, view.winner) == (2, 0, False, None)
    assert (view.idle, view.no_progress_limit) == (0, 200)


def test_while_everybody_chooses_it_is_nobodys_turn_and_all_see_who_has_chosen() -> None:
    after = given(PARDON, CardsDealt(0, 2, DECK)).when(1, ChooseFaceUp(("8C", "9C", "10C")))
    view = PARDON.eyes.view(after.state, None)
    assert view.phase is Phase.CHOOSE
    assert view.turn is None
    assert view.chosen == (False, True)


def test_the_legal_moves_do_not_depend_on_what_lies_face_down() -> None:
    worlds = [
        given(PARDON, position(" / 4D", table="AH", face_down=f"{closed} / QC QD QH")).state
        for closed in ("4C 5C 6C", "2C 3C 10C", "KC KD KH")
    ]
    assert PARDON.play.legal(worlds[0], 0) == PARDON.play.legal(worlds[1], 0) == PARDON.play.legal(worlds[2], 0)
    assert PARDON.eyes.view(worlds[0], 0) == PARDON.eyes.view(worlds[1], 0) == PARDON.eyes.view(worlds[2], 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_are_the_other_hands_the_deck_and_everything_face_down(viewer: int | None) -> None:
    hands = {None: "9C 4C 4D", 0: "4D", 1: "9C 4C"}[viewer]
    hidden = PARDON.eyes.hidden(given(PARDON, LAID).state, viewer)
    assert sorted(hidden) == sorted(cards(f"{hands} JC KC JD QD KD AS AH"))
