"""What holds after every move of every game, with any rules and any decks (RULES 12)."""

from random import Random

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.tcg.cards import Variation
from fairdeal.domain.tcg.decks import DeckList, build_deck
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.options import PRESETS, TcgOptions, cards_allowed, check_options
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.state import Side, Tcg
from fairdeal.domain.tcg.views import places_of
from fairdeal.testing import GameContract, changed
from fairdeal.testing.play import chance_of
from fairdeal.testing.snapshot import snapshot


@st.composite
def rule_sets(draw: st.DrawFn) -> TcgOptions:
    """Any rule set in which decks of one's own can be brought, with knobs on the small side."""
    some = draw(st.sets(st.sampled_from([v for v in Variation if v is not Variation.DECKS])))
    deck_size = draw(st.integers(1, 24))
    hand_limit = draw(st.integers(1, 8))
    hand_start = draw(st.integers(0, min(deck_size, hand_limit)))
    max_health = draw(st.integers(1, 40))
    return TcgOptions(
        start_health=draw(st.integers(1, max_health)),
        max_health=max_health,
        hand_start=hand_start,
        second_bonus=draw(st.integers(0, min(deck_size, hand_limit) - hand_start)),
        hand_limit=hand_limit,
        max_slots=draw(st.integers(1, 12)),
        bleed=draw(st.integers(1, 5)),
        deck_size=deck_size,
        board_limit=draw(st.none() | st.integers(1, 4)),
        flex_healing=draw(st.booleans()),
        variations=(*sorted(some), Variation.DECKS),
        first=draw(st.none() | st.integers(0, 1)),
    )


@st.composite
def games(draw: st.DrawFn) -> tuple[TcgOptions, tuple[DeckList, DeckList], int]:
    options = draw(rule_sets())
    names = st.sampled_from([card.id for card in cards_allowed(options)])
    cards = st.lists(names, min_size=options.deck_size, max_size=options.deck_size)
    decks = (build_deck("A", draw(cards), STARTER), build_deck("B", draw(cards), STARTER))
    return options, decks, draw(st.integers(0, 10**6))


def must_hold_for(seat: Seat, side: Side, options: TcgOptions) -> None:
    assert 0 <= side.mana <= side.slots <= options.max_slots
    assert len(side.hand) <= options.hand_limit
    assert options.board_limit is None or len(side.board) <= options.board_limit
    assert side.health <= options.max_health
    assert all(minion.health >= 1 for minion in side.board)
    assert len(cards_in(places_of(seat, side))) == options.deck_size


def must_hold(state: Tcg) -> None:
    for seat, side in enumerate(state.sides):
        must_hold_for(seat, side, state.options)
    fallen = [seat for seat, side in enumerate(state.sides) if side.health <= 0]
    assert len(fallen) == (0 if state.winner is None else 1)
    assert state.winner not in fallen


@settings(max_examples=120, deadline=None)
@for_all(games())
def test_the_invariants_hold_after_every_move(game: tuple[TcgOptions, tuple[DeckList, DeckList], int]) -> None:
    options, decks, seed = game
    check_options(options)
    chance, rng = chance_of(seed, 2), Random(seed)
    draft = Draft(TCG.play.initial_state(2, options, decks), TCG.play.evolve)
    TCG.play.deal(draft, chance, None)
    state = draft.state
    numbers = sorted(card.number for card in cards_in(TCG.eyes.places(state)))
    assert numbers == list(range(2 * options.deck_size))
    must_hold(state)
    while state.winner is None:
        TCG.play.decide(draft, state.active, rng.choice(TCG.play.legal(state, state.active)), chance)
        must_hold(state)
    assert isinstance(draft.events[-1], GameFinished)
    assert not any(isinstance(event, GameFinished) for event in draft.events[:-1])
    again = TCG.play.initial_state(2, options, decks)
    for event in draft.events:
        TCG.play.evolve[type(event)](again, event)
    assert snapshot(again) == snapshot(state)


HEALER = "d1 d3 bolt wall mend medic study scout peek d5"
BURNER = "d0 spark raider meteor blunt folly bandage elixir archive d4"
MIXED = (build_deck("Healer", HEALER.split() * 2, STARTER), build_deck("Burner", BURNER.split() * 2, STARTER))


def with_mixed_decks(seats: int, options: TcgOptions, brought: tuple[DeckList | None, ...]) -> Tcg:
    return Tcg(options, MIXED)


class TestGamesWithMixedDecks(GameContract):
    """The contract of every game, with decks that hold all kinds of cards."""

    games = 2
    states = 30

    @pytest.fixture
    def rules(self) -> AnyRules:
        flexible = TcgOptions(flex_healing=True, variations=tuple(Variation))
        return changed(TCG, initial_state=with_mixed_decks, presets={"full": PRESETS["full"], "flexible": flexible})
