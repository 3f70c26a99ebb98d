"""Processor time of whole loads: `python -m benchmarks.loads [EVENTS]`.

It prints ratios to the hashes alone, which hardly depend on what else the machine does. To compare two checkouts run
this file in both with the same Python: `PYTHONPATH=src:. python -m benchmarks.loads`.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fairdeal.application.audit.fast_walk import FastWalk
from fairdeal.application.audit.ledger import all_games, audit_ledger
from fairdeal.application.checkpoints.ledger_walk import LedgerWalk
from fairdeal.application.commands.game_cache import CachedGame
from fairdeal.application.log.links import NO_LINK, first_bad_link
from fairdeal.application.log.reader import must_be_linked, read_log
from fairdeal.application.size_of import UsualSizes
from fairdeal.domain.kernel.game import Game
from fairdeal.service import Fairdeal
from fairdeal.testing.recorded import recorded_games

EVENTS = 40_000
ROUNDS = 5


def measure(events: int, folder: Path) -> dict[str, float]:
    """Microseconds of the processor for each event, the best of some rounds."""
    with Fairdeal(f"sqlite:///{folder / 'loads.db'}") as fairdeal:
        ledger, codec = fairdeal.ledger, fairdeal.codec
        for records in recorded_games(events):
            ledger.append(records)
        ids = list(all_games(ledger))
        logs = [ledger.records(game_id) for game_id in ids]
        total = ledger.head()

        def hashes() -> None:
            assert not any(first_bad_link(codec.seed_of(log[0]), NO_LINK, log) for log in logs)

        def replay() -> None:
            for game_id in ids:
                log = ledger.records(game_id)
                Game.replayed(game_id, codec.rules_of(log[0]), codec.events(log))

        def load() -> None:
            usual = UsualSizes()  # as the cache of the command handlers has them
            for game_id in ids:
                CachedGame(game_id, ledger, codec, usual).catch_up()

        def load_and_measure() -> None:
            for game_id in ids:
                CachedGame(game_id, ledger, codec).catch_up()

        def read() -> None:
            for log in logs:
                must_be_linked(log, codec)
                read_log(log, codec)

        def audit() -> None:
            assert all(report.good for report in audit_ledger(ledger, codec))

        def walk() -> None:
            LedgerWalk(ledger, codec, total).run()

        def fast_walk() -> None:
            FastWalk(ledger, codec, total).run()

        ways: dict[str, Callable[[], None]] = {
            "the hashes alone": hashes,
            "replay from SQLite": replay,
            "load of a game by the command handlers": load,
            "the same, the memory of each game measured": load_and_measure,
            "read of a log in memory": read,
            "audit of the ledger": audit,
            "walk by position, link by link": walk,
            "the same by fingerprints": fast_walk,
        }
        return {name: min(processor_time(way) for _ in range(ROUNDS)) / total * 1e6 for name, way in ways.items()}


def processor_time(way: Callable[[], None]) -> float:
    start = time.process_time()
    way()
    return time.process_time() - start


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        found = measure(events, Path(folder))
    hashes = found["the hashes alone"]
    for name, micros in found.items():
        print(f"{name:<40} {micros:6.2f} µs for each event {micros / hashes:6.2f} x the hashes")


if __name__ == "__main__":
    main()
