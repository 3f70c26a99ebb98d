"""Games on their way from the open table to the end, for tests of what all games share."""

from uuid import UUID

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.game import KINGS_CORNERS

SEED = bytes(range(32))
GAME_ID = UUID(int=7)
HOST = "the host"


def opened(rules: AnyRules = KINGS_CORNERS) -> Game:
    return Game.open(GAME_ID, rules, HOST, NoOptions(), SEED)


def seated(*players: str, rules: AnyRules = KINGS_CORNERS) -> Game:
    game = opened(rules)
    for player in players:
        game.join(player)
    return game


def started(*players: str, rules: AnyRules = KINGS_CORNERS) -> Game:
    game = seated(*(players or ("Ann", "Bob")), rules=rules)
    game.start(HOST)
    return game
