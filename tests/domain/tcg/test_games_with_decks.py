"""Starting games with decks (RULES 7 and 9.6), by way of the aggregate."""

from dataclasses import replace
from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import PlayerSeated
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.tcg.cards import CardDefinition, Kind, Variation
from fairdeal.domain.tcg.deal import GivenDecks
from fairdeal.domain.tcg.decks import DEFAULT_DECK, DeckList, build_deck, expanded
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.refusals import FaultCode, InvalidDeck
from fairdeal.domain.tcg.state import Tcg
from fairdeal.testing.snapshot import snapshot
from positions.tcg import to_move

FULL = PRESETS["full"]
HEALER = build_deck("Healer", ["d1", "d2", "mend", "study", "wall"] * 4, STARTER)
DEFAULT_CARDS = expanded(DEFAULT_DECK, STARTER)


def start(options: TcgOptions, *brought: DeckList | None, deck: GivenDecks | None = None) -> Game:
    game = Game.open(UUID(int=1), TCG, "Ann", options, bytes(32))
    for player, own in zip(("Ann", "Bea"), brought or (None, None), strict=True):
        game.join(player, brought=own)
    game.start("Ann", deck=deck)
    return game


def faults(options: TcgOptions, *brought: DeckList | None, deck: GivenDecks | None = None) -> set[str]:
    with pytest.raises(InvalidDeck) as refused:
        start(options, *brought, deck=deck)
    return set(refused.value.codes)


def ids(game: Game, seat: int) -> list[str]:
    state: Tcg = game.state
    return sorted(card.id for card in state.sides[seat].deck)


def test_who_brings_nothing_plays_the_default_deck() -> None:
    for options in PRESETS.values():
        game = start(options)
        assert ids(game, 0) == ids(game, 1) == sorted(DEFAULT_CARDS)


def test_each_plays_what_they_brought_and_both_may_bring_the_same() -> None:
    game = start(FULL, HEALER, None)
    assert ids(game, 0) == sorted(expanded(HEALER, STARTER))
    assert ids(game, 1) == sorted(DEFAULT_CARDS)
    assert ids(start(FULL, HEALER, HEALER), 1) == ids(game, 0)


def test_without_the_variation_only_the_default_deck_may_be_brought() -> None:
    same = DeckList("Mine", DEFAULT_DECK.cards[::-1])
    assert ids(start(TcgOptions(), same, None), 0) == sorted(DEFAULT_CARDS)
    other = build_deck("Mine", ["d2"] * 20, STARTER)
    assert faults(TcgOptions(), None, other) == {"decks_off"}


def test_a_bad_deck_is_refused_when_its_owner_sits_down() -> None:
    game = Game.open(UUID(int=1), TCG, "Ann", FULL, bytes(32))
    before = snapshot(game.copy().state), game.version
    with pytest.raises(InvalidDeck, match=r"The deck you bring: 19 cards instead of 20\.") as refused:
        game.join("Ann", brought=build_deck("Healer", expanded(HEALER, STARTER)[1:], STARTER))
    assert refused.value.code == "invalid_deck"
    assert (snapshot(game.state), game.version) == before


def test_a_default_deck_that_the_rules_forbid_starts_nothing() -> None:
    assert faults(replace(FULL, max_copies=2)) == {"too_many_copies"}
    assert faults(TcgOptions(deck_size=30)) == {"wrong_size"}
    own_pool = (CardDefinition("dragon", Kind.DAMAGE, 9, 9),)
    assert faults(replace(FULL, pool=own_pool), HEALER, HEALER) == {"unknown_card"}
    own_deck = build_deck("Dragons", ["dragon"] * 20, own_pool)
    assert ids(start(replace(FULL, pool=own_pool, max_copies=None), own_deck, own_deck), 0) == ["dragon"] * 20


def test_a_given_order_must_be_a_deck_that_may_be_played() -> None:
    own = ("d2",) * 20
    assert faults(TcgOptions(), deck=(DEFAULT_CARDS, own)) == {"decks_off"}
    assert faults(FULL, deck=(own, DEFAULT_CARDS)) == {"too_many_copies"}
    options = TcgOptions(variations=(Variation.DECKS,))
    with pytest.raises(InvalidDeck, match="The deck of seat 1: 19 cards"):
        start(options, deck=(own, own[:19]))
    assert ids(start(options, deck=(own, own)), 1) == list(own)


def test_a_given_order_must_be_one_of_the_deck_that_was_brought() -> None:
    order = expanded(HEALER, STARTER)
    assert ids(start(FULL, HEALER, None, deck=(order[::-1], DEFAULT_CARDS)), 0) == sorted(order)
    assert faults(FULL, HEALER, None, deck=(DEFAULT_CARDS, DEFAULT_CARDS)) == {FaultCode.MALFORMED}


def test_both_orders_must_be_given() -> None:
    with pytest.raises(IllegalMove) as refused:
        start(FULL, deck=(DEFAULT_CARDS,))
    assert refused.value.reason == HouseRefusal.BAD_DECK


def test_what_was_brought_is_shown_to_its_owner_only() -> None:
    game = start(FULL, HEALER, None)
    seated: PlayerSeated[DeckList] = game.pending[1]
    assert game.redact(seated, "Ann") == seated
    assert game.redact(seated, "Bea") == game.redact(seated, None) == replace(seated, brought=None)


def test_the_record_alone_replays_the_game_with_the_pool_it_was_played_with() -> None:
    old_pool = (CardDefinition("dragon", Kind.DAMAGE, 2, 2),)
    deck = build_deck("Dragons", ["dragon"] * 20, old_pool)
    options = TcgOptions(variations=(Variation.DECKS,), pool=old_pool)
    game = start(options, deck, deck)
    for _ in range(6):
        game.move(to_move(game), END_TURN)
    again = Game.replayed(game.id, TCG, game.pending)
    assert snapshot(again.state) == snapshot(game.state)
    assert again.legal(to_move(game)) == game.legal(to_move(game))


def test_a_stranger_hears_so_even_after_the_end() -> None:
    game = start(TcgOptions(start_health=1, max_health=1, hand_start=0, first=0))
    while not game.over:
        game.move(to_move(game), END_TURN)
    for player, reason in (("Cleo", HouseRefusal.UNKNOWN_PLAYER), ("Ann", HouseRefusal.GAME_OVER)):
        with pytest.raises(IllegalMove) as refused:
            game.move(player, END_TURN)
        assert refused.value.reason == reason
