"""Open cards: after the end every card of every place is shown, each one once, and what moved between versions."""

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import InvalidQuery, StillRunning
from fairdeal.application.history.replay import Replay
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.places import Place, cards_in
from fairdeal.domain.red7 import cards as red7_cards
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.testing.recorded import CODEC, recorded_game
from golden.make import FOLDER
from kits.audit import first, golden, short_log

DECKS = {"kings_corners": DECK, "pardon": DECK, "red7": red7_cards.DECK, "reviiyot": pack_of(10).cards}


@pytest.mark.parametrize("kind", KINDS)
def test_every_card_is_shown_once_at_every_version(kind: str) -> None:
    records = recorded_game(KINDS[kind])
    replay = Replay(records, CODEC, open_cards=True)
    everything = sorted(map(repr, cards_in(replay.go_to(replay.head).places)))
    if kind in DECKS:
        assert everything == sorted(map(repr, DECKS[kind]))
    else:
        assert len(set(everything)) == 40, "two decks of twenty cards"
    dealt = first(records, "hand_dealt" if kind == "tcg" else "cards_dealt")
    for version in range(dealt, replay.head + 1):
        assert sorted(map(repr, cards_in(replay.go_to(version).places))) == everything


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.jsonl")))
def test_no_card_is_ever_in_two_places_or_in_none(name: str) -> None:
    replay = Replay(golden(name), CODEC, open_cards=True)
    seen: set[str] = set()
    for version in range(replay.head + 1):
        cards = list(map(repr, cards_in(replay.go_to(version).places)))
        assert len(set(cards)) == len(cards), f"twice at version {version}"
        assert seen <= set(cards), f"gone at version {version}"
        seen |= set(cards)


def test_a_minion_on_its_way_to_the_board_is_being_played() -> None:
    records = golden("tcg-full-2")
    placed = first(records, "minion_placed")
    event = CODEC.events(records)[placed - 1]
    replay = Replay(records, CODEC, open_cards=True)

    def where(version: int) -> list[str]:
        return [place.name for place in replay.go_to(version).places if event.card in place.cards]

    assert [where(placed + step) for step in (-2, -1, 0)] == [["hand"], ["being played"], ["board"]]
    changes = {change.path: change.after for change in replay.difference(placed - 2, placed - 1)}
    assert changes[f"being played of {replay.game.players[event.seat]}"] == (event.card,)


@pytest.mark.parametrize("kind", KINDS)
def test_with_open_cards_the_view_is_that_of_the_public_table(kind: str) -> None:
    records = recorded_game(KINDS[kind], 1)
    replay, spectator = Replay(records, CODEC, open_cards=True), Replay(records, CODEC)
    for version in (0, 1, 20, replay.head):
        frame, seen = replay.go_to(version), spectator.go_to(version)
        assert frame.view == seen.view
        assert replay.tables() == spectator.tables()
        assert bool(frame.places) == (frame.view is not None)
        assert seen.places == ()


@pytest.mark.parametrize("kind", KINDS)
def test_hands_are_those_that_their_players_saw(kind: str) -> None:
    records = recorded_game(KINDS[kind], 2)
    frame = Replay(records, CODEC, open_cards=True).go_to(20)
    for seat, player in enumerate(("ann", "bob")):
        (hand,) = [place.cards for place in frame.places if (place.name, place.seat) == ("hand", seat)]
        seen = Replay(records, CODEC, player).go_to(20).view.hand
        assert [getattr(card, "card", card) for card in seen] == list(hand)


@pytest.mark.parametrize("kind", KINDS)
def test_the_cards_of_a_running_game_stay_closed(kind: str) -> None:
    with pytest.raises(StillRunning):
        Replay(short_log(kind), CODEC, open_cards=True)


def test_the_face_down_cards_of_pardon_are_among_them() -> None:
    records = recorded_game(KINDS["pardon"])
    dealt = first(records, "cards_dealt")
    frame = Replay(records, CODEC, open_cards=True).go_to(dealt)
    deck = CODEC.events(records)[dealt - 1].deck
    closed = [place for place in frame.places if place.name == "face-down cards"]
    assert closed == [Place("face-down cards", seat, deck[at : at + 3]) for seat, at in ((0, 21), (1, 24), (2, 27))]
    assert frame.places[-1] == Place("deck", None, deck[30:])


def test_the_top_card_of_a_deck_comes_first() -> None:
    records = golden("kings_corners-classic-2")
    drawn = first(records, "card_drawn")
    replay = Replay(records, CODEC, open_cards=True)
    deck = replay.go_to(drawn - 1).places[-1]
    assert (deck.name, deck.cards[0]) == ("deck", CODEC.events(records)[drawn - 1].card)


def test_a_viewer_and_open_cards_are_not_both_to_be_had() -> None:
    with pytest.raises(InvalidQuery, match="viewer: expected no viewer"):
        Replay(golden("kings_corners-classic-2"), CODEC, "ann", open_cards=True)


# -- differences -----------------------------------------------------------------------------------------------------


def test_a_change_that_everybody_saw_is_told_once_and_hidden_ones_by_their_places() -> None:
    records = golden("kings_corners-classic-2")
    replay = Replay(records, CODEC, open_cards=True)
    drawn = first(records, "card_drawn")
    assert [change.path for change in replay.difference(drawn - 1, drawn)] == [
        "hand_sizes", "deck_size", "hand of ann", "deck",
    ]  # fmt: skip
    played = first(records, "card_played")
    paths = [change.path for change in replay.difference(played - 1, played)]
    assert len(paths) == 3
    assert paths[1].startswith("piles[")


def test_before_the_deal_all_places_are_empty() -> None:
    replay = Replay(golden("kings_corners-classic-2"), CODEC, open_cards=True)
    changes = {change.path: (change.before, change.after) for change in replay.difference(0, 6)}
    assert changes["the table"][0] is None
    assert changes["hand of bob"][0] == ()
    assert len(changes["hand of bob"][1]) == 7
    assert "corner NE" not in changes


def test_nothing_has_moved_between_a_version_and_itself() -> None:
    replay = Replay(golden("pardon-classic-2"), CODEC, open_cards=True)
    assert replay.difference(9, 9) == ()
