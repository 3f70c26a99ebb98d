"""`fairdeal backup`: copies a running SQLite ledger, and proves the copy."""

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.errors import NotALedger
from fairdeal.infrastructure.cli.commands.audit import audit_all
from fairdeal.infrastructure.cli.commands.checkpoint import KeyOption, audit_against, public_key, read_checkpoint
from fairdeal.infrastructure.cli.home import home_ledger
from fairdeal.infrastructure.cli.options import LEDGER_VARIABLE, JsonOption, is_address, opened, sqlite_path, writable
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, say, say_json, watching
from fairdeal.infrastructure.ledger.sqlite.file import to_ledger_error

PRIMARY = 0xFF
"""Where SQLite says what went wrong; the other bits say how."""
UNWRITABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)
"""What can only be about the copy: the ledger is being read already."""
PAGES = 500
"""Copied in one step; between two steps the bar moves on."""


def backup(
    file: Annotated[
        list[str], typer.Argument(help="Where the copy goes; the address of a ledger may stand before it.")
    ],
    ledger: Annotated[
        str | None, typer.Option("--ledger", envvar=LEDGER_VARIABLE, help="sqlite:///FILE", show_default=False)
    ] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="The newest checkpoint: the copy must still fit it.")] = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copies an SQLite ledger while others write to it, then audits the copy; an existing file is left alone.

    Exit status: 0 copied and good, 1 copied, but the audit found something, 2 it could not be copied.
    """
    address, copy = _places(file, ledger)
    source = sqlite_path(address)
    if source is None:
        raise CannotDo("Only SQLite ledgers are copied here; for PostgreSQL use pg_basebackup and pg_receivewal.")
    if writable(copy).exists():
        raise CannotDo(f"{copy} exists already.")
    kept = None if checkpoint is None else read_checkpoint(checkpoint)
    public = None if key is None else public_key(key)
    with opened(address):
        pass  # what is not a ledger is not copied
    part = copy.with_name(f".{copy.name}.part")
    try:
        copy_ledger(source, part)
        with opened(f"sqlite:///{part}") as copied:
            good = audit_all(copied, (), None, as_json=as_json) != FOUND
            if kept is not None:
                good = audit_against(copied, kept, public, as_json=as_json) and good
            records = copied.ledger.head()
        _sync(part)
        part.replace(copy)
    except NotALedger as error:  # the copy is as broken as what was copied, and is not kept
        raise NotALedger(error.message.replace(str(part), str(source))) from error
    finally:
        for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
            part.with_name(name).unlink(missing_ok=True)
    if as_json:
        say_json({"backup": str(copy), "records": records, "good": good})
    else:
        say(f"{copy} holds the {records} records of {source}{'' if good else ', and what was found in them'}.")
    if not good:
        raise typer.Exit(FOUND)


def _places(words: Sequence[str], ledger: str | None) -> tuple[str, Path]:
    match words:
        case [address, file]:
            return address, Path(file)
        case [file] if not is_address(file):
            return ledger or home_ledger(), Path(file)
        case _:
            raise CannotDo(
                "Give the address of a ledger and a file: fairdeal backup sqlite:///games.db games.backup.db"
            )


def copy_ledger(source: Path, target: Path) -> None:
    """One moment of the ledger as one file; writers go on meanwhile."""
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)) as read:
            # A transaction that stays open sees one moment: else every commit of others would begin the copy anew.
            read.execute("BEGIN")
            read.execute("SELECT count(*) FROM sqlite_master").fetchone()
            pages = int(read.execute("PRAGMA page_count").fetchone()[0])
            with _written(target) as written, watching(pages, "copying") as watch:
                read.backup(written, pages=PAGES, progress=lambda _, left, total: watch(total - left))
                written.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise to_ledger_error(error, str(source)) from error


@contextmanager
def _written(target: Path) -> Generator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as written:
            yield written
    except sqlite3.Error as error:
        if error.sqlite_errorcode & PRIMARY not in UNWRITABLE:
            raise
        raise CannotDo(f"The copy cannot be written into {target.parent}: {error}.") from error


def _sync(file: Path) -> None:
    with file.open("rb+") as opened_file:
        os.fsync(opened_file.fileno())
