"""Rows for people: a table on a terminal, aligned lines elsewhere."""

import sys
from collections.abc import Sequence

from fairdeal.infrastructure.cli.output import printable, say_line


def show_rows(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = (), empty: str = "Nothing."
) -> None:
    """The rows under their headings; columns named in `right` hold numbers. Without any, why there are none."""
    if not rows:
        say_line(empty)
    elif sys.stdout.isatty():
        _draw(headings, rows, right)
    else:
        _print(headings, rows, right)


def _draw(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console(highlight=False).print(table)


def _print(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = [
            f"{cell:>{width}}" if heading in right else f"{cell:<{width}}"
            for cell, width, heading in zip(row, widths, headings, strict=True)
        ]
        say_line("  ".join(cells).rstrip())
