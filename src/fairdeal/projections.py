"""What authors of projections import, and the answers of `fairdeal.read` (docs/projections.md).

`python -m fairdeal.projections ADDRESS` is a process that keeps the read models fresh, or makes them anew.
"""

import argparse
import os
import sys

from fairdeal.application.projections.errors import NotCaughtUp, ReadModelError
from fairdeal.application.projections.public_event import PublicEvent, Result, TableSummary, results
from fairdeal.application.projections.results import (
    DeadLetter,
    Encounters,
    GameSummary,
    HeadToHead,
    Page,
    PlayedGame,
    Player,
    Progress,
    Rating,
    Retried,
    Statistics,
    TimelineEntry,
)
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.readmodels.projections.base import Projection, append, upsert

__all__ = [
    "DeadLetter", "Encounters", "GameSummary", "HeadToHead", "NotCaughtUp", "Page", "PlayedGame", "Player", "Progress",
    "Projection", "PublicEvent", "Rating", "ReadModelError", "Result", "Retried", "Statistics", "TableSummary",
    "TimelineEntry", "append", "main", "results", "upsert",
]  # fmt: skip

NICE = 5
"""When processor time is short, those who play go first: questions catch up by themselves if they must."""


def main(arguments: list[str] | None = None) -> int:
    """Folds until it is told to stop; any number may run at once."""
    from fairdeal.infrastructure.readmodels.folding.progress_bar import bar
    from fairdeal.infrastructure.stop_signals import stop_when_told
    from fairdeal.service import Fairdeal

    parser = argparse.ArgumentParser(
        prog="python -m fairdeal.projections",
        description="Keeps the read models of a ledger fresh.",
    )
    parser.add_argument("address", help="the ledger: sqlite:///games.db or postgresql://…")
    parser.add_argument("--read-models", metavar="URL", help="where the read models are, if not beside the ledger")
    parser.add_argument("--rebuild", action="store_true", help="fold everything anew into fresh tables, then end")
    given = parser.parse_args(arguments)
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        with Fairdeal(given.address, read_models=given.read_models) as fairdeal:
            if given.rebuild:
                fairdeal.read.rebuild(progress=bar())
            else:
                runner = fairdeal.read.runner()
                stop_when_told(runner)
                runner.run()
    except FairdealError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
