"""`fairdeal doctor`: what is wrong with an installation, an address or a database, and how to mend it."""

import os
import shlex
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.cli.home import home_ledger
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.options import JsonOption, MaybeLedger, opened, sqlite_path, without_password
from fairdeal.infrastructure.cli.output import FOUND, number_of, say, say_json, say_line
from fairdeal.infrastructure.cli.read_models import are_kept, read_side
from fairdeal.infrastructure.ledger.sqlite.read_only import connect_to_read
from fairdeal.service import Fairdeal

LITTLE_ROOM = 100 * 2**20
SECONDS_FOR_A_LOCK = 5
EXTRAS = {
    "cli": ("typer", "rich"),
    "postgres": ("psycopg", "psycopg_pool"),
    "checkpoints": ("cryptography",),
    "http": ("starlette", "uvicorn"),
    "client": ("httpx2",),
    "plots": ("matplotlib",),
}
SIGNS = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is good, and what to do if it is not."""

    what: str
    grade: str
    told: str
    mend: str | None = None


def doctor(
    address: Annotated[str | None, typer.Argument(help="A ledger, or give --ledger.")] = None,
    ledger: MaybeLedger = None,
    as_json: JsonOption = False,
) -> None:
    """Says what is wrong with an installation, an address and a database, and how to mend it. Changes nothing.

    Exit status: 0 nothing is wrong, 1 something is.
    """
    bad = False
    for found in _findings(address or ledger):
        bad = bad or found.grade == "bad"
        if as_json:
            say_json({"what": found.what, "grade": found.grade, "told": found.told, "mend": found.mend})
        else:
            say_line(f"{SIGNS[found.grade]} {found.what}: {found.told}")
            if found.mend:
                say_line(f"    → {found.mend}")
    if not as_json:
        say("Something is wrong." if bad else "Nothing is wrong.")
    if bad:
        raise typer.Exit(FOUND)


def _findings(address: str | None) -> Iterator[Finding]:
    yield from _installation()
    if address is None and Path(home_ledger().removeprefix("sqlite:///")).exists():
        address = home_ledger()
    if address is None:
        mend = "give an address: fairdeal doctor sqlite:///games.db, or set FAIRDEAL_LEDGER"
        yield Finding("ledger", "note", "none was named, so none was looked at", mend)
        return
    try:
        path = sqlite_path(address)
    except FairdealError as error:
        yield Finding("address", "bad", error.message)
        return
    if path is not None:
        yield from _file(path)
    yield from _ledger(address)


def _installation() -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    try:
        yield Finding("fairdeal", "good", f"{version('fairdeal')} on Python {python}")
    except PackageNotFoundError:
        yield Finding("fairdeal", "bad", "it is not installed as a package", "pip install fairdeal")
    for extra, modules in EXTRAS.items():
        if all(find_spec(module) for module in modules):
            yield Finding(f"extra {extra}", "good", "installed")
        else:
            yield Finding(f"extra {extra}", "note", "not installed", f"if you need it: pip install 'fairdeal[{extra}]'")
    try:
        yield Finding("games", "good", ", ".join(kinds()))
    except FairdealError as error:
        yield Finding("games", "bad", error.message, "mend the package that brings this game, or uninstall it")
    yield Finding("SQLite", "good", sqlite3.sqlite_version)


def _file(path: Path) -> Iterator[Finding]:
    folder = path.resolve().parent
    if not folder.is_dir():
        yield Finding("folder", "bad", f"{folder} does not exist", f"mkdir -p {shlex.quote(str(folder))}")
        return
    room = shutil.disk_usage(folder).free
    grade = "bad" if room < LITTLE_ROOM else "good"
    mend = "make room: nothing can be stored when it is gone" if grade == "bad" else None
    yield Finding("room", grade, f"{room / 2**30:.1f} GiB are free in {folder}", mend)
    if path.exists() and not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        yield Finding("rights", "note", f"{path} can be read here, not written", "games cannot go on in it")


def _ledger(address: str) -> Iterator[Finding]:
    try:
        with opened(address) as fairdeal:
            path = sqlite_path(address)  # other addresses may hold a password
            records = number_of(fairdeal.ledger.head(), "record")
            yield Finding("ledger", "good", records if path is None else f"{records} in {path}")
            for look in (_pages, _read_models):
                yield from look(fairdeal, address)
    except FairdealError as error:
        yield Finding("ledger", "bad", error.message, MENDS.get(error.code, _no_hint)(address))


def _pages(_: Fairdeal, address: str) -> Iterator[Finding]:
    path = sqlite_path(address)
    if path is None:
        return
    try:
        with closing(connect_to_read(str(path), SECONDS_FOR_A_LOCK)) as connection:
            told = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        told = str(error)
    if told == "ok":
        yield Finding("pages", "good", "SQLite finds them whole; fairdeal audit says whether the records are, too")
    else:
        yield Finding("pages", "bad", told, "fairdeal restore BACKUP puts a backup back")


def _read_models(fairdeal: Fairdeal, address: str) -> Iterator[Finding]:
    if not are_kept(address):
        yield Finding(
            "read models", "note", "none beside the ledger", "fairdeal projections run makes and follows them"
        )
        return
    read = read_side(fairdeal, address)
    try:
        progress = read.progress()
        behind = progress.head - progress.position
        if behind < 0:
            mend = "fairdeal projections rebuild --anew"
            yield Finding("read models", "bad", "they hold more than the ledger, which was set back", mend)
        elif behind:
            mend = "fairdeal projections run keeps them fresh; questions catch up by themselves"
            yield Finding("read models", "note", f"{number_of(behind, 'record')} behind", mend)
        else:
            yield Finding("read models", "good", "fresh")
        letters = read.as_it_stands().dead_letters(limit=1).items
        if letters:
            yield Finding("dead letters", "bad", "some events could not be folded", "fairdeal projections dead-letters")
    finally:
        read.close()


def _no_hint(_: str) -> str | None:
    return None


def _make_or_restore(address: str) -> str:
    if sqlite_path(address) is None:  # the server's own tools bring back what was lost
        own = shlex.quote(without_password(address))
        return f"if there never was one, a game makes it: fairdeal play red7 --ledger {own}"
    return "name another file, or restore a backup: fairdeal restore BACKUP ADDRESS"


def _reach(address: str) -> str:
    if sqlite_path(address) is None:
        return "see that the server runs, and that host, port, database and password are right; then try again"
    return "see who holds it, or try again"


MENDS: dict[str, Callable[[str], str | None]] = {
    "cannot_do": lambda address: f"a game makes it: fairdeal play red7 --ledger {shlex.quote(address)}",
    "not_a_ledger": _make_or_restore,
    "newer_ledger": lambda _: "pip install --upgrade fairdeal",
    "ledger_unavailable": _reach,
}
