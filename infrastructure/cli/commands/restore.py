"""`fairdeal restore`: puts a backup back, never under running workers and never older by accident."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from fairdeal.infrastructure.cli.commands.audit import audit_all
from fairdeal.infrastructure.cli.commands.backup import copy_ledger
from fairdeal.infrastructure.cli.options import LEDGER_VARIABLE, JsonOption, file_at, opened, sqlite_path, writable
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, number_of, print_error, say, say_json
from fairdeal.infrastructure.ledger.sqlite.file import to_ledger_error
from fairdeal.infrastructure.readmodels.beside import beside

PAGE = 1000


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    address: Annotated[str | None, typer.Argument(help="Where to: sqlite:///FILE, or give --ledger.")] = None,
    ledger: Annotated[
        str | None, typer.Option("--ledger", envvar=LEDGER_VARIABLE, help="sqlite:///FILE", show_default=False)
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
    address = address or ledger
    target = None if address is None else sqlite_path(address)
    if address is None or target is None:
        raise CannotDo("Where to? Give the address of an SQLite ledger: fairdeal restore FILE sqlite:///games.db")
    source = file_at(file)
    target = writable(target.resolve() if target.is_symlink() else target)  # the link stays what it is
    if target.exists():
        # Now, because an audit may take long; and again at the end, because it did.
        with _alone(target, _must_lose_nothing(source, target, set_back=set_back)):
            pass
    with opened(f"sqlite:///{source}") as copied:
        if audit_all(copied, (), None, as_json=as_json) == FOUND:
            print_error(CannotDo(f"{file} was not restored: the audit found something."), as_json=as_json)
            raise typer.Exit(FOUND)
        records = copied.ledger.head()
    part = target.with_name(f".{target.name}.part")
    loss = Loss(0, 0)
    try:
        copy_ledger(file, part)
        if target.exists():
            loss = _must_lose_nothing(source, target, set_back=set_back)
            with _alone(target, loss):
                part.replace(target)
        else:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    lost = loss.records
    _remove_read_models(address)
    if as_json:
        say_json({"ledger": str(target), "records": records, "lost": lost})
    else:
        say(f"{target} holds the {number_of(records, 'record')} of {file}{f', and {lost} are gone' if lost else ''}.")


class Loss(NamedTuple):
    """What a ledger has that its backup lacks."""

    head: int
    """Of the ledger, when it was compared."""
    records: int


def _must_lose_nothing(file: Path, target: Path, *, set_back: bool) -> Loss:
    """Unless somebody said that they know."""
    loss = _loss(file, target)
    if loss.records and not set_back:
        lacks = number_of(loss.records, "record")
        raise CannotDo(f"{target} holds {lacks} that {file} lacks; --set-back gives them up.")
    return loss


def _loss(file: Path, target: Path) -> Loss:
    with opened(f"sqlite:///{file}") as copied, opened(f"sqlite:///{target}") as live:
        head, position, same = live.ledger.head(), 0, 0
        while page := live.ledger.since(position, PAGE):
            others = copied.ledger.since(position, PAGE)
            for (mine, record), (theirs, other) in zip(page, others, strict=False):
                if (mine, record.game_id, record.link) != (theirs, other.game_id, other.link):
                    return Loss(head, head - same)
                same += 1
            if len(others) < len(page):
                return Loss(head, head - same)
            position = page[-1][0]
        return Loss(head, 0)


@contextmanager
def _alone(target: Path, loss: Loss) -> Generator[None]:
    """Nobody else has the ledger open, and nobody can open it until the end.

    A write-ahead log can be given up only by who has the database alone, so SQLite itself says who is there.
    """
    in_use = CannotDo(f"{target} is in use: stop everybody who has it open, then restore.")
    with closing(sqlite3.connect(target, timeout=1, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            head = connection.execute("SELECT coalesce(max(rowid), 0) FROM stored_events").fetchone()[0]
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise to_ledger_error(error, str(target)) from error
            raise in_use from error
        try:
            if head != loss.head:
                raise in_use
            yield
        finally:
            connection.execute("ROLLBACK")
            with suppress(sqlite3.OperationalError):  # another file is in its place now, which has its own mode
                connection.execute("PRAGMA journal_mode=WAL")


def _remove_read_models(address: str) -> None:
    read = Path(beside(address).removeprefix("sqlite:///"))
    for name in (read.name, f"{read.name}-wal", f"{read.name}-shm"):
        read.with_name(name).unlink(missing_ok=True)
