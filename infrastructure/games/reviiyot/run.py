"""Plays a configured game of Reviiyot: an ordinary game with a given deck, in which every seat brought a strategy."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.messages import Command, MakeMove, QuickStart
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.reviiyot.bots import choose
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions
from fairdeal.infrastructure.games.reviiyot.config import Config

OPENER = "the configuration"
NOBODYS_ID = UUID(int=0)
NO_SEED = bytes(32)
"""The deck is given: nothing is left to chance."""


def start(config: Config, *, game_id: UUID = NOBODYS_ID, seed: bytes = NO_SEED) -> Game:
    """The table with everybody seated and the cards dealt; what happened so far is pending."""
    game = Game.open(game_id, REVIIYOT, OPENER, ReviiyotOptions(config.n), seed)
    for position, player in enumerate(config.players, start=1):
        _seat(game, player.name, position, PlaysBy(player.strategy))
    game.start(OPENER, deck=config.deck, brought_all=True)
    return game


def _seat(game: Game, name: str, position: int, plays: PlaysBy) -> None:
    """A configured name is any word; one that the house does not seat is played by its position."""
    try:
        game.join(name, brought=plays)
    except IllegalMove as error:
        if error.code != HouseRefusal.BAD_NAME:
            raise
        # No configured name holds a space, so nobody else is called that.
        game.join(f"player {position}", brought=plays)


def next_ask(game: Game) -> tuple[str, Ask]:
    """Who asks now, and what their strategy makes of what they see."""
    (seat,) = game.active()
    view = game.rules.eyes.view(game.state, seat)
    return game.players[seat], choose(view, view.strategy)


def play(config: Config) -> Iterator[Any]:
    """All events of the game, from the open table to the end; none is kept."""
    game = start(config)
    yield from game.collect_events()
    while not game.over:
        game.move(*next_ask(game))
        yield from game.collect_events()


def play_stored(config: Config, handle: Callable[[Command], Answer]) -> UUID:
    """The same game through the command handlers: recorded, durable, to be replayed and audited."""
    game = start(config)
    opening = QuickStart(
        player=OPENER,
        kind=REVIIYOT.kind,
        players=game.players,
        options=ReviiyotOptions(config.n),
        brings={seated.player: seated.brought for seated in game.lobby.seated_players},
        deck=config.deck,
    )
    game_id = handle(opening).game_id
    while not game.over:
        # Nothing is left to chance, so the table here is that of the ledger: nobody has to look there, and see all
        # legal moves, to know what is asked next.
        player, asked = next_ask(game)
        handle(MakeMove(game_id=game_id, player=player, move=asked))
        game.move(player, asked)
        game.collect_events()
    return game_id
