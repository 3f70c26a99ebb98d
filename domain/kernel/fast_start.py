"""A quick start made for speed: somebody opens a table, seats everybody and deals from a shuffle, all in one.

What that means is said in `game`; property tests hold this module to `Game.open`, `seat_all` and `start`. An audit does
it for every game, and most games are short.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from fairdeal.domain.kernel.chance import ALGORITHM, digest
from fairdeal.domain.kernel.game import Game, must_be_named
from fairdeal.domain.kernel.lifecycle import HOUSE_RULES, DealtFrom, GameOpened, GameStarted, PlayerSeated, Spectators
from fairdeal.domain.kernel.lobby import Lobby, Phase, SeatedPlayer
from fairdeal.domain.kernel.rules import AnyRules

# Looked up once: members of an enum are slow to come by.
_RUNNING = Phase.RUNNING
_SHUFFLE = DealtFrom.SHUFFLE
_OPEN = Spectators.OPEN
_STARTED = GameStarted(_SHUFFLE)


def quickly_started(
    game_id: UUID, rules: AnyRules, opener: str, options: Any, seed: bytes, *, players: Sequence[str], rated: bool
) -> Game:
    """The game at a table without a clock to which nobody brings anything; ValueError if not all can sit there."""
    seats = len(players)
    if seats not in rules.seats or len({*players}) < seats:
        raise ValueError("these players cannot sit at one table")
    for name in (opener, *players):
        must_be_named(name, HOUSE_RULES)
    rules.setup.check_options(options)
    rules.setup.check_brought(options, None)
    opened = GameOpened(
        opener, options, digest(seed), seed.hex(), ALGORITHM, HOUSE_RULES, clock=None, rated=rated, spectators=_OPEN
    )
    lobby = Lobby(opened)
    lobby.line_up_anew([SeatedPlayer(player) for player in players])
    lobby.opening, lobby.phase = _SHUFFLE, _RUNNING
    game = Game(game_id, rules, lobby)
    game.pending = [opened, *[PlayerSeated(player, None, None) for player in players], _STARTED]
    game.version = len(game.pending)
    game.state = rules.play.initial_state(seats, options, (None,) * seats)
    game.deal(None)
    return game
