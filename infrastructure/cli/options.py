"""What people type that several commands share: ledgers that must be there, logs from anywhere, receipts."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.exports.format import count_logs
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt, Record
from fairdeal.infrastructure.cli.output import CannotDo, counted
from fairdeal.infrastructure.export_files import WholeLogs, lines_of, logs_in, records_in, verify_log
from fairdeal.service import Fairdeal

CODEC = Codec(KINDS)

LEDGER_VARIABLE = "FAIRDEAL_LEDGER"

LedgerOption = Annotated[
    str, typer.Option("--ledger", envvar=LEDGER_VARIABLE, help="sqlite:///FILE or postgresql://…", show_default=False)
]
MaybeLedger = Annotated[
    str | None,
    typer.Option("--ledger", envvar=LEDGER_VARIABLE, help="sqlite:///FILE or postgresql://…", show_default=False),
]


JsonOption = Annotated[bool, typer.Option("--json", help="For programs: JSON, one object per line, errors too.")]
ErrorsAsJson = Annotated[bool, typer.Option("--json", help="For programs: errors as JSON; what is written is anyway.")]
ReceiptOption = Annotated[
    list[str] | None, typer.Option("--receipt", help="GAME:VERSION:LINK, or @FILE with one in each line.")
]
ViewerOption = Annotated[str | None, typer.Option("--as", help="Whose eyes; without it a spectator's.")]


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


def verified(file: Path, receipts: Sequence[Receipt], opened: Sequence[Path] = ()) -> Iterator[Report]:
    """The verdicts on the games of a file, with a progress bar if there are many."""
    games = count_logs(lines_of(file)())
    whole_logs = WholeLogs(opened)
    reports = (verify_log(log, CODEC, receipts, whole_logs) for log in logs_in(file))
    return counted(reports, games, "verifying") if games > 1 else reports
