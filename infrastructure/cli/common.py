"""What all commands share: ledgers that must be there, logs from anywhere, output for people and programs."""

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer
from rich.console import Console
from rich.progress import Progress

from fairdeal.application.errors import NotAnExport, UnknownGame
from fairdeal.application.logfile import read_logs
from fairdeal.application.records import Receipt, Record
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.infrastructure.bootstrap import Fairdeal
from fairdeal.infrastructure.files import lines_of

GOOD, FOUND, FAILED = 0, 1, 2

T = TypeVar("T")

LedgerOption = Annotated[
    str, typer.Option("--ledger", envvar="FAIRDEAL_LEDGER", help="sqlite:///FILE or postgresql://…", show_default=False)
]
MaybeLedger = Annotated[
    str | None,
    typer.Option("--ledger", envvar="FAIRDEAL_LEDGER", help="sqlite:///FILE or postgresql://…", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="For programs: JSON, one object per line.")]
ReceiptOption = Annotated[
    list[str] | None, typer.Option("--receipt", help="GAME:VERSION:LINK, or @FILE with one in each line.")
]
ViewerOption = Annotated[str | None, typer.Option("--as", help="Whose eyes; without it a spectator's.")]


class CannotDo(FairdealError):
    """What the command line was asked for makes no sense or is not there."""

    code = "cannot_do"


@contextmanager
def opened(address: str | None, *, create: bool = False) -> Generator[Fairdeal]:
    """The ledger; a command that only reads never makes a new one."""
    if address is None:
        raise CannotDo("Which ledger? Give --ledger or set FAIRDEAL_LEDGER.")
    scheme, _, path = address.partition(":///")
    if scheme == "sqlite" and not create and not Path(path).exists():
        raise CannotDo(f"There is no ledger {path}.")
    with Fairdeal(address) as fairdeal:
        yield fairdeal


def file_at(path: str | Path) -> Path:
    """A file that can be read."""
    found = Path(path)
    if not found.is_file():
        raise CannotDo(f"{found} is a folder." if found.is_dir() else f"There is no file {found}.")
    return found


def game_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CannotDo(f"{text!r} is neither a file nor the id of a game.") from None


def is_file(text: str) -> bool:
    """Whether a log is meant that stands in a file; an id of a game never looks like one that is missing."""
    if Path(text).is_file():
        return True
    game_id(text)
    return False


def records_of(log: str, ledger: str | None) -> Sequence[Record]:
    """A log by the id of its game, or from an exported file that holds one game."""
    if is_file(log):
        found = list(read_logs(lines_of(Path(log))()))
        if len(found) != 1:
            raise NotAnExport(f"{log} holds {len(found)} games; one is needed.")
        return found[0].records()
    with opened(ledger) as fairdeal:
        records = fairdeal.ledger.records(game_id(log))
        if not records:
            raise UnknownGame(game_id(log))
        return records


def receipts_of(texts: Iterable[str] | None) -> list[Receipt]:
    receipts: list[Receipt] = []
    for text in texts or ():
        lines = file_at(text[1:]).read_text(encoding="utf-8").splitlines() if text.startswith("@") else [text]
        for line in lines:
            if line.strip():
                receipts.append(_receipt(line))
    return receipts


def _receipt(text: str) -> Receipt:
    try:
        return Receipt.read(text)
    except ValueError:
        raise CannotDo(f"{text!r} is no receipt; one is written GAME:VERSION:LINK.") from None


def say(text: str) -> None:
    typer.echo(text)


def say_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False))


def counted(things: Iterable[T], total: int, what: str, weight: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """The same things, with a progress bar on the error stream if somebody watches."""
    # What is printed meanwhile goes where it belongs: the output may be a file while somebody watches the bar.
    with Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task(what, total=total)
        for thing in things:
            yield thing
            progress.advance(task, weight(thing))


def complain(error: FairdealError) -> None:
    Console(stderr=True, soft_wrap=True).print(f"[bold red]{error.code}[/]:", end=" ")
    Console(stderr=True, soft_wrap=True).print(error.message, markup=False, highlight=False)
