"""Files of exported games, line by line and never whole in memory."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fairdeal.application.importing import Source


def lines_of(path: Path) -> Source:
    """The lines of a file, read anew each time they are asked for."""

    def lines() -> Iterator[bytes]:
        with path.open("rb") as file:
            yield from file

    return lines


@contextmanager
def whole_file(path: Path) -> Generator[BinaryIO]:
    """A file to write that is there when it is whole; until then, and if it fails, what stood there stays."""
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:  # a pipe or a device
            yield stream
        return
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
