"""Games played by bots, and states as values."""

from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

import pytest

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardPlayed, PileMoved
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import Move
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing import changed, play
from fairdeal.testing.play import every_table
from fairdeal.testing.snapshot import exchange, snapshot


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    one, again, other = (play(KINGS_CORNERS, seed=seed) for seed in (1, 1, 2))
    assert one.events == again.events
    assert one.events != other.events


def test_a_game_is_played_to_its_end_and_every_step_is_kept() -> None:
    game = play(KINGS_CORNERS, seats=3, seed=4)
    assert game.outcome == game.events[-1]
    assert [step.before.turn for step in game.steps] == [step.seat for step in game.steps]
    assert game.state.over


def test_states_are_kept_only_if_wanted() -> None:
    game = play(KINGS_CORNERS, seed=1, keep_states=False)
    assert {step.before for step in game.steps} == {None}
    assert game.events == play(KINGS_CORNERS, seed=1).events


def test_bots_play_by_name() -> None:
    game = play(KINGS_CORNERS, seed=1, bots=["greedy", "sensible"])
    assert game.outcome.winners


def test_a_game_that_has_not_ended_has_no_outcome() -> None:
    game = play(KINGS_CORNERS, seed=1)
    del game.steps[-1]
    with pytest.raises(AssertionError, match="has not ended"):
        _ = game.outcome


def test_a_game_that_does_not_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("fairdeal.testing.play"), "MOST_MOVES", 100)

    def nothing_happens(draft: Draft[KingsCorners], seat: int, move: Move, chance: Chance) -> None:
        """Whatever is tried."""

    with pytest.raises(AssertionError, match="Kings Corners with seed 1 does not end within 100 moves"):
        play(changed(KINGS_CORNERS, decide=nothing_happens), seed=1)


def test_every_table_is_every_number_of_seats_with_every_preset() -> None:
    two_ways = changed(KINGS_CORNERS, presets={"classic": NoOptions(), "again": NoOptions()})
    assert [(seats, name) for seats, name, _ in every_table(two_ways, most_seats=3)] == [
        (2, "classic"),
        (2, "again"),
        (3, "classic"),
        (3, "again"),
    ]


class Plain:
    """Without slots, as a state may be too."""

    def __init__(self) -> None:
        self.cards = {Card.AC, Card.KS}
        self.places: dict[str, Any] = {"N": (1, None), "E": [CardDrawn(0, Card.AC)]}


def test_a_snapshot_is_the_same_exactly_if_nothing_differs() -> None:
    one, other = Plain(), Plain()
    assert snapshot(one) == snapshot(other)
    other.places["E"].append(2)
    assert snapshot(one) != snapshot(other)
    assert snapshot(frozenset({1, 2})) == snapshot(frozenset({2, 1}))
    assert snapshot(CardDrawn(0, None)) != snapshot(CardDrawn(1, None))
    assert snapshot(CardDrawn(0, None)) == CardDrawn(0, None), "what never changes stands for itself"


def test_a_snapshot_does_not_change_with_what_it_was_taken_of() -> None:
    state = KingsCorners(2)
    before = snapshot(state)
    state.hands[0].append(Card.AC)
    assert before != snapshot(state)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Tile:
    """A card of another kind of game: a value of several parts."""

    number: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class TilesLaid:
    seat: int
    tiles: tuple[Tile | None, ...]


def test_exchanged_cards_stand_where_their_partners_stood() -> None:
    swaps = {Card.AC: Card.KS, Card.KS: Card.AC}
    assert exchange(CardPlayed(1, Card.AC, Pile.N), swaps) == CardPlayed(1, Card.KS, Pile.N)
    assert exchange(PileMoved(0, Pile.N, Pile.E, (Card.KS, Card.QH)), swaps) == PileMoved(
        0, Pile.N, Pile.E, (Card.AC, Card.QH)
    )
    assert exchange(CardDrawn(0, None), swaps) == CardDrawn(0, None)


def test_cards_that_are_dataclasses_can_be_exchanged_too() -> None:
    one, two = Tile(1, Colour.RED), Tile(2, Colour.RED)
    assert exchange(TilesLaid(1, (one, None, two)), {one: two, two: one}) == TilesLaid(1, (two, None, one))


@pytest.mark.parametrize("thing", [[Card.AC], {Card.AC}, {Card.AC: 1}, CardDrawn])
def test_what_an_event_must_not_hold_is_noticed(thing: object) -> None:
    with pytest.raises(TypeError, match="events hold scalars"):
        exchange(thing, {})
