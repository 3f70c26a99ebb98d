"""What people type that several commands share: ledgers that must be there, logs from anywhere, receipts."""

import os
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from fairdeal.infrastructure.cli.home import home_ledger, make_room
from fairdeal.infrastructure.cli.output import CannotDo, counted

# Loaded where they are used: a command that needs no game loads none of them, and a list of games is quick.
if TYPE_CHECKING:
    from fairdeal.application.audit.verdicts import Report
    from fairdeal.application.log.record import Receipt, Record
    from fairdeal.service import Fairdeal

HEX_OF_ID = 32
SUFFIXES = (".db", ".sqlite", ".sqlite3")
"""What files of SQLite are often called."""
EXAMPLE = "sqlite:///games.db for a file in this folder, sqlite:////srv/games.db for one at /srv/games.db"
LEDGER_VARIABLE = "FAIRDEAL_LEDGER"
PASSWORD = re.compile(r"(^\w+://[^/@:?]*:).*(@)|([?&](?:ssl)?password=)[^&]*")
PATIENCE_SECONDS = 10.0
"""Somebody sits there and waits."""

LedgerOption = Annotated[
    str,
    typer.Option(
        "--ledger",
        envvar=LEDGER_VARIABLE,
        help="sqlite:///FILE or postgresql://…; without: your own.",
        show_default=False,
        default_factory=home_ledger,
    ),
]
MaybeLedger = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        envvar=LEDGER_VARIABLE,
        help="sqlite:///FILE or postgresql://…; without: your own.",
        show_default=False,
    ),
]


JsonOption = Annotated[bool, typer.Option("--json", help="For programs: JSON, one object per line, errors too.")]
ErrorsAsJson = Annotated[bool, typer.Option("--json", help="For programs: errors as JSON; what is written is anyway.")]
ReceiptOption = Annotated[
    list[str] | None, typer.Option("--receipt", help="GAME:VERSION:LINK, or @FILE with one in each line.")
]
PlainOption = Annotated[bool, typer.Option("--plain", help="Lines of text: for screen readers and pipes.")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="At most so many.", show_default=False)]
SinceOption = Annotated[str | None, typer.Option(help="From this moment on, 2026-01-31 or 2026-01-31T12:00 (UTC).")]
UntilOption = Annotated[str | None, typer.Option(help="Before this moment.")]
ViewerOption = Annotated[str | None, typer.Option("--as", help="Whose eyes; without it a spectator's.")]


@contextmanager
def opened(address: str | None, *, write: bool = False, create: bool = False) -> "Generator[Fairdeal]":
    """The ledger, to be read only unless the command says otherwise; one that is not there is made only to `create`."""
    own = home_ledger()
    address = own if address is None else address
    path = sqlite_path(address)
    if path is not None and not create and not path.exists():
        if address == own:
            raise CannotDo("Which ledger? Give --ledger or set FAIRDEAL_LEDGER; fairdeal play begins one of your own.")
        raise CannotDo(f"There is no ledger {path}.")
    if create:
        make_room(address)
    from fairdeal.infrastructure.cli.kinds import kinds
    from fairdeal.service import Fairdeal

    if write:
        Fairdeal(address, read_only=True, patience=PATIENCE_SECONDS).close()  # to write into a ledger, it must be one
    with Fairdeal(address, kinds=kinds(), read_only=not (write or create), patience=PATIENCE_SECONDS) as fairdeal:
        yield fairdeal


def is_ledger(address: str | None) -> bool:
    """Whether there is one already; what else may be wrong there is told by who opens it."""
    from fairdeal.application.errors import NotALedger
    from fairdeal.infrastructure.ledger.addresses import open_ledger

    try:
        open_ledger(home_ledger() if address is None else address, read_only=True, patience=PATIENCE_SECONDS).close()
    except NotALedger:
        return False
    return True


def is_address(text: str) -> bool:
    """Whether a ledger is meant by this, and not a file."""
    return text.partition(":")[0] in ("sqlite", "postgresql", "postgres", "memory") and ":" in text


def without_password(address: str) -> str:
    """An address as a screen may show it, where others look on and recordings are made."""
    return PASSWORD.sub(r"\1\3***\2", address)


def sqlite_path(address: str) -> Path | None:
    """The file of an SQLite ledger, None for any other; what is almost such an address gets a sentence that helps."""
    scheme, _, rest = address.partition(":")
    if not address:
        raise CannotDo(f"The address of the ledger is empty: write {EXAMPLE}.")
    if not rest and (os.sep in address or Path(address).is_file() or Path(address).suffix in SUFFIXES):
        raise CannotDo(f"A ledger has an address, not only the name of a file; did you mean sqlite:///{address}?")
    if scheme != "sqlite":
        return None
    if rest == "///:memory:":
        raise CannotDo(f"{address} keeps nothing: write {EXAMPLE}; memory: is a ledger that is gone at the end.")
    if rest.startswith("///") and rest != "///":
        return Path(rest.removeprefix("///"))
    given = rest.lstrip("/")
    is_absolute = rest.startswith("/") and not rest.startswith("//")
    meant = f"; did you mean sqlite:///{'/' if is_absolute else ''}{given}?" if given else "."
    raise CannotDo(f"{address} names no file: write {EXAMPLE}{meant}")


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


def writable(file: Path) -> Path:
    """A file that can be written, as far as one can say beforehand."""
    if file.is_dir():
        raise CannotDo(f"{file} cannot be written: it is a folder.")
    if not file.resolve().parent.is_dir():
        raise CannotDo(f"{file} cannot be written: its folder is missing.")
    return file


def text_of(path: str | Path) -> str:
    """What a small file says, a key or receipts."""
    try:
        return file_at(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CannotDo(f"{path} is not a text.") from None


def game_id(text: str, fairdeal: "Fairdeal") -> UUID:
    """The id of a game, or that of the only game of the ledger whose id begins so."""
    try:
        return UUID(text)
    except ValueError:
        begins = text.replace("-", "").lower()
    if not _is_beginning(begins):
        raise _no_game(text)
    before = int(begins.ljust(HEX_OF_ID, "0"), 16) - 1
    page = fairdeal.ledger.game_ids(None if before < 0 else UUID(int=before), 2)
    found = [game for game in page if game.hex.startswith(begins)]
    if not found:
        from fairdeal.application.errors import UnknownGame

        raise UnknownGame(text)
    if len(found) > 1:
        raise CannotDo(f"Several games begin with {text}, {found[0]} and {found[1]} among them: type more of it.")
    return found[0]


def _is_beginning(text: str) -> bool:
    return 0 < len(text) <= HEX_OF_ID and set(text) <= set("0123456789abcdef")


def _no_game(text: str) -> CannotDo:
    return CannotDo(f"{text!r} is neither a file nor the id of a game.")


def is_file(text: str) -> bool:
    """Whether a log is meant that stands in a file; an id of a game never looks like one that is missing."""
    if Path(text).is_file():
        return True
    try:
        UUID(text)
    except ValueError:
        if not _is_beginning(text.replace("-", "").lower()):
            raise _no_game(text) from None
    return False


def records_of(log: str, ledger: str | None) -> "Sequence[Record]":
    """A log by the id of its game, or from an exported file that holds one game."""
    if is_file(log):
        from fairdeal.infrastructure.cli.kinds import codec
        from fairdeal.infrastructure.export_files import records_in

        return records_in(Path(log), codec())
    with opened(ledger) as fairdeal:
        return fairdeal.records(game_id(log, fairdeal))


def receipts_of(texts: Iterable[str] | None) -> "list[Receipt]":
    receipts: list[Receipt] = []
    for text in texts or ():
        lines = text_of(text[1:]).splitlines() if text.startswith("@") else [text]
        for line in lines:
            if line.strip():
                receipts.append(_receipt(line))
    return receipts


def _receipt(text: str) -> "Receipt":
    from fairdeal.application.log.record import Receipt

    try:
        return Receipt.read(text)
    except ValueError:
        raise CannotDo(f"{text!r} is not a receipt; one is written GAME:VERSION:LINK.") from None


def verified(file: Path, receipts: "Sequence[Receipt]", opened: Sequence[Path] = ()) -> "Iterator[Report]":
    """The verdicts on the games of a file, with a progress bar if there are many."""
    from fairdeal.application.exports.format import count_logs
    from fairdeal.infrastructure.cli.kinds import codec
    from fairdeal.infrastructure.export_files import WholeLogs, lines_of, logs_in, verify_log

    games = count_logs(lines_of(file)())
    known, whole_logs = codec(), WholeLogs(opened)
    reports = (verify_log(log, known, receipts, whole_logs) for log in logs_in(file))
    return counted(reports, games, "verifying") if games > 1 else reports


def moment(text: str) -> datetime:
    """A moment, in UTC unless it names a zone."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise CannotDo(f"{text!r} is not a moment; write it as 2026-01-31T12:00:00.") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def maybe_moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)
