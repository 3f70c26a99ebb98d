"""Files of exported games, line by line and never whole in memory."""

from collections.abc import Iterator
from pathlib import Path

from fairdeal.application.importing import Source


def lines_of(path: Path) -> Source:
    """The lines of a file, read anew each time they are asked for."""

    def lines() -> Iterator[bytes]:
        with path.open("rb") as file:
            yield from file

    return lines
