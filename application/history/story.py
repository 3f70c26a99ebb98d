"""Events in English, one line each."""

from typing import Any

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import tell_lifecycle


def tell(game: Game, event: Any) -> str:
    """One English line for any event of this game."""
    return tell_lifecycle(event, game.players) or game.rules.tell(event, game.players)
