"""Decks and pools of the trading card game on disk; whatever is in a file is checked by the domain."""

import contextlib
import os
import secrets
from errno import EINVAL
from pathlib import Path
from stat import S_ISREG

from fairdeal.domain.tcg.decks import DeckList, is_name
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import Pool
from fairdeal.domain.tcg.refusals import DeckFault, FaultCode, InvalidDeck, InvalidPool
from fairdeal.infrastructure.games.tcg_documents import LARGEST, deck_bytes, read_deck, read_pool

SUFFIX = ".json"


class DeckFolder:
    """A folder of deck files. Names are checked first, links are not followed: nothing outside is read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        """The decks there are, good or bad, in the order of the alphabet."""
        if not self.path.is_dir():
            return []
        return sorted(file.stem for file in self.path.iterdir() if file.suffix == SUFFIX and is_name(file.stem))

    def load(self, name: str, options: TcgOptions) -> DeckList:
        """The deck of that name, if it can be played by these rules."""
        file = self._file(name)
        try:
            data = _read(file, follow_links=False)
        except FileNotFoundError:
            raise _refused(name, FaultCode.DECK_NOT_FOUND, "there is no such deck") from None
        except OSError as error:
            raise _refused(name, FaultCode.DECK_UNREADABLE, f"the file cannot be read ({error.strerror})") from None
        return read_deck(data, name, options)

    def save(self, deck: DeckList, options: TcgOptions, *, replace: bool = False) -> Path:
        """Writes the deck as a whole or not at all; another deck of that name is replaced only on demand."""
        data = deck_bytes(deck, options)
        file = self._file(deck.name)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            saved = _write(file, data, replace=replace)
        except OSError as error:
            raise _refused(deck.name, FaultCode.DECK_UNWRITABLE, f"it cannot be saved ({error.strerror})") from None
        if not saved:
            raise _refused(deck.name, FaultCode.NAME_TAKEN, "there is a deck of that name already")
        return file

    def _file(self, name: str) -> Path:
        if not is_name(name):
            raise _refused(repr(name), FaultCode.BAD_NAME, "a deck cannot have this name")
        return self.path / f"{name}{SUFFIX}"


def load_pool(path: Path) -> Pool:
    """A pool of the user's own, from wherever they keep it."""
    try:
        data = _read(path, follow_links=True)
    except FileNotFoundError:
        raise InvalidPool(str(path), [DeckFault(FaultCode.POOL_NOT_FOUND, "there is no such file")]) from None
    except OSError as error:
        fault = DeckFault(FaultCode.POOL_UNREADABLE, f"the file cannot be read ({error.strerror})")
        raise InvalidPool(str(path), [fault]) from None
    return read_pool(data, str(path))


def _refused(name: str, code: FaultCode, message: str) -> InvalidDeck:
    return InvalidDeck(name, [DeckFault(code, message)])


def _read(file: Path, *, follow_links: bool) -> bytes:
    """The file's bytes, or one more than is allowed; what is not a plain file is an error."""
    # Not every system knows these: a link is refused, and a pipe does not keep us waiting.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(file, flags if follow_links else flags | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(EINVAL, "not a plain file")
        with os.fdopen(descriptor, "rb", closefd=False) as opened:
            return opened.read(LARGEST + 1)
    finally:
        os.close(descriptor)


def _write(file: Path, data: bytes, *, replace: bool) -> bool:
    """By way of a temporary file in the same folder, so that a crash leaves the old deck whole; False if taken."""
    temporary = file.with_name(f".{file.stem}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        if replace:
            temporary.replace(file)
        elif not _take_name(temporary, file):
            return False
        _sync_folder(file.parent)
    finally:
        temporary.unlink(missing_ok=True)
    return True


def _take_name(temporary: Path, file: Path) -> bool:
    """Gives the file its name if nobody has it yet: a link finds out and takes it in the same instant."""
    try:
        file.hardlink_to(temporary)
    except FileExistsError:
        return False
    except OSError:
        # Some file systems know no links: there a look beforehand must do.
        if os.path.lexists(file):
            return False
        temporary.replace(file)
    return True


def _sync_folder(folder: Path) -> None:
    """Makes the new name itself survive a crash, where the system can do that for folders."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
