"""`fairdeal export` and `fairdeal import`: games as files, there and back."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.logfile import count_logs
from fairdeal.infrastructure.bootstrap import Fairdeal
from fairdeal.infrastructure.cli.common import (
    CannotDo,
    JsonOption,
    LedgerOption,
    ViewerOption,
    counted,
    file_at,
    game_id,
    opened,
    say,
    say_json,
)
from fairdeal.infrastructure.files import lines_of, whole_file


def export(
    ledger: LedgerOption,
    game: Annotated[str | None, typer.Argument(help="The id of a game.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All games, one after the other in one file.")] = False,
    viewer: ViewerOption = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="With all secrets of running games: a backup, never for players.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; without it the output.")] = None,
) -> None:
    """Writes the log of a game as text that anybody can verify; running games as their viewer may see them.

    Exit status: 0 written, 2 it could not be written.
    """
    if everything == (game is not None):
        raise CannotDo("Give the id of a game, or --all.")
    if viewer is not None and (operator or everything):
        raise CannotDo("--as shows one game to one player; it does not go with --all or --operator.")
    with opened(ledger) as fairdeal:
        if game is None:
            head = fairdeal.ledger.head()
            lines: Iterable[str] = counted(fairdeal.export_all(operator=operator), head, "exporting")
        else:
            lines = [_one(fairdeal, game, viewer, operator=operator)]
        if output is None:
            stream = sys.stdout.buffer
            stream.writelines(line.encode() for line in lines)
            stream.flush()
        else:
            with whole_file(output) as file:
                file.writelines(line.encode() for line in lines)


def _one(fairdeal: Fairdeal, game: str, viewer: str | None, *, operator: bool) -> str:
    found = game_id(game)
    players = fairdeal.look(found).players
    if viewer is not None and viewer not in players:
        raise CannotDo(f"{viewer} does not sit at this table; there are {', '.join(players)}.")
    return fairdeal.export(found, viewer, operator=operator)


def take_in(
    file: Annotated[Path, typer.Argument(help="Exported games.")],
    ledger: LedgerOption,
    as_json: JsonOption = False,
) -> None:
    """Takes exported games into a ledger: checks all of them before it stores any; the same game twice is stored once.

    Exit status: 0 all games are in the ledger, 2 they are not (one sentence says why): nothing was stored, or the
    ledger failed on the way, and importing again goes on from there.
    """
    source = lines_of(file_at(file))
    with opened(ledger, create=True) as fairdeal:
        importer = fairdeal.importer
        known = sum(1 for _ in counted(importer.check(source), count_logs(source()), "checking"))
        new = records = 0
        for imported in counted(importer.store(source), known, "storing"):
            new += imported.is_new
            records += imported.records
            if as_json:
                say_json({"game": str(imported.game_id), "records": imported.records, "new": imported.is_new})
        if not as_json:
            say(f"{known} games with {records} records: {new} new, {known - new} were there already.")
