"""One aggregate: a game begins with its opening, and its lobby follows from events like any state."""

from typing import Any, cast

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import PlayerSeated
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing.snapshot import snapshot
from positions.house import GAME_ID, opened, seated, started


def test_there_is_no_game_before_its_opening() -> None:
    with pytest.raises(ValueError, match="begins with its opening"):
        Game.replayed(GAME_ID, KINGS_CORNERS, [PlayerSeated("Ann", None, None)])
    with pytest.raises(ValueError, match="not enough values"):
        Game.replayed(GAME_ID, KINGS_CORNERS, [])


def test_no_game_is_opened_twice() -> None:
    game = opened()
    with pytest.raises(KeyError):
        game.apply(game.lobby.opened)


def test_a_copy_that_follows_what_no_table_does_leaves_the_game_as_it_is() -> None:
    game = started("Ann", "Bob")
    sat_down: object = cast("Any", PlayerSeated)("Cem", None, None)
    game.copy().apply(sat_down)
    assert (game.players, game.seat_of("Cem")) == (("Ann", "Bob"), None)


def test_what_was_said_is_collected_once() -> None:
    game = seated("Ann", "Bob")
    assert len(game.collect_events()) == 3
    assert game.collect_events() == []
    game.join("Cem")
    assert game.collect_events() == [PlayerSeated("Cem", None, None)]
    assert game.version == 4


def test_the_lobby_of_a_copy_is_its_own() -> None:
    game = seated("Ann", "Bob")
    before = snapshot(game.lobby)
    twin = game.copy()
    twin.join("Cem")
    twin.start("Ann")
    assert twin.phase is Phase.RUNNING
    assert snapshot(game.lobby) == before
    assert game.state is None


def test_what_happens_to_a_game_happens_to_no_copy_that_was_made_before() -> None:
    game = started("Ann", "Bob")
    twin = game.copy()
    game.abandon("Ann", "late")
    assert (game.phase, twin.phase) == (Phase.ABANDONED, Phase.RUNNING)
    assert twin.outcome is None
    twin.abandon("Bob", "later")
    assert (game.lobby.broken_off_by, twin.lobby.broken_off_by) == ("Ann", "Bob")


def test_a_copy_goes_on_where_the_game_stands() -> None:
    game = started("Ann", "Bob")
    assert snapshot(game.copy().lobby) == snapshot(game.lobby)
    assert game.copy().active() == game.active()


def test_a_table_with_a_bot_is_not_rated() -> None:
    game = seated("Ann", "Bob")
    assert game.lobby.rated
    game.join("bot:careful:1")
    assert not game.lobby.rated
    game.leave("bot:careful:1", "left")
    assert game.lobby.rated
