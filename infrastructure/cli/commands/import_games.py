"""`fairdeal import`: takes exported games into a ledger."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.errors import NotAnExport
from fairdeal.application.exports.format import count_logs
from fairdeal.application.exports.importer import Imported
from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption, file_at, is_ledger, opened
from fairdeal.infrastructure.cli.output import counted, number_of, say, say_json, were_there
from fairdeal.infrastructure.export_files import lines_of


def import_games(
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
    # Nothing is made for games that are refused.
    is_new = not is_ledger(ledger)
    with opened("memory:" if is_new else ledger, create=True) as fairdeal:
        checking = fairdeal.exports.importer
        for _ in counted(checking.check(source), games, "checking"):
            pass
    with opened(ledger, create=True) as fairdeal:
        importer = fairdeal.exports.importer
        importer.go_on_from(checking)
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
            typer.echo(
                f"{done} of {number_of(games, 'game')} are in the ledger; importing again goes on from there.", err=True
            )
    if not as_json:
        found = f"{number_of(games, 'game')} with {number_of(records, 'record')}"
        say(f"{found}: {new} new, {were_there(games - new)}.")
