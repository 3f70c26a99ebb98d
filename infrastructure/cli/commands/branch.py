"""`fairdeal branch`: opens a what-if."""

from typing import Annotated

import typer

from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption, game_id, opened
from fairdeal.infrastructure.cli.output import say, say_json


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
        answer = fairdeal.branch(game_id(game, fairdeal), version, player, **more)
        if as_json:
            say_json({"game": str(answer.game_id), "version": answer.version, "receipt": str(answer.receipt)})
        else:
            say(f"{answer.game_id}")
            where = f"{answer.version}{_why(version, answer.version)}"
            say(f"The branch stands at version {where}; its receipt is {answer.receipt}")


def _why(asked: int, stands: int) -> str:
    """Why the number is another one: the beginning of a branch is told in other records than that of its origin."""
    if stands == asked:
        return ""
    return f", not {asked}: it begins with records of its own, without those of the lobby that it came from"
