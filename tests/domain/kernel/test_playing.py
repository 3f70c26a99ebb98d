"""A running game and its end: moves, views, leaving, replay."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    EntropyRevealed,
    GameAbandoned,
    GameFinished,
    GameStarted,
    PlayerLeft,
)
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.domain.kernel.refusals import GameOver, HouseRefusal, IllegalMove, NotYourTurn, UnknownPlayer
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardPlayed, CardsDealt, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, PlayCard
from fairdeal.testing import changed
from fairdeal.testing.snapshot import snapshot
from positions.house import HOST, SEED, opened, seated, started
from positions.kings_corners import laid

Command = Callable[[Game], None]


def winning() -> Game:
    """Ann needs one card to win."""
    game = seated("Ann", "Bob")
    game.start(HOST, position=laid("JD / 3C", N="QS"))
    return game


def won() -> Game:
    game = winning()
    game.move("Ann", PlayCard("JD", "N"))
    return game


def test_a_move_is_decided_by_the_rules() -> None:
    game = started()
    drawn = game.state.deck[game.state.gone]
    version = game.version
    game.move("Ann", END_TURN)
    assert game.pending[-2:] == [CardDrawn(0, drawn), TurnPassed(1)]
    assert game.version == version + 2
    assert game.active() == (1,)


def test_a_refusal_of_the_rules_comes_through_and_leaves_no_trace() -> None:
    game = started()
    before = snapshot(game.state)
    with pytest.raises(NotYourTurn) as refused:
        game.move("Bob", END_TURN)
    assert refused.value.code == "not_your_turn"
    assert snapshot(game.state) == before
    assert game.version == len(game.pending)


def test_a_stranger_makes_no_moves() -> None:
    for player in ("Zoe", HOST):
        with pytest.raises(UnknownPlayer):
            started().move(player, END_TURN)


def test_legal_moves_are_those_of_the_seat() -> None:
    game = started()
    assert list(game.legal("Ann")) == KINGS_CORNERS.play.legal(game.state, 0)
    assert game.legal("Bob") == ()
    assert game.legal("Zoe") == ()


def test_players_see_their_own_hands_and_everybody_else_none() -> None:
    game = started()
    assert game.view("Ann").hand == tuple(game.state.hands[0])
    assert game.view("Bob").hand == tuple(game.state.hands[1])
    assert game.view("Zoe").hand is None
    assert game.view(None).hand is None


def test_a_game_ends_when_its_rules_say_so() -> None:
    game = won()
    assert game.pending[-2:] == [CardPlayed(0, Card.JD, Pile.N), GameFinished((0,), (), "won")]
    assert game.phase is Phase.FINISHED
    assert game.over
    assert game.outcome == Outcome((0,), (), "won")
    assert game.active() == ()
    assert game.legal("Bob") == ()


def abandoned() -> Game:
    game = started()
    game.abandon("Ann", "fire")
    return game


COMMANDS: dict[str, Command] = {
    "move": lambda game: game.move("Ann", END_TURN),
    "join": lambda game: game.join("Cem"),
    "gather": lambda game: game.seat_all(["Cem"]),
    "start": lambda game: game.start(HOST),
    "reveal": lambda game: game.reveal("Ann", b"one"),
    "leave": lambda game: game.leave("Ann", "tea"),
    "abandon": lambda game: game.abandon("Ann", "tea"),
}


@pytest.mark.parametrize("ended", [won, abandoned])
@pytest.mark.parametrize("name", COMMANDS)
def test_after_the_end_every_command_is_refused(ended: Callable[[], Game], name: str) -> None:
    with pytest.raises(GameOver):
        COMMANDS[name](ended())


@pytest.mark.parametrize(("stranger_first", "error"), [(False, GameOver), (True, UnknownPlayer)])
def test_the_rules_choose_what_a_stranger_hears_after_the_end(stranger_first: bool, error: type[IllegalMove]) -> None:
    game = seated("Ann", "Bob", rules=changed(KINGS_CORNERS, unknown_player_first=stranger_first))
    game.start(HOST)
    game.abandon("Ann", "fire")
    with pytest.raises(error):
        game.move("Zoe", END_TURN)
    with pytest.raises(GameOver):
        game.move("Bob", END_TURN)


@pytest.mark.parametrize("how", [Game.leave, Game.abandon])
def test_who_leaves_a_running_game_has_lost_it(how: Callable[[Game, str, str], None]) -> None:
    game = started("Ann", "Bob", "Cem")
    how(game, "Bob", "tea")
    assert game.pending[-1] == GameAbandoned(1, "tea")
    assert game.phase is Phase.ABANDONED
    assert game.outcome == Outcome((0, 2), (), "tea")


def test_a_host_who_does_not_play_breaks_a_game_off_for_nobody() -> None:
    game = started()
    game.abandon(HOST, "fire")
    assert game.outcome == Outcome((), (), "fire")


def test_strangers_neither_leave_nor_break_off_a_running_game() -> None:
    with pytest.raises(UnknownPlayer):
        started().leave("Zoe", "tea")
    with pytest.raises(IllegalMove) as refused:
        started().abandon("Zoe", "spite")
    assert refused.value.reason is HouseRefusal.NOT_ALLOWED


# -- what is shown, copies, replay ----------------------------------------------------------------------------------


def test_the_seed_is_hidden_from_everybody_and_its_commitment_is_not() -> None:
    game = started()
    said = game.lobby.opened
    assert game.pending[0] == said
    assert said.seed == SEED.hex()
    for viewer in ("Ann", HOST, None):
        assert game.redact(said, viewer) == replace(said, seed=None)


def test_events_of_the_game_are_redacted_by_its_rules() -> None:
    game = started()
    deal = CardsDealt(0, 2, DECK)
    assert game.redact(deal, "Bob") == KINGS_CORNERS.eyes.redact(deal, 1)
    assert game.redact(deal, "Zoe") == KINGS_CORNERS.eyes.redact(deal, None)


@pytest.mark.parametrize(
    "event", [PlayerLeft("Ann"), EntropyRevealed(0, "00"), GameFinished((), (), "won"), GameAbandoned(0, "tea")]
)
def test_the_other_events_of_the_house_are_public(event: Any) -> None:
    assert started().redact(event, None) is event


def test_a_copy_goes_its_own_way() -> None:
    game = started()
    before, version = snapshot(game.state), game.version
    twin = game.copy()
    assert twin.pending == []
    twin.move("Ann", END_TURN)
    assert len(twin.pending) == 2
    assert (snapshot(game.state), game.version) == (before, version)
    assert game.active() == (0,)


def test_a_copy_of_a_table_without_cards_is_one_too() -> None:
    twin = seated("Ann").copy()
    twin.join("Bob")
    assert twin.state is None
    assert twin.players == ("Ann", "Bob")


def sealed() -> Game:
    """Started with sealed entropy, after some coming and going."""
    game = opened()
    game.join("Zoe")
    game.join("Ann", seal=digest(b"forgotten"))
    game.leave("Zoe", "tea")
    game.leave("Ann", "the seal")
    game.join("Ann", seal=digest(b"one"))
    game.join("Bob", seal=digest(b"two"))
    game.start("Bob")
    game.reveal("Bob", b"two")
    game.reveal("Ann", b"one")
    return game


def played_on() -> Game:
    game = started("Ann", "Bob", "Cem")
    for player in ("Ann", "Bob", "Cem", "Ann"):
        game.move(player, END_TURN)
    return game


@pytest.mark.parametrize("make", [started, won, abandoned, sealed, played_on, winning])
def test_a_game_replayed_from_its_events_is_the_same_game(make: Callable[[], Game]) -> None:
    game = make()
    again = Game.replayed(game.id, game.rules, game.pending)
    assert (again.id, again.version) == (game.id, game.version)
    assert snapshot(again.lobby) == snapshot(game.lobby)
    assert snapshot(again.state) == snapshot(game.state)
    assert again.pending == []
    assert again.chance.shuffle(3, DECK) == game.chance.shuffle(3, DECK)


def test_games_with_other_ids_get_other_decks_from_the_same_seed() -> None:
    options = KINGS_CORNERS.setup.presets["classic"]
    games = [Game.open(UUID(int=number), KINGS_CORNERS, HOST, options, bytes(32)) for number in (1, 2)]
    for game in games:
        game.seat_all(["Ann", "Bob"])
        game.start(HOST)
    assert games[0].pending[-2] == games[1].pending[-2]
    assert isinstance(games[0].pending[-2], GameStarted)
    assert games[0].pending[-1] != games[1].pending[-1]
