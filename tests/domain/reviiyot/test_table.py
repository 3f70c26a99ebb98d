"""The deal, what may be brought, positions, what everybody sees, and how it is told and drawn."""

from typing import Any, cast
from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.reviiyot.events import CardsAsked, CardsDealt, CardsDrawn, CardsGiven, PositionLaid, SetDiscarded
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.reviiyot.refusals import Refusal
from fairdeal.testing import given
from positions.reviiyot import position

NAMES = ("Ami", "Tami", "Dana")


def table(players: int, n: int, brought: PlaysBy | None = None) -> Game:
    game = Game.open(UUID(int=0), REVIIYOT, "the house", ReviiyotOptions(n), bytes(32))
    for player in range(players):
        game.join(f"p{player}", brought=brought)
    return game


def refused(reason: str, call: Any, *arguments: Any, **named: Any) -> None:
    with pytest.raises(IllegalMove) as caught:
        call(*arguments, **named)
    assert caught.value.reason == reason


# -- the deal ---------------------------------------------------------------------------------------


def test_the_pack_is_ascending_by_value_and_shape() -> None:
    assert " ".join(pack_of(1).cards) == "JC JD JH JS QC QD QH QS KC KD KH KS AC AD AH AS"
    assert pack_of(10).values == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    assert len(pack_of(1000).cards) == 4012


def test_a_forged_deal_of_another_number_of_cards_is_not_followed() -> None:
    with pytest.raises(ValueError, match="not the whole deck"):
        given(REVIIYOT, CardsDealt(0, ("2C", "3C")))


def test_seven_cards_at_once_go_to_each_seat_and_dealt_sets_are_discarded() -> None:
    deck = ["2C", "2D", "3C", "2H", "2S", "4C", "5C", "3D", "3H", "3S", "4D", "4H", "4S", "5D"]
    rest = [card for card in pack_of(5).cards if card not in deck]
    game = table(2, 5)
    game.start("the house", deck=(*deck, *rest))
    assert game.pending[-2:] == [CardsDealt(0, (*deck, *rest)), SetDiscarded(0, "2")]
    assert [game.state.hand(seat) for seat in (0, 1)] == [("3C", "4C", "5C"), tuple(sorted(deck[7:]))]
    assert game.state.top(2) == tuple(rest[:2])


def test_a_shuffle_can_be_repeated_from_the_canonical_order() -> None:
    game = table(3, 7)
    game.start("the house")
    assert CardsDealt(0, game.chance.shuffle(0, pack_of(7).cards)) in game.pending


def test_seven_cards_for_everybody_must_be_there() -> None:
    table(4, 4).start("the house")
    refused(HouseRefusal.PLAYER_COUNT, table(5, 4).start, "the house")
    refused(HouseRefusal.PLAYER_COUNT, table(1, 4).start, "the house")
    refused(HouseRefusal.PLAYER_COUNT, table(3, 1).start, "the house")


def test_a_given_deck_is_the_full_deck_of_that_n() -> None:
    cards = pack_of(4).cards
    for deck in (cards[1:], (*cards, "5C"), (*cards[1:], "5C"), (*cards[1:], "3S")):
        refused(HouseRefusal.BAD_DECK, table(2, 4).start, "the house", deck=deck)


def test_a_huge_deck_is_refused_before_it_is_built() -> None:
    refused(Refusal.BAD_N, table(2, 10**9).start, "the house")
    refused(HouseRefusal.BAD_DECK, table(2, 10**9).start, "the house", deck=pack_of(4).cards)
    refused(HouseRefusal.BAD_POSITION, table(2, 10).start, "the house", position=position("2C / 2D", n=10**9))


@pytest.mark.parametrize("n", [0, -1, 2**31])
def test_n_is_1_or_more(n: int) -> None:
    refused(Refusal.BAD_N, table, 0, n)


def test_a_player_may_bring_one_of_four_strategies() -> None:
    game = table(2, 4, PlaysBy(Strategy.HIGHEST))
    refused(Refusal.BAD_STRATEGY, game.join, "p2", brought=PlaysBy(cast(Strategy, "5")))
    game.start("the house")
    assert [game.view(player).strategy for player in ("p0", "p1", None)] == [Strategy.HIGHEST, Strategy.HIGHEST, None]


@pytest.mark.parametrize(
    "laid",
    [
        position("2C 3C / 2D 99C"),
        position("2C 3C / 2D", n=2),
        position("JC / JD", n=0),
        PositionLaid(10, (("2C",), (None,)), (), 0),
        position("2C 3C / 2D", deck="2C"),
        position("2C 3C / 2D / 2H"),
        position("2C 3C"),
        position("2C 3C / "),
        position("2C 3C / 2D", turns=-1),
    ],
)
def test_a_position_that_cannot_be_played_is_refused(laid: PositionLaid) -> None:
    refused(HouseRefusal.BAD_POSITION, table(2, 10).start, "the house", position=laid)


def test_a_position_goes_on_with_its_next_turn() -> None:
    game = table(3, 10)
    game.start("the house", position=position("2C 3C / 2D KC / 5H", deck="AS", turns=7))
    assert game.active() == (1,)
    assert sorted(cards_in(REVIIYOT.eyes.places(game.state))) == ["2C", "2D", "3C", "5H", "AS", "KC"]


# -- what everybody sees ----------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_the_sizes_of_the_others() -> None:
    state = given(REVIIYOT, position("3C 2C / 2D KC / 5H", deck="AS QS", turns=2), seats=3).state
    seen = REVIIYOT.eyes.view(state, 0)
    assert (seen.hand, seen.hand_sizes, seen.deck_size, seen.turns, seen.turn) == (("2C", "3C"), (2, 2, 1), 2, 2, 2)
    assert REVIIYOT.eyes.view(state, None).hand is None


def test_a_seat_sees_whom_it_asked_last_and_nobody_elses_pointer() -> None:
    after = given(REVIIYOT, position("3C 2C / 2D KC / 5H"), seats=3).when(0, Ask(2, "3"))
    assert [REVIIYOT.eyes.view(after.state, seat).last_asked for seat in (0, 1, 2, None)] == [2, None, None, None]


def test_given_cards_are_seen_by_giver_and_receiver_drawn_cards_by_their_owner() -> None:
    gift = CardsGiven(1, 0, "2", ("2C", "2D"))
    assert [REVIIYOT.eyes.redact(gift, seat).cards for seat in (0, 1, 2, None)] == [
        ("2C", "2D"),
        ("2C", "2D"),
        (None, None),
        (None, None),
    ]
    drawn = CardsDrawn(1, ("KS", "AS"))
    assert [REVIIYOT.eyes.redact(drawn, seat).cards for seat in (0, 1, None)] == [
        (None, None),
        ("KS", "AS"),
        (None, None),
    ]


def test_of_a_deal_one_sees_ones_own_seven_cards() -> None:
    dealt = CardsDealt(0, pack_of(4).cards)
    shown = REVIIYOT.eyes.redact(dealt, 1).deck
    assert shown == (*[None] * 7, *pack_of(4).cards[7:14], *[None] * 14)
    assert set(REVIIYOT.eyes.redact(dealt, None).deck) == {None}


def test_of_a_position_one_sees_ones_own_hand() -> None:
    laid = REVIIYOT.eyes.redact(position("2C 3C / 2D", deck="KS"), 1)
    assert laid == PositionLaid(10, ((None, None), ("2D",)), (None,), 0)


def test_who_asks_whom_for_what_and_discarded_sets_are_public() -> None:
    for event in (CardsAsked(0, 1, "2"), SetDiscarded(0, "2")):
        assert REVIIYOT.eyes.redact(event, None) == event


# -- words, drawings and stored events ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (CardsDealt(0, ()), "Seven cards each are dealt."),
        (position("2C / 2D / 2H", turns=4), "A position is laid out; it is Tami's turn."),
        (CardsAsked(0, 1, "Q"), "Ami asks Tami for the value Q."),
        (CardsGiven(1, 0, "Q", ("QC", "QD")), "Tami gives Ami 2 cards of the value Q: QC QD."),
        (CardsGiven(1, 0, "Q", (None,)), "Tami gives Ami 1 card of the value Q."),
        (CardsDrawn(2, ("10H",)), "Dana draws 1 card: 10H."),
        (CardsDrawn(2, (None, None, None)), "Dana draws 3 cards."),
        (SetDiscarded(2, "10"), "Dana discards all four cards of the value 10."),
    ],
)
def test_every_event_has_its_line(event: Any, line: str) -> None:
    assert REVIIYOT.voice.tell(event, NAMES) == line


def test_an_event_of_another_game_is_not_a_story() -> None:
    with pytest.raises(TypeError, match="Reviiyot does not know the event GameFinished"):
        REVIIYOT.voice.tell(GameFinished((), (), "won"), NAMES)


def test_the_table_is_drawn_with_ones_own_cards() -> None:
    state = given(REVIIYOT, position("3C 2C / 2D KC / 5H", deck="AS QS", turns=2), seats=3).state
    assert REVIIYOT.voice.render(REVIIYOT.eyes.view(state, 0), NAMES) == (
        "deck 2   turn 3   discarded: –\n  Ami: 2C 3C\n  Tami: 2 cards\n→ Dana: 1 card"
    )


def test_the_drawing_of_a_finished_game_points_at_nobody() -> None:
    over = given(REVIIYOT, position("2C 2D 2H / 2S")).when(0, Ask(1, "2"))
    assert REVIIYOT.voice.render(REVIIYOT.eyes.view(over.state, None), NAMES[:2]) == (
        "deck 0   after turn 1   discarded: 2\n  Ami: 0 cards\n  Tami: 0 cards"
    )
