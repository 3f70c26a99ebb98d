"""`fairdeal games` lists what a ledger holds; `fairdeal branch` opens a what-if."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

import typer

from fairdeal.application.audit import all_games
from fairdeal.application.records import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.bootstrap import Fairdeal
from fairdeal.infrastructure.cli.common import JsonOption, LedgerOption, game_id, opened, say, say_json, say_line


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
        game = Game(found, fairdeal.codec.rules_of(records[0])).replay(fairdeal.codec.events(records))
        phase, players = game.phase.value, list(game.players)
    except Exception:
        phase, players = "unreadable", list[str]()
    return {"game": str(found), "kind": kind, "phase": phase, "version": len(records), "players": players}


def branch(
    game: Annotated[str, typer.Argument(help="The id of a finished game.")],
    version: Annotated[int, typer.Argument(help="The version to go on from.", min=1)],
    ledger: LedgerOption,
    player: Annotated[str, typer.Option("--as", help="Who opens the branch.")] = "what-if",
    command_id: Annotated[str | None, typer.Option(help="Sent again, the same id opens the same branch.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Opens a what-if: a finished game goes on from one of its versions as a game of its own.

    Exit status: 0 opened, 2 no branch can begin there (one sentence says why).
    """
    more = {} if command_id is None else {"command_id": command_id}
    with opened(ledger, write=True) as fairdeal:
        answer = fairdeal.branch(game_id(game), version, player, **more)
        if as_json:
            say_json({"game": str(answer.game_id), "version": answer.version, "receipt": str(answer.receipt)})
        else:
            say(f"{answer.game_id}")
            say(f"The branch stands at version {answer.version}; its receipt is {answer.receipt}")
