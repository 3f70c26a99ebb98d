"""What all commands share: ledgers that must be there, logs from anywhere, output for people and programs."""

import json
import sys
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer
from rich.console import Console
from rich.progress import Progress

from fairdeal.application.catalogue import GAMES
from fairdeal.application.logfile import count_logs
from fairdeal.application.records import Receipt, Record
from fairdeal.application.verdicts import Report
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.infrastructure.bootstrap import Fairdeal
from fairdeal.infrastructure.codec import JsonCodec
from fairdeal.infrastructure.files import lines_of, records_in, verify_file

GOOD, FOUND, FAILED, UNREAD = 0, 1, 2, 141
LONGEST_MESSAGE = 1000
CODEC = JsonCodec(GAMES)

T = TypeVar("T")

LedgerOption = Annotated[
    str, typer.Option("--ledger", envvar="FAIRDEAL_LEDGER", help="sqlite:///FILE or postgresql://…", show_default=False)
]
MaybeLedger = Annotated[
    str | None,
    typer.Option("--ledger", envvar="FAIRDEAL_LEDGER", help="sqlite:///FILE or postgresql://…", show_default=False),
]


AS_JSON = "fairdeal as JSON"
"""Where the context of a command keeps whether a program reads the answer: errors are for it, too."""
JsonOption = Annotated[bool, typer.Option("--json", help="For programs: JSON, one object per line, errors too.")]
ErrorsAsJson = Annotated[bool, typer.Option("--json", help="For programs: errors as JSON; what is written is anyway.")]
ReceiptOption = Annotated[
    list[str] | None, typer.Option("--receipt", help="GAME:VERSION:LINK, or @FILE with one in each line.")
]
ViewerOption = Annotated[str | None, typer.Option("--as", help="Whose eyes; without it a spectator's.")]


class CannotDo(FairdealError):
    """What the command line was asked for makes no sense or is not there."""

    code = "cannot_do"


@contextmanager
def opened(address: str | None, *, write: bool = False, create: bool = False) -> Generator[Fairdeal]:
    """The ledger, to be read only unless the command says otherwise; one that is not there is made only to `create`."""
    if address is None:
        raise CannotDo("Which ledger? Give --ledger or set FAIRDEAL_LEDGER.")
    scheme, _, path = address.partition(":///")
    if scheme == "sqlite" and not create and not Path(path).exists():
        raise CannotDo(f"There is no ledger {path}.")
    if write:
        Fairdeal(address, read_only=True).close()  # to write into a ledger, it must be one
    with Fairdeal(address, read_only=not (write or create)) as fairdeal:
        yield fairdeal


def file_at(path: str | Path) -> Path:
    """A file that can be read."""
    found = Path(path)
    if found.is_dir():
        raise CannotDo(f"{found} is a folder.")
    if found.exists() and not found.is_file():
        raise CannotDo(f"{found} cannot be read twice, as a file can: save it to one first.")
    if not found.exists():
        raise CannotDo(f"There is no file {found}.")
    return found


def text_of(path: str | Path) -> str:
    """What a small file says, a key or receipts."""
    try:
        return file_at(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CannotDo(f"{path} is no text.") from None


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
        return records_in(Path(log), CODEC)
    with opened(ledger) as fairdeal:
        return fairdeal.records(game_id(log))


def receipts_of(texts: Iterable[str] | None) -> list[Receipt]:
    receipts: list[Receipt] = []
    for text in texts or ():
        lines = text_of(text[1:]).splitlines() if text.startswith("@") else [text]
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
    """For people; what would move their cursor or colour their screen is shown as what it is."""
    typer.echo("\n".join(printable(line) for line in text.split("\n")))


def say_line(text: str) -> None:
    """For people: one line, whatever somebody put into a log or the name of a file."""
    typer.echo(shortened(printable(text)))


def printable(line: str) -> str:
    return line if line.isprintable() else "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)


def say_json(data: Any, *, err: bool = False) -> None:
    # In ASCII: whatever a name or a file's name holds, it stays JSON.
    typer.echo(json.dumps(data), err=err)


def verified(file: Path, receipts: Sequence[Receipt]) -> Iterator[Report]:
    """The verdicts on the games of a file, with a progress bar if there are many."""
    games = count_logs(lines_of(file)())
    reports = verify_file(file, receipts)
    return counted(reports, games, "verifying") if games > 1 else reports


def show(report: Report, *, file: Path | None = None, as_json: bool) -> bool:
    """Says what an audit found; whether that is good."""
    if as_json:
        say_json(({} if file is None else {"file": str(file), "what": "game"}) | report.plain())
    else:
        where = "" if file is None else f"{file}  "
        say_line(f"{where}{report.game_id}  {report.kind}, {report.records} records")
        for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
            say_line(f"  {name:<10} {verdict}")
    return report.good


def mention_unused(receipts: Sequence[Receipt], games: Container[UUID]) -> None:
    """So that nobody takes a receipt for checked whose game was not there."""
    others = sum(receipt.game_id not in games for receipt in receipts)
    if others:
        typer.echo(f"{others} of the receipts are of other games.", err=True)


def counted(things: Iterable[T], total: int, what: str, weight: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """The same things, with a progress bar on the error stream if somebody watches."""
    with _bar() as progress:
        task = progress.add_task(what, total=total)
        for thing in things:
            yield thing
            progress.advance(task, weight(thing))


@contextmanager
def watching(total: int, what: str) -> Generator[Callable[[int], None]]:
    """To be told how far one has come, and to show that in a progress bar."""
    with _bar() as progress:
        task = progress.add_task(what, total=total)
        yield lambda position: progress.update(task, completed=position)


def _bar() -> Progress:
    # What is printed meanwhile goes where it belongs: the output may be a file while somebody watches the bar.
    return Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not sys.stderr.isatty(),
    )


def complain(error: FairdealError, *, as_json: bool = False) -> None:
    if as_json:
        say_json({"error": error.code, "message": shortened(error.message)}, err=True)
        return
    console = Console(stderr=True, soft_wrap=True, markup=False, highlight=False, emoji=False)
    console.print(f"{error.code}:", style="bold red", end=" ")
    console.print(shortened(printable(error.message)))


def shortened(text: str) -> str:
    """What is said may quote a file, and a file may hold anything."""
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]} …"
