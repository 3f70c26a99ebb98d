"""The owner of either database moves, hides, drops and rewrites rows under a checkpoint: it no longer holds."""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import psycopg
from psycopg.sql import SQL, Identifier

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.proofs import Checkpoint
from fairdeal.testing.recorded import recorded_game
from kits.audit import forged
from kits.postgres import in_schema, new_schema, shared_server
from kits.two_histories import hide_in_postgres, hide_in_sqlite, index_first

GAMES = 4
FAR = 10**6
"""A position at which nothing stands."""


class Database(Protocol):
    """A ledger of some games with a checkpoint, and what its owner can do with the rows."""

    address: str

    def begin_anew(self) -> None:
        """Puts all rows back to what they were at the checkpoint."""
        ...

    def rows(self) -> list[tuple[Any, ...]]:
        """All of them with their positions, in that order."""
        ...

    def execute(self, sql: str, *values: object) -> None:
        """Statements call positions `rowid`, as SQLite does; whatever would be stored twice is left as it is."""
        ...

    def hide(self, up_to: int) -> None:
        """The index by game forgets some records."""
        ...

    def id_of(self, game: Any) -> str: ...


class OnSQLite:
    def __init__(self, folder: Path, whole: Path | None = None) -> None:
        self._whole, self._path = whole or folder / "whole.db", folder / "games.db"
        self.address = f"sqlite:///{self._path}"
        if whole is None:
            fill(f"sqlite:///{self._whole}")

    def begin_anew(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        shutil.copy(self._whole, self._path)

    def rows(self) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path)) as database:
            return database.execute("SELECT rowid, * FROM stored_events NOT INDEXED ORDER BY rowid").fetchall()

    def execute(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as database, suppress(sqlite3.IntegrityError):
            database.execute(sql, values)

    def hide(self, up_to: int) -> None:
        hide_in_sqlite(self._path, up_to)

    def id_of(self, game: Any) -> str:
        return str(game.hex)


class OnPostgreSQL:
    def __init__(self) -> None:
        self._server = shared_server()
        self._whole, self._schema = (f"pasts_{name}" for name in ("whole", "games"))
        self.address = index_first(in_schema(self._server, self._schema))
        fill(new_schema(self._server, self._whole))

    def begin_anew(self) -> None:
        with psycopg.connect(self._server, autocommit=True) as server:
            server.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(self._schema)))
        new_schema(self._server, self._schema)
        Fairdeal(self.address).close()
        with psycopg.connect(self.address, autocommit=True) as server:
            copy = SQL("INSERT INTO fairdeal_events SELECT * FROM {}.fairdeal_events")
            server.execute(copy.format(Identifier(self._whole)))

    def rows(self) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.address) as server:
            return server.execute("SELECT notification_id, * FROM fairdeal_events ORDER BY 1").fetchall()

    def execute(self, sql: str, *values: object) -> None:
        words = sql.replace("stored_events", "fairdeal_events").replace("rowid", "notification_id").replace("?", "%s")
        with psycopg.connect(self.address, autocommit=True) as server, suppress(psycopg.errors.UniqueViolation):
            server.execute(words.encode(), values)

    def hide(self, up_to: int) -> None:
        hide_in_postgres(self.address, up_to)

    def id_of(self, game: Any) -> str:
        return str(game)


def fill(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        for number in range(GAMES):
            fairdeal.ledger.append(recorded_game(KINDS[("pardon", "kings_corners")[number % 2]], number, most=25))


def run(seed: int, seconds: float) -> Tally:
    tally = Tally()
    with TemporaryDirectory() as folder:
        databases: Sequence[Database] = (OnSQLite(Path(folder)), OnPostgreSQL())
        for database in databases:
            attack(database, seed, seconds / len(databases), tally)
    return tally


def attack(database: Database, seed: int, seconds: float, tally: Tally) -> None:
    rng, engine = Random(seed), type(database).__name__
    database.begin_anew()
    whole, head = database.rows(), len(database.rows())
    with Fairdeal(database.address) as fairdeal:
        checkpoint = fairdeal.checkpoints.make()
        assert holds(fairdeal, checkpoint)
        assert is_good(fairdeal)
    until = Until(seconds)
    while until:
        database.begin_anew()
        rewrite = rng.choice((move, swap, shift, drop, drop_a_game, drop_the_end, hide, rename, change))
        rewrite(database, head, rng)
        rows = database.rows()
        if rows == whole and rewrite is not hide:
            continue
        trying = tally.trying(f"seed {seed}, try {tally.tries + 1}, {rewrite.__name__} {engine}")
        with trying, Fairdeal(database.address) as fairdeal:
            assert not holds(fairdeal, checkpoint), "the checkpoint still holds"
            if rewrite not in (drop_a_game, drop_the_end, change) or has_gap(rows):  # else only a checkpoint shows it
                assert not is_good(fairdeal), "the audit of the ledger finds nothing"


def has_gap(rows: Sequence[tuple[Any, ...]]) -> bool:
    return any(after - before > 1 for before, after in pairwise([0, *(row[0] for row in rows)]))


def holds(fairdeal: Fairdeal, checkpoint: Checkpoint) -> bool:
    try:
        fairdeal.checkpoints.must_still_hold(checkpoint)
    except FairdealError:
        return False
    return True


def is_good(fairdeal: Fairdeal) -> bool:
    try:
        return not [report for report in fairdeal.audit_all() if not report.good]
    except FairdealError:
        return False


TO = "UPDATE stored_events SET rowid=? WHERE rowid=?"


def move(database: Database, head: int, rng: Random) -> None:
    """One record to another place; others make room."""
    one, other = rng.sample(range(1, head + 1), 2)
    low, high, by = (one + 1, other, -1) if one < other else (other, one - 1, 1)
    database.execute(TO, FAR, one)
    for at in range(low, high + 1) if by < 0 else range(high, low - 1, -1):
        database.execute(TO, at + by, at)
    database.execute(TO, other, FAR)


def swap(database: Database, head: int, rng: Random) -> None:
    one, other = rng.sample(range(1, head + 1), 2)
    for new, old in ((FAR, one), (one, other), (other, FAR)):
        database.execute(TO, new, old)


def shift(database: Database, head: int, rng: Random) -> None:
    at, far = rng.randint(1, head), rng.randint(1, 1000) + head
    database.execute("UPDATE stored_events SET rowid=rowid+? WHERE rowid>=?", far, at)


def drop(database: Database, head: int, rng: Random) -> None:
    database.execute("DELETE FROM stored_events WHERE rowid=?", rng.randint(1, head - 1))


def drop_a_game(database: Database, head: int, rng: Random) -> None:
    one = "SELECT originator_id FROM stored_events WHERE rowid=?"
    database.execute(f"DELETE FROM stored_events WHERE originator_id=({one})", rng.randint(1, head))


def drop_the_end(database: Database, head: int, rng: Random) -> None:
    database.execute("DELETE FROM stored_events WHERE rowid>?", rng.randrange(head))


def hide(database: Database, head: int, rng: Random) -> None:
    database.hide(rng.randint(1, head - 1))


def rename(database: Database, head: int, rng: Random) -> None:
    """A record is given to another game, or to another version of its own."""
    one, other = rng.sample(range(1, head + 1), 2)
    field = rng.choice(("originator_id", "originator_version", "topic", "state"))
    take = f"UPDATE stored_events SET {field}=(SELECT {field} FROM stored_events WHERE rowid=?) WHERE rowid=?"
    database.execute(take, other, one)


def change(database: Database, head: int, rng: Random) -> None:
    """A game is written anew from some record on, with links that fit."""
    log = recorded_game(KINDS["pardon"], 2 * rng.randrange(GAMES // 2), most=25)
    version = rng.randint(1, len(log))
    store = "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?"
    for one in forged(log, version, lambda payload: payload["event"].update(more=1)):
        database.execute(store, one.link + one.payload, database.id_of(one.game_id), one.version)
