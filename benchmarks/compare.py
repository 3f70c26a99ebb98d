"""Two runs beside each other: `python -m benchmarks.compare OLD.json NEW.json` (`make bench-compare OLD=… NEW=…`)."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.noise import Noise

Key = tuple[str, str]


def figures_of(path: Path) -> tuple[dict[Key, Mapping[str, Any]], Noise]:
    """What a run wrote down, and how noisy its machine was."""
    found = json.loads(path.read_text(encoding="utf-8"))
    noise = Noise(**found["noise"])
    return {(figure["what"], figure["game"]): figure for figure in found["figures"]}, noise


def verdict(old: Mapping[str, Any], new: Mapping[str, Any], doubt: float) -> tuple[float, str]:
    """How the two compare, and whether that means anything: what has a baseline is compared by its ratio to it."""
    by = "ratio" if old["ratio"] and new["ratio"] else "value"
    change = new[by] / old[by]
    doubt = max(doubt, old["spread"] or 0.0, new["spread"] or 0.0)
    if abs(change - 1) <= doubt:
        return change, f"within the noise ({doubt:.0%})"
    return change, f"{'more' if change > 1 else 'less'}, by {by}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    given = parser.parse_args(arguments)
    old, noise = figures_of(given.old)
    new, more_noise = figures_of(given.new)
    doubt = max(0.05, 2 * noise.usual, 2 * more_noise.usual)
    table = Table("what", "game", "old", "new", "new / old", "", box=None, padding=(0, 2, 0, 0))
    for what, game in [key for key in old if key in new]:
        before, after = old[what, game], new[what, game]
        if before["value"] and after["value"]:
            change, says = verdict(before, after, doubt)
            numbers = f"{before['value']:,.4g}", f"{after['value']:,.4g}", f"{change:.2f}"
            table.add_row(what, game, *numbers, says)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)
    for name, missing in (("old", new.keys() - old.keys()), ("new", old.keys() - new.keys())):
        if missing:
            console.print(f"Not in the {name} run: {', '.join(sorted(what for what, _ in missing))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
