"""Bots at the table and clocks, played by a thread (`BotRunner`) or a process: `python -m fairdeal.bots ADDRESS`."""

import argparse
import sys
from datetime import timedelta

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.bots.runner import BotRunner
from fairdeal.infrastructure.stop_signals import stop_when_told
from fairdeal.service import Fairdeal

__all__ = ["BotRunner", "main"]


def main(arguments: list[str] | None = None) -> int:
    """Plays until it is told to stop; any number may run at once, one of them works."""
    parser = argparse.ArgumentParser(prog="python -m fairdeal.bots", description=__doc__)
    parser.add_argument("address", help="the ledger: sqlite:///games.db or postgresql://…")
    parser.add_argument(
        "--lobby-hours", type=float, metavar="HOURS", help="lobbies that nobody has joined for so long become void"
    )
    given = parser.parse_args(arguments)
    after = None if given.lobby_hours is None else timedelta(hours=given.lobby_hours)
    try:
        with Fairdeal(given.address) as fairdeal:
            runner = BotRunner(fairdeal, lobbies_after=after)
            stop_when_told(runner)
            runner.run()
    except FairdealError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
