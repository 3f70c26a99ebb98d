"""`fairdeal export` and `fairdeal import`: games as files, there and back."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.errors import LedgerError, NotAnExport
from fairdeal.application.importing import Imported
from fairdeal.application.logfile import count_logs
from fairdeal.infrastructure.bootstrap import Fairdeal
from fairdeal.infrastructure.cli.common import (
    FOUND,
    CannotDo,
    ErrorsAsJson,
    JsonOption,
    LedgerOption,
    ViewerOption,
    complain,
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
    with opened(ledger) as fairdeal:
        left_out: list[LedgerError] = []
        if game is None:
            everyone = fairdeal.export_all(operator=operator, damaged=left_out.append if skip_damaged else None)
            lines: Iterable[str] = counted(everyone, fairdeal.ledger.head(), "exporting")
        else:
            lines = [_one(fairdeal, game, viewer, operator=operator)]
        _write(lines, output, private=operator)
    for error in left_out:
        complain(error, as_json=as_json)
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
    return fairdeal.export(game_id(game), viewer, operator=operator)


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
    games = count_logs(source())
    if not games:
        raise NotAnExport(f"{file} holds no game.")
    with opened(ledger, create=True) as fairdeal:
        importer = fairdeal.importer
        for _ in counted(importer.check(source), games, "checking"):
            pass
        _store(counted(importer.store(source), games, "storing"), games, as_json=as_json)


def _store(stored: Iterable[Imported], games: int, *, as_json: bool) -> None:
    done = new = records = 0
    try:
        for imported in stored:
            done += 1
            new += imported.is_new
            records += imported.records
            if as_json:
                say_json({"game": str(imported.game_id), "records": imported.records, "new": imported.is_new})
    finally:
        if done < games:
            typer.echo(f"{done} of {games} games are in the ledger; importing again goes on from there.", err=True)
    if not as_json:
        say(f"{games} games with {records} records: {new} new, {games - new} were there already.")
