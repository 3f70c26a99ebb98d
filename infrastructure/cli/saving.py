"""Simulated games as a ledger keeps them: every command is decided and recorded as if it had been sent."""

from fairdeal.application.commands.game_cache import GameCache
from fairdeal.application.commands.handlers import CommandHandlers
from fairdeal.application.commands.messages import MakeMove, QuickStart
from fairdeal.infrastructure.cli.simulation import Match, Played, opening
from fairdeal.infrastructure.ledger.addresses import open_ledger
from fairdeal.service import Fairdeal


def save(fairdeal: Fairdeal, match: Match, played: Played) -> bool:
    """Stores a game whole, unless it is there already; whether it was stored."""
    opened = opening(match, played.number)
    if fairdeal.ledger.records(opened.game_id, up_to=1):
        return False
    # In memory first: one transaction for a game, not one for every move.
    memory = open_ledger("memory:")
    cache = GameCache(memory, fairdeal.codec)
    handlers = CommandHandlers(memory, fairdeal.codec, cache, fairdeal.kinds, new_seed=lambda: opened.seed)
    first = opened.players[0]
    handlers.handle(
        QuickStart(
            player=first, command_id=opened.command_id, kind=match.kind, players=opened.players, options=match.options
        )
    )
    for number, (seat, move) in enumerate(played.moves, 1):
        player = opened.players[seat]
        handlers.handle(MakeMove(game_id=opened.game_id, player=player, command_id=f"move {number}", move=move))
    fairdeal.ledger.append(memory.records(opened.game_id))
    return True
