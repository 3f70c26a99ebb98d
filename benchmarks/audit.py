"""How many events per second are replayed and audited from SQLite, beside what the same machine takes for less.

`python -m benchmarks.audit [EVENTS]` in the root of the tree.
"""

import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from fairdeal.application.audit import audit
from fairdeal.application.catalogue import GAMES
from fairdeal.application.records import NO_LINK, first_bad_link
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.ledger.sqlite import SQLiteLedger
from fairdeal.testing.recorded import CODEC, recorded_games

EVENTS = 100_000
ROUNDS = 3
LIBRARY_EVENTS = 5_000


class Table(Aggregate):
    """A game as the library's documentation would write it."""

    @event("Opened")
    def __init__(self, opener: str) -> None:
        self.opener = opener
        self.cards: list[str] = []

    @event("CardPlayed")
    def play(self, seat: int, card: str) -> None:
        self.cards.append(f"{seat}{card}")


def main(wanted: int) -> None:
    with TemporaryDirectory() as folder:
        ledger = SQLiteLedger(str(Path(folder) / "games.db"))
        started = time.perf_counter()
        by_kind: dict[str, list[UUID]] = {kind: [] for kind in GAMES}
        for records in recorded_games(wanted):
            ledger.append(records)
            by_kind[records[0].name.partition(".")[0]].append(records[0].game_id)
        print(
            f"{ledger.head():,} events in {sum(map(len, by_kind.values())):,} games, "
            f"played and stored in {time.perf_counter() - started:.1f} s; events per second, best of {ROUNDS}:"
        )
        for kind, games in [*by_kind.items(), ("all games", [game for some in by_kind.values() for game in some])]:
            rates = {name: best(partial(work, ledger, games)) for name, work in WORK.items()}
            print(f"  {kind:<24} " + "  ".join(f"{name} {rate:>9,.0f}" for name, rate in rates.items()))
        ledger.close()
        print(f"  {'the library by itself':<24} replay {best(lambda: library(Path(folder))):>9,.0f}")


def best(work: Callable[[], float]) -> float:
    return max(work() for _ in range(ROUNDS))


def timed(work: Callable[[UUID], int], games: Iterable[UUID]) -> float:
    started = time.perf_counter()
    done = sum(work(game_id) for game_id in games)
    return done / (time.perf_counter() - started)


def sealing(ledger: SQLiteLedger, games: Iterable[UUID]) -> float:
    """The hashes alone, of records that are in memory."""
    logs = [ledger.records(game_id) for game_id in games]
    started = time.perf_counter()
    for records in logs:
        assert first_bad_link(CODEC.seed_of(records[0]), NO_LINK, records) is None
    return sum(map(len, logs)) / (time.perf_counter() - started)


def reading(ledger: SQLiteLedger, games: Iterable[UUID]) -> float:
    return timed(lambda game_id: len(ledger.records(game_id)), games)


def replaying(ledger: SQLiteLedger, games: Iterable[UUID]) -> float:
    def replay(game_id: UUID) -> int:
        records = ledger.records(game_id)
        return Game(game_id, CODEC.rules_of(records[0])).replay(CODEC.events(records)).version

    return timed(replay, games)


def auditing(ledger: SQLiteLedger, games: Iterable[UUID]) -> float:
    def check(game_id: UUID) -> int:
        report = audit(ledger.records(game_id), CODEC)
        assert report.good, report
        return report.records

    return timed(check, games)


WORK = {"sealing alone": sealing, "reading alone": reading, "replay": replaying, "audit": auditing}


def library(folder: Path) -> float:
    """The library's own aggregate and application on SQLite, with its defaults."""
    app = Application[UUID]({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "library.db")})
    table = Table("ann")
    for number in range(LIBRARY_EVENTS):
        table.play(number % 2, "10H")
    app.save(table)
    started = time.perf_counter()
    found: Table = app.repository.get(table.id)
    spent = time.perf_counter() - started
    app.close()
    return found.version / spent


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
