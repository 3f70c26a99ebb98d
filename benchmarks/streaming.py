"""A ledger of a million events exported, verified, imported and audited: how fast, and in how much memory.

`python -m benchmarks.streaming [EVENTS]` in the root of the tree.
"""

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from fairdeal import Fairdeal
from fairdeal.infrastructure.export_files import lines_of
from fairdeal.testing.recorded import recorded_games

EVENTS = 1_000_000


def main(wanted: int) -> None:
    with TemporaryDirectory() as folder, Fairdeal(f"sqlite:///{folder}/games.db") as fairdeal:
        for records in recorded_games(wanted):
            fairdeal.ledger.append(records)
        events = fairdeal.ledger.head()
        file = Path(folder) / "all.jsonl"
        print(f"{events:,} events; memory so far {peak():,} MB at most")
        report("export", events, lambda: export(fairdeal, file))
        print(f"    {file.stat().st_size / events:,.0f} bytes per event")
        report("audit", events, lambda: audit(fairdeal, jobs=1))
        report("audit, jobs=2", events, lambda: audit(fairdeal, jobs=2))
        print(f"    each process {peak(resource.RUSAGE_CHILDREN):,} MB at most")
        with Fairdeal(f"sqlite:///{folder}/other.db") as other:
            importer = other.exports.importer
            report("import: check", events, lambda: sum(1 for _ in importer.check(lines_of(file))))
            report("import: store", events, lambda: sum(1 for _ in importer.store(lines_of(file))))
            assert other.ledger.head() == events


def export(fairdeal: Fairdeal, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(fairdeal.exports.export_all(operator=True))


def audit(fairdeal: Fairdeal, jobs: int) -> None:
    assert all(found.good for found in fairdeal.audit_all(jobs=jobs))


def report(what: str, events: int, work: Callable[[], object]) -> None:
    before, started = peak(), time.perf_counter()
    work()
    spent = time.perf_counter() - started
    print(f"  {what:<14} {events / spent:>10,.0f} events per second, {peak() - before} MB more memory")


def peak(whose: int = resource.RUSAGE_SELF) -> int:
    """The most memory that this process has had, or the largest of those that it started, in megabytes."""
    most = resource.getrusage(whose).ru_maxrss
    return most // (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
