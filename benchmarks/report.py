"""The figures as tables: one for each thing that was measured, one line for each game."""

import sys

from rich.console import Console
from rich.table import Table

from benchmarks.figures import COMPILED, Figure
from benchmarks.noise import Noise

WIDTH = 120


class FigureReport:
    """Collects figures, says each at once, and shows them all at the end."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []

    def add(self, figure: Figure) -> None:
        self.figures.append(figure)
        said = f"{figure.what:<48} {figure.game:<14} {shown(figure.value)} {figure.unit}"
        print(said, file=sys.stderr, flush=True)

    def show(self, noise: Noise | None = None) -> None:
        console = Console(width=None if sys.stdout.isatty() else WIDTH)
        for what in self._in_order():
            console.print(_table([figure for figure in self.figures if figure.what == what]))
        below = [figure for figure in self.figures if figure.met is False]
        if below:
            names = ", ".join(f"{figure.what} ({figure.game})" if figure.game else figure.what for figure in below)
            console.print(f"Below the bar in this run: {names}", style="yellow")
        if noise is not None:
            console.print(str(noise), style="yellow" if noise.is_loud else "")

    def _in_order(self) -> list[str]:
        """What was measured, one after the other; after plain Python the same in the compiled build."""
        names = list(dict.fromkeys(figure.what for figure in self.figures))
        return sorted(names, key=lambda what: min(names.index(what), names.index(what.removesuffix(COMPILED))))


def _table(figures: list[Figure]) -> Table:
    first = figures[0]
    title = f"[bold]{first.what}[/]" + (f"   bar: {first.bar}" if first.bar else "")
    table = Table(title=title, title_justify="left", title_style="", box=None, padding=(0, 2, 0, 2))
    table.add_column("", min_width=14)
    table.add_column(first.unit, justify="right")
    if first.baseline is not None:
        table.add_column(f"baseline: {first.against}", justify="right")
        table.add_column("ratio", justify="right")
    table.add_column("spread", justify="right")
    table.add_column("")
    table.add_column("")
    for figure in figures:
        table.add_row(*_cells(figure, first.against))
    table.add_row("")
    return table


def _cells(figure: Figure, against: str) -> list[str]:
    compared = [] if figure.baseline is None else [shown(figure.baseline), f"{figure.ratio or 0:.2f}"]
    met = {None: "", True: "[green]✓[/]", False: "[yellow]below[/]"}[figure.met]
    note = figure.note if figure.against == against else f"against {figure.against}; {figure.note}"
    spread = "" if figure.spread is None else f"{figure.spread:.0%}"
    return [figure.game, shown(figure.value), *compared, spread, met, note]


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3f}"
