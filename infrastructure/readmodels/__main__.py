"""A runner as a process of its own, or a rebuild: `python -m fairdeal.infrastructure.readmodels ADDRESS`."""

import argparse
import os
import signal
import sys
from types import FrameType

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.readmodels.folding.progress_bar import bar
from fairdeal.infrastructure.readmodels.folding.runner import Runner
from fairdeal.service import Fairdeal

BEHIND_COMMANDS = 5
"""When processor time is short, those who play go first: questions catch up by themselves if they must."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fairdeal.infrastructure.readmodels", description=__doc__)
    parser.add_argument("address", help="the ledger: sqlite:///games.db or postgresql://…")
    parser.add_argument("--read-models", metavar="URL", help="where the read models are, if not beside the ledger")
    parser.add_argument("--rebuild", action="store_true", help="fold everything anew into fresh tables, then end")
    given = parser.parse_args(arguments)
    if hasattr(os, "nice"):
        os.nice(BEHIND_COMMANDS)
    try:
        with Fairdeal(given.address, read_models=given.read_models) as fairdeal:
            if given.rebuild:
                fairdeal.read.rebuild(progress=bar())
                return 0
            _run(fairdeal.read.runner())
            return 0
    except FairdealError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1


def _run(runner: Runner) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        runner.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    runner.run()


if __name__ == "__main__":
    sys.exit(main())
