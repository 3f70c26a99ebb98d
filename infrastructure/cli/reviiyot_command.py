"""The arguments of `fairdeal reviiyot`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.infrastructure.cli.common import CannotDo, game_id, opened
from fairdeal.infrastructure.cli.reviiyot import run, run_again


def reviiyot(
    config: Annotated[Path | None, typer.Argument(help="A configuration file.", show_default=False)] = None,
    # Not from the environment: what is printed must not depend on it.
    ledger: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://…")] = None,
    game: Annotated[str | None, typer.Option(help="Print a stored game again, from its log.")] = None,
    verbal: Annotated[bool, typer.Option("--verbal", help="With --game: every turn, not only the end.")] = False,
) -> None:
    """Plays a configured game of Reviiyot and prints it; with --ledger the game is stored as well.

    Exit status: 0 the game ended, 2 the file or the arguments are bad, 3 the game never ends.
    """
    out, err = sys.stdout.buffer, sys.stderr.buffer
    if (config is None) == (game is None):
        raise CannotDo("Give a configuration file, or --game with the id of a stored game.")
    if game is not None:
        with opened(ledger) as fairdeal:
            found = game_id(game)
            kind = fairdeal.look(found).kind
            if kind != REVIIYOT.kind:
                raise CannotDo(f"Game {found} is a game of {kind}.")
            status = run_again(fairdeal, found, out, err, verbal=verbal)
    elif ledger is None or config is None:
        status = run(config or "", out, err)
    else:
        with opened(ledger, create=True) as fairdeal:
            status = run(config, out, err, stored_in=fairdeal)
    raise typer.Exit(status)
