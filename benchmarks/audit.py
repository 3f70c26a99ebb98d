"""Replay and audit alone, from SQLite, beside baselines of the same run: `python -m benchmarks.audit [--quick]`."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import FULL, QUICK, Figure, Sizes
from benchmarks.games import scripts
from benchmarks.replaying import audited_events, replayed_events, whole_ledger
from benchmarks.report import FigureReport
from fairdeal.application.catalogue import KINDS

NO_END = 100_000


def measure(sizes: Sizes, folder: Path) -> Iterator[Figure]:
    for rules in KINDS.values():
        whole = scripts(rules, sizes.events // 2, NO_END)
        yield from replayed_events(rules, whole, sizes, folder)
        yield from audited_events(rules, whole, sizes, folder)
    yield from whole_ledger(sizes, folder)


def main(sizes: Sizes) -> None:
    report = FigureReport()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        for figure in measure(sizes, Path(folder)):
            report.add(figure)
    report.show()


if __name__ == "__main__":
    main(QUICK if "--quick" in sys.argv else FULL)
