"""The deal, and the choice of three cards to lie face up (RULES 2)."""

from dataclasses import replace
from itertools import combinations

import pytest

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.pardon.cards import as_cards, as_set
from fairdeal.domain.pardon.events import CardsDealt, FaceDown, FaceUpChosen, PlayStarted, PositionLaid
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import ChooseFaceUp, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.options import PardonOptions, check_options
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.domain.pardon.state import Pardon
from fairdeal.testing import given
from fairdeal.testing.given import Given
from fairdeal.testing.play import chance_of
from positions.pardon import position


def dealt(seats: int) -> Given:
    """The cards in their canonical order: the first seat gets AC to 7C, the second 8C to AD, and so on."""
    return given(PARDON, CardsDealt(0, seats, DECK), seats=seats)


def hand(state: Pardon, seat: int) -> tuple[str, ...]:
    return as_cards(state.hands[seat])


@pytest.mark.parametrize(("seats", "left"), [(2, 32), (3, 22), (4, 12), (5, 2)])
def test_seven_cards_each_then_three_face_down_each_the_rest_is_the_deck(seats: int, left: int) -> None:
    state = dealt(seats).state
    for seat in range(seats):
        assert state.hands[seat] == as_set(DECK[7 * seat : 7 * seat + 7])
        first = 7 * seats + 3 * seat
        assert state.face_down[seat] == dict(zip((1, 2, 3), DECK[first : first + 3], strict=True))
        assert not state.face_up[seat]
    assert state.deck[state.gone :] == DECK[10 * seats :]
    assert state.deck_size == left
    assert state.current is None


def test_a_shuffled_deal_tells_the_number_of_its_shuffle_and_the_whole_deck() -> None:
    draft = Draft(PARDON.play.initial_state(3, PardonOptions(), (None,) * 3), PARDON.play.evolve)
    chance = chance_of(1, 3)
    PARDON.play.deal(draft, chance, None)
    assert draft.events == [CardsDealt(0, 3, chance.shuffle(0, DECK))]


@pytest.mark.parametrize("deck", [DECK[1:], (*DECK[1:], DECK[1])])
def test_a_given_deck_holds_every_card_once(deck: tuple[str, ...]) -> None:
    draft = Draft(PARDON.play.initial_state(2, PardonOptions(), (None,) * 2), PARDON.play.evolve)
    with pytest.raises(IllegalMove) as refused:
        PARDON.play.deal(draft, chance_of(1, 2), deck)
    assert refused.value.reason is HouseRefusal.BAD_DECK


def test_everybody_chooses_in_any_order_and_the_last_choice_starts_the_play_with_the_first_seat() -> None:
    table = dealt(3)
    assert PARDON.play.active(table.state) == (0, 1, 2)
    one = table.when(2, ChooseFaceUp(("4D", "2D", "3D"))).then(FaceUpChosen(2, tuple(DECK[n] for n in (16, 14, 15))))
    assert PARDON.play.active(one.state) == (0, 1)
    two = one.when(0, ChooseFaceUp(("AC", "2C", "3C"))).then(FaceUpChosen(0, DECK[:3]))
    assert PARDON.play.active(two.state) == (1,)
    last = two.when(1, ChooseFaceUp(("8C", "9C", "10C"))).then(FaceUpChosen(1, DECK[7:10]), PlayStarted(0))
    assert PARDON.play.active(last.state) == (0,)
    assert last.state.current == 0
    assert hand(last.state, 0) == ("4C", "5C", "6C", "7C")


def test_the_choices_are_all_threes_of_the_seven_cards() -> None:
    table = dealt(2)
    sorted_hand = ("2C", "3C", "4C", "5C", "6C", "7C", "AC")
    assert PARDON.play.legal(table.state, 0) == [ChooseFaceUp(three) for three in combinations(sorted_hand, 3)]
    chosen = table.when(0, ChooseFaceUp(("2C", "3C", "4C")))
    assert PARDON.play.legal(chosen.state, 0) == []
    assert len(PARDON.play.legal(chosen.state, 1)) == 35


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ((), Refusal.NEED_THREE),
        (("2C", "3C"), Refusal.NEED_THREE),
        (("2C", "3C", "4C", "5C"), Refusal.NEED_THREE),
        (("2C", "3C", "3C"), Refusal.NEED_THREE),
        (("2C", "3C", "4C", "4C"), Refusal.NEED_THREE),
        (("KS", "KS"), Refusal.NEED_THREE),
        (("2C", "3C", "8C"), Refusal.CARD_NOT_IN_HAND),
        (("2C", "3C", "joker"), Refusal.CARD_NOT_IN_HAND),
    ],
)
def test_a_choice_is_three_different_cards_of_the_own_hand(names: tuple[str, ...], reason: Refusal) -> None:
    dealt(2).when(0, ChooseFaceUp(names)).then_refused(reason)


def test_a_choice_is_final() -> None:
    chosen = dealt(2).when(0, ChooseFaceUp(("2C", "3C", "4C")))
    chosen.when(0, ChooseFaceUp(("5C", "6C", "7C"))).then_refused(Refusal.ALREADY_CHOSEN)
    chosen.when(0, ChooseFaceUp(())).then_refused(Refusal.ALREADY_CHOSEN)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("move", [PlayCards(("4C",)), PlayCards(()), TakeTable(), TurnFaceDown(1)])
def test_nobody_plays_before_everybody_has_chosen(seat: int, move: object) -> None:
    dealt(2).when(0, ChooseFaceUp(("2C", "3C", "AC"))).when(seat, move).then_refused(Refusal.WRONG_PHASE)


@pytest.mark.parametrize("limit", [None, 1, 200])
def test_a_limit_without_progress_is_at_least_one_or_none(limit: int | None) -> None:
    check_options(PardonOptions(limit))


@pytest.mark.parametrize("limit", [0, -1])
def test_another_limit_is_refused(limit: int) -> None:
    with pytest.raises(IllegalMove) as refused:
        check_options(PardonOptions(limit))
    assert refused.value.reason is Refusal.BAD_LIMIT


GOOD = position("4C / 4D", face_up="5C / 5D", face_down="KC - KH / QC QD QH", deck="AS")


@pytest.mark.parametrize(
    "bad",
    [
        replace(GOOD, hands=GOOD.hands[:1]),
        replace(GOOD, face_up=(*GOOD.face_up, ())),
        replace(GOOD, face_down=()),
        replace(GOOD, turn=2),
        replace(GOOD, turn=-1),
        replace(GOOD, face_down=((FaceDown(4, DECK[0]),), ())),
        replace(GOOD, face_down=((FaceDown(1, None),), ())),
        replace(GOOD, hands=((None,), ())),
        replace(GOOD, deck=(None,)),
    ],
)
def test_a_position_must_fit_the_table(bad: PositionLaid) -> None:
    PARDON.setup.check_position(2, GOOD)
    with pytest.raises(IllegalMove) as refused:
        PARDON.setup.check_position(2, bad)
    assert refused.value.reason is HouseRefusal.BAD_POSITION
