"""Events per second: replayed, beside the library's default aggregate with the same events, and audited."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.utils import Environment, EnvType

from benchmarks.figures import Figure, Rounds, Sizes, best_of, rounds_of, seconds_of
from benchmarks.games import Script
from fairdeal import Fairdeal
from fairdeal.application.audit.ledger import all_games, audit_ledger
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, first_bad_link
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.red7 import rules as rules_module
from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger
from fairdeal.testing.recorded import recorded_games

LEAST_RATE, LEAST_RATIO = 300_000, 20.0
LEAST_AUDIT = 100_000 if rules_module.__file__.endswith(".py") else 150_000
"""Plain Python, or the compiled build."""
LARGE = 200_000
SHORT_ROUNDS = 3
"""Rounds of one kind of game are short, so there are more of them: the machine may be busy for longer than one."""


def replayed_events(rules: AnyRules, found: Sequence[Script], sizes: Sizes, folder: Path) -> Iterator[Figure]:
    ours, spread = our_replay(rules, found, sizes.rounds * SHORT_ROUNDS, folder / f"{rules.kind}-replay.db")
    few = found[: max(1, len(found) // 10)]
    theirs = plain_replay(few, sizes.rounds * SHORT_ROUNDS, folder / f"{rules.kind}-plain.db")
    ratio = ours / theirs
    yield Figure(
        what="replay from SQLite",
        spread=spread,
        game=rules.kind,
        value=ours,
        unit="events/s",
        baseline=theirs,
        against="the library's default aggregate",
        ratio=ratio,
        bar=f"≥ {LEAST_RATE:,} and ≥ {LEAST_RATIO:.0f} ×",
        met=ours >= LEAST_RATE and ratio >= LEAST_RATIO,
    )


def audited_events(rules: AnyRules, found: Sequence[Script], sizes: Sizes, folder: Path) -> Iterator[Figure]:
    """Untouched, fair and legal, from a file; the hashes alone, of records in memory, are the baseline."""
    codec = Codec(KINDS)
    logs = [[record for batch in script.batches for record in batch] for script in found]
    total = sum(map(len, logs))

    def check_links() -> None:
        assert not any(first_bad_link(codec.seed_of(records[0]), NO_LINK, records) for records in logs)

    with closing(SQLiteLedger(str(folder / f"{rules.kind}-audit.db"))) as ledger:
        for records in logs:
            ledger.append(records)

        def check_all() -> None:
            assert all(report.good for report in audit_ledger(ledger, codec))

        ours, spread = rounds_of(sizes.rounds * SHORT_ROUNDS, lambda: total / seconds_of(check_all))
    hashes = best_of(sizes.rounds * SHORT_ROUNDS, lambda: total / seconds_of(check_links))
    yield Figure(
        what="full audit from SQLite",
        spread=spread,
        game=rules.kind,
        value=ours,
        unit="events/s",
        baseline=hashes,
        against="the hashes alone",
        ratio=ours / hashes,
        bar=f"≥ {LEAST_AUDIT:,}",
        met=ours >= LEAST_AUDIT,
    )


def whole_ledger(sizes: Sizes, folder: Path) -> Iterator[Figure]:
    """A large ledger with as many events of every kind of game: replayed, and audited by one and by two processes."""
    with Fairdeal(f"sqlite:///{folder / 'whole.db'}") as fairdeal:
        for records in recorded_games(sizes.audited):
            fairdeal.ledger.append(records)
        total = fairdeal.ledger.head()

        def replay() -> None:
            for game_id in all_games(fairdeal.ledger):
                records = fairdeal.ledger.records(game_id)
                Game.replayed(game_id, fairdeal.codec.rules_of(records[0]), fairdeal.codec.events(records))

        def check(jobs: int) -> None:
            # The start of the processes is part of it.
            assert all(report.good for report in fairdeal.audit_all(jobs=jobs))

        replayed = best_of(sizes.rounds, lambda: total / seconds_of(replay))
        one = best_of(sizes.rounds, lambda: total / seconds_of(lambda: check(1)))
        two = best_of(sizes.rounds, lambda: total / seconds_of(lambda: check(2)))
    # In a small ledger it is the start of the processes that one measures.
    large = total >= LARGE
    yield Figure(
        what="replay of a whole ledger from SQLite",
        game="all",
        value=replayed,
        unit="events/s",
        bar=f"≥ {LEAST_RATE:,}",
        met=replayed >= LEAST_RATE if large else None,
        note=f"{total:,} events",
    )
    yield Figure(
        what="full audit of a whole ledger from SQLite, two processes",
        game="all",
        value=two,
        unit="events/s",
        baseline=one,
        against="one process",
        ratio=two / one,
        bar=f"≥ {LEAST_AUDIT:,}",
        met=two >= LEAST_AUDIT if large else None,
        note=f"{total:,} events, {total / two:.1f} s, {os.cpu_count()} cores",
    )


def our_replay(rules: AnyRules, found: Sequence[Script], rounds: int, path: Path) -> Rounds:
    """Records from the file, events from the records, the game from the events."""
    codec = Codec(KINDS)
    with closing(SQLiteLedger(str(path))) as ledger:
        for script in found:
            ledger.append([record for batch in script.batches for record in batch])
        ids = [script.batches[0][0].game_id for script in found]

        def replay() -> None:
            for game_id in ids:
                Game.replayed(game_id, rules, codec.events(ledger.records(game_id)))

        return rounds_of(rounds, lambda: ledger.head() / seconds_of(replay))


class PlainGame(Aggregate):
    """A game as the library's users write one, but for the rules: its events do nothing but count."""

    def __init__(self) -> None:
        self.events = 0
        self.last: tuple[str, dict[str, Any]] = ("", {})

    @event("Happened")
    def happen(self, name: str, fields: dict[str, Any]) -> None:
        self.last = name, fields
        self.events += 1


class PlainGames(Application[UUID]):
    """The library as it comes: its own recorder, JSON, a class path for each event."""

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, dict(env or {}))


def plain_replay(found: Sequence[Script], rounds: int, path: Path) -> float:
    """The same events with the same fields."""
    plain = PlainGames({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
    with closing(plain):
        ids: list[UUID] = []
        total = 0
        for script in found:
            game = PlainGame()
            for batch in script.batches:
                for record in batch:
                    game.happen(record.name, json.loads(record.payload)["event"])
            total += game.events
            plain.save(game)
            ids.append(game.id)

        def replay() -> None:
            for game_id in ids:
                plain.repository.get(game_id)

        return best_of(rounds, lambda: total / seconds_of(replay))
