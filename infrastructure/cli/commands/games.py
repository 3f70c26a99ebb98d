"""`fairdeal games` lists what a ledger holds; `fairdeal branch` opens a what-if."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from fairdeal.application.audit.ledger import all_games
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption, opened
from fairdeal.infrastructure.cli.output import say_json, say_line
from fairdeal.service import Fairdeal


def games(ledger: LedgerOption, as_json: JsonOption = False) -> None:
    """Lists the games of a ledger.

    Exit status: 0 listed, 2 the ledger cannot be read.
    """
    with opened(ledger) as fairdeal:
        for found in all_games(fairdeal.ledger):
            told = described(fairdeal, found, fairdeal.ledger.records(found))
            if as_json:
                say_json(told)
            else:
                players = ", ".join(told["players"])
                say_line(f"{told['game']}  {told['kind']:<14} {told['phase']:<10} {told['version']:>6}  {players}")


def described(fairdeal: Fairdeal, found: UUID, records: Sequence[Record]) -> dict[str, Any]:
    """A line about a game; one that cannot be read is for an audit to explain."""
    kind = str(records[0].name).partition(".")[0]
    try:
        game = Game.replayed(found, fairdeal.codec.rules_of(records[0]), fairdeal.codec.events(records))
        phase, players = game.phase.value, list(game.players)
    except Exception:
        phase, players = "unreadable", list[str]()
    return {"game": str(found), "kind": kind, "phase": phase, "version": len(records), "players": players}
