"""`fairdeal restore`: puts a backup back, never under running workers and never older by accident."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.infrastructure.cli.commands.audit import audit_all
from fairdeal.infrastructure.cli.commands.backup import copy_ledger
from fairdeal.infrastructure.cli.options import LEDGER_VARIABLE, JsonOption, file_at, opened, sqlite_path
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, number_of, print_error, say, say_json
from fairdeal.infrastructure.ledger.sqlite.file import to_ledger_error
from fairdeal.infrastructure.readmodels.beside import beside

PAGE = 1000


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    address: Annotated[
        str | None, typer.Argument(help="Where to; without: FAIRDEAL_LEDGER.", envvar=LEDGER_VARIABLE)
    ] = None,
    set_back: Annotated[
        bool, typer.Option("--set-back", help="Also if the ledger holds records that the backup lacks: they are lost.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Puts a backup back as an SQLite ledger, once the backup has passed an audit.

    Refused while anybody has the ledger open: a worker that remembers newer games would go on with them. Refused,
    unless --set-back is given, if records would be lost. Read models beside the ledger are removed; they are made
    anew from it.

    Exit status: 0 restored, 1 the audit found something in the backup, 2 it could not be restored. Unless it is 0,
    nothing was changed.
    """
    target = None if address is None else sqlite_path(address)
    if address is None or target is None:
        raise CannotDo("Where to? Give the address of an SQLite ledger: fairdeal restore FILE sqlite:///games.db")
    lost = 0
    if target.exists():
        lost = _lost(file_at(file), target)
        if lost and not set_back:
            raise CannotDo(f"{target} holds {number_of(lost, 'record')} that {file} lacks; --set-back gives them up.")
        _must_be_alone(target)
    with opened(f"sqlite:///{file_at(file)}") as copied:
        if audit_all(copied, (), None, as_json=as_json) == FOUND:
            print_error(CannotDo(f"{file} was not restored: the audit found something."), as_json=as_json)
            raise typer.Exit(FOUND)
        records = copied.ledger.head()
    part = target.with_name(f".{target.name}.part")
    try:
        copy_ledger(file, part)
        for name in (f"{target.name}-wal", f"{target.name}-shm"):
            target.with_name(name).unlink(missing_ok=True)  # they belong to what was there
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    _remove_read_models(address)
    if as_json:
        say_json({"ledger": str(target), "records": records, "lost": lost})
    else:
        say(f"{target} holds the {number_of(records, 'record')} of {file}{f', and {lost} are gone' if lost else ''}.")


def _lost(file: Path, target: Path) -> int:
    """How many records of the ledger the backup does not have."""
    with opened(f"sqlite:///{file}") as copied, opened(f"sqlite:///{target}") as live:
        head, position, same = live.ledger.head(), 0, 0
        while page := live.ledger.since(position, PAGE):
            others = copied.ledger.since(position, PAGE)
            for (mine, record), (theirs, other) in zip(page, others, strict=False):
                if (mine, record.game_id, record.link) != (theirs, other.game_id, other.link):
                    return head - same
                same += 1
            if len(others) < len(page):
                return head - same
            position = page[-1][0]
        return 0


def _must_be_alone(target: Path) -> None:
    """A write-ahead log can be given up only by who has the database alone, so SQLite itself says who is there."""
    try:
        with closing(sqlite3.connect(target, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
            connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise to_ledger_error(error, str(target)) from error
        raise CannotDo(f"{target} is in use: stop everybody who has it open, then restore.") from error


def _remove_read_models(address: str) -> None:
    read = Path(beside(address).removeprefix("sqlite:///"))
    for name in (read.name, f"{read.name}-wal", f"{read.name}-shm"):
        read.with_name(name).unlink(missing_ok=True)
