"""`fairdeal export`: games as files."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.errors import LedgerError
from fairdeal.infrastructure.cli.options import (
    ErrorsAsJson,
    LedgerOption,
    ViewerOption,
    game_id,
    opened,
)
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, counted, print_error
from fairdeal.infrastructure.export_files import whole_file
from fairdeal.service import Fairdeal


def export(
    ledger: LedgerOption,
    game: Annotated[str | None, typer.Argument(help="The id of a game.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All games, one after the other in one file.")] = False,
    viewer: ViewerOption = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="With all secrets of running games: a backup, never for players.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; without it the output.")] = None,
    skip_damaged: Annotated[
        bool,
        typer.Option("--skip-damaged", help="With --all: leaves out games that were tampered with, and names them."),
    ] = False,
    as_json: ErrorsAsJson = False,
) -> None:
    """Writes the log of a game as text that anybody can verify; running games as their viewer may see them.

    Exit status: 0 written, 1 written without damaged games, 2 it could not be written.
    """
    if everything == (game is not None):
        raise CannotDo("Give the id of a game, or --all.")
    if viewer is not None and (operator or everything):
        raise CannotDo("--as shows one game to one player; it does not go with --all or --operator.")
    if skip_damaged and not everything:
        raise CannotDo("--skip-damaged goes with --all: of one game there is nothing to skip.")
    with opened(ledger) as fairdeal:
        left_out: list[LedgerError] = []
        if game is None:
            everyone = fairdeal.exports.export_all(operator=operator, damaged=left_out.append if skip_damaged else None)
            lines: Iterable[str] = counted(everyone, fairdeal.ledger.head(), "exporting")
        else:
            lines = [_one(fairdeal, game, viewer, operator=operator)]
        _write(lines, output, private=operator)
    for error in left_out:
        print_error(error, as_json=as_json)
    if left_out:
        raise typer.Exit(FOUND)


def _write(lines: Iterable[str], output: Path | None, *, private: bool) -> None:
    if output is None:
        stream = sys.stdout.buffer
        stream.writelines(line.encode() for line in lines)
        stream.flush()
    else:
        with whole_file(output, private=private) as file:
            file.writelines(line.encode() for line in lines)


def _one(fairdeal: Fairdeal, game: str, viewer: str | None, *, operator: bool) -> str:
    return fairdeal.exports.export(game_id(game, fairdeal), viewer, operator=operator)
