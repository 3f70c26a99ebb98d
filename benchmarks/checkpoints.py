"""A checkpoint that goes on from the last one, beside one over everything: `python -m benchmarks.checkpoints`.

Processor time, so that it hardly matters what else the machine does.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from fairdeal import Fairdeal
from fairdeal.application.checkpoints.proofs import Checkpoint
from fairdeal.infrastructure.checkpoints.edge_file import EdgeFile
from fairdeal.testing.recorded import recorded_games

NEW = 1000


def processor_time(make: Callable[[], Checkpoint]) -> tuple[float, Checkpoint]:
    began = time.process_time()
    made = make()
    return time.process_time() - began, made


def measure(folder: Path, old: int, new: int) -> str:
    with Fairdeal(f"sqlite:///{folder / str(old)}.db") as fairdeal, closing(EdgeFile(folder / f"{old}.edge")) as edge:
        checkpoints = fairdeal.checkpoints
        kept = 0
        for records in recorded_games(old + new):
            if not kept and fairdeal.ledger.head() >= old:
                checkpoints.grow(edge)
                kept = fairdeal.ledger.head()
            fairdeal.ledger.append(records)
        added = fairdeal.ledger.head() - kept
        grown, one = processor_time(lambda: checkpoints.grow(edge))
        made, other = processor_time(checkpoints.make)
        assert (one.size, one.root) == (other.size, other.root)
    return f"{kept:>9,} records, {added:,} new: {grown:.3f} s, over everything {made:.3f} s ({made / grown:.0f} ×)"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkpoints", description=__doc__)
    parser.add_argument(
        "--records", type=int, nargs="+", default=[10_000, 50_000, 200_000], help="in the ledger before"
    )
    parser.add_argument("--new", type=int, default=NEW, help="since the last checkpoint")
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        for old in options.records:
            print(measure(Path(folder), old, options.new), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
