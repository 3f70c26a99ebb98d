"""What commands print: for people and for programs, with progress where it takes long."""

import json
import sys
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import typer

from fairdeal.domain.kernel.refusals import FairdealError

if TYPE_CHECKING:
    from rich.progress import Progress

    from fairdeal.application.audit.verdicts import Report
    from fairdeal.application.log.record import Receipt

GOOD, FOUND, FAILED, UNCHECKED, UNREAD = 0, 1, 2, 4, 141
WORST_FIRST = (FAILED, FOUND, UNCHECKED, GOOD)
LONGEST_MESSAGE = 1000
T = TypeVar("T")

BRING_IT = " Install the package that brings this game, or name it: --kinds MODULE:NAME."
HINTS = {"unknown_kind": BRING_IT, "unknown_event": BRING_IT}
"""What people can do about a refusal, where its own sentence is not only for them."""

AS_JSON = "fairdeal as JSON"
"""Where the context of a command keeps whether a program reads the answer: errors are for it, too."""


class CannotDo(FairdealError):
    """What the command line was asked for makes no sense or is not there."""

    code = "cannot_do"


def say(text: str) -> None:
    """For people; what would move their cursor or colour their screen is shown as what it is."""
    typer.echo("\n".join(printable(line) for line in text.split("\n")))


def say_line(text: str) -> None:
    """For people: one line, whatever somebody put into a log or the name of a file."""
    typer.echo(shortened(printable(text)))


def printable(line: str) -> str:
    return line if line.isprintable() else "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)


def number_of(count: int, thing: str) -> str:
    """`1 game`, `2 games`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def were_there(count: int) -> str:
    """`1 was there already`, `2 were there already`."""
    return f"{count} {'was' if count == 1 else 'were'} there already"


def say_json(data: Any, *, err: bool = False) -> None:
    # In ASCII: whatever a name or a file's name holds, it stays JSON.
    typer.echo(json.dumps(data), err=err)


def show(report: "Report", *, file: Path | None = None, as_json: bool) -> int:
    """Says what an audit found; the status that follows from it."""
    if as_json:
        from fairdeal.application.wire.encoding import to_plain

        say_json(({} if file is None else {"file": str(file), "what": "game"}) | to_plain(report))
    else:
        where = "" if file is None else f"{file}  "
        if report.is_of_ledger:
            say_line("the ledger beside its games")
        else:
            say_line(f"{where}{report.game_id}  {report.kind}, {report.records} records")
        for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
            say_line(f"  {name:<10} {verdict}")
    return status_of(report)


class ReceiptNotChecked(FairdealError):
    """A receipt was given for a game that is not in what was to be checked."""

    code = "receipt_not_checked"


def status_of(report: "Report") -> int:
    return FOUND if report.bad else GOOD if report.rules_at_hand else UNCHECKED


def worst(statuses: Iterable[int]) -> int:
    """The status of a command that found all this."""
    found = {GOOD, *statuses}
    return next(status for status in WORST_FIRST if status in found)


def unused(receipts: "Sequence[Receipt]", games: Container[UUID], *, as_json: bool) -> int:
    """An error for each game of a receipt that was not there: nobody must take such a receipt for checked."""
    others = sorted({str(receipt.game_id) for receipt in receipts if receipt.game_id not in games})
    for game in others:
        why = f"A receipt was given for game {game}, which is not in what was checked."
        print_error(ReceiptNotChecked(why), as_json=as_json)
    return FAILED if others else GOOD


def counted(things: Iterable[T], total: int, what: str, weight: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """The same things, with a progress bar on the error stream if somebody watches."""
    with watching(total, what) as came_to:
        done = 0
        for thing in things:
            yield thing
            done += weight(thing)
            came_to(done)


@contextmanager
def watching(total: int, what: str) -> Generator[Callable[[int], None]]:
    """To be told how far one has come, and to show that in a progress bar if somebody watches."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with _bar() as progress:
        task = progress.add_task(what, total=total)
        yield lambda position: progress.update(task, completed=position)


def _bar() -> "Progress":
    from rich.console import Console  # a tenth of a second that no help should wait for
    from rich.progress import Progress

    # What is printed meanwhile goes where it belongs: the output may be a file while somebody watches the bar.
    return Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def print_error(error: FairdealError, *, as_json: bool = False) -> None:
    if as_json:
        say_json({"error": error.code, "message": shortened(error.message)}, err=True)
        return
    from rich.console import Console

    console = Console(stderr=True, soft_wrap=True, markup=False, highlight=False, emoji=False)
    console.print(f"{error.code}:", style="bold red", end=" ")
    console.print(f"{shortened(printable(error.message))}{HINTS.get(error.code, '')}")


def print_note(text: str) -> None:
    """What is worth knowing and no error, where it does not disturb what is printed."""
    typer.echo(shortened(printable(text)), err=True)


def shortened(text: str) -> str:
    """What is said may quote a file, and a file may hold anything."""
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]} …"
