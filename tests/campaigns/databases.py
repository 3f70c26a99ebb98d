"""Databases that somebody crafted: whoever reads them is told in typed errors, and every change of a row is found."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from fairdeal.application.catalogue import KINDS
from fairdeal.testing.recorded import recorded_game

COLUMNS = ("originator_id", "originator_version", "topic", "state")
ANYTHING: tuple[Any, ...] = (b"", b"x", "", "x", 0, 1, -1, 2**62, 1.5, "\U0001f4a5", b"\xff" * 40, "0" * 32, "{}")


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole.db"
        with Fairdeal(f"sqlite:///{whole}") as fairdeal:
            for kind in ("kings_corners", "red7"):
                fairdeal.ledger.append(recorded_game(KINDS[kind], most=30))
        rows = rows_of(whole)
        until = Until(seconds)
        while until:
            path = folder / "crafted.db"
            for ending in ("", "-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            shutil.copy(whole, path)
            craft = rng.choice((change_rows, change_rows, add_rows, change_tables, change_bytes))
            with tally.trying(f"seed {seed}, try {tally.tries + 1}, {craft.__name__}"):
                craft(path, rng)
                found = read_everything(path)
                if craft in (change_rows, add_rows) and rows_of(path) != rows:
                    assert found, "nobody found what was changed"
    return tally


def rows_of(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT rowid, CAST(topic AS BLOB), * FROM stored_events ORDER BY rowid").fetchall()


def read_everything(path: Path) -> bool:
    """All that reads is tried; whether any of it found something."""
    found = False

    def tried(read: Callable[[], object]) -> None:
        nonlocal found
        try:
            found |= read() is False
        except FairdealError:
            found = True

    try:
        fairdeal = Fairdeal(f"sqlite:///{path}", read_only=True)
    except FairdealError:
        return True
    with fairdeal:
        ids = [recorded_game(KINDS[kind], most=30)[0].game_id for kind in ("kings_corners", "red7")]
        tried(lambda: not [report for report in fairdeal.audit_all() if not report.good])
        tried(fairdeal.checkpoints.make)
        tried(lambda: fairdeal.read.games().items and None)
        for game in ids:
            for read in (fairdeal.look, fairdeal.story, fairdeal.replay, fairdeal.exports.export, fairdeal.events):
                tried(partial(read, game))
    return found


def change_rows(path: Path, rng: Random) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        count = database.execute("SELECT count(*) FROM stored_events").fetchone()[0]
        for _ in range(rng.randint(1, 3)):
            column, row = rng.choice(COLUMNS), rng.randint(1, count)
            try:
                database.execute(f"UPDATE stored_events SET {column}=? WHERE rowid=?", (rng.choice(ANYTHING), row))
            except sqlite3.Error:
                continue


def add_rows(path: Path, rng: Random) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for _ in range(rng.randint(1, 3)):
            at = rng.choice((None, None, -5, 0, 10**6, 2**62))
            known = database.execute("SELECT * FROM stored_events ORDER BY random() LIMIT 1").fetchone()[1:]
            row = [value if rng.random() < 0.5 else rng.choice(ANYTHING) for value in known]
            try:
                database.execute("INSERT INTO stored_events VALUES (?,?,?,?,?)", (at, *row))
            except sqlite3.Error:
                continue


def change_tables(path: Path, rng: Random) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(
            rng.choice(
                (
                    "DROP TABLE stored_events",
                    "DROP TABLE fairdeal_ledger",
                    "ALTER TABLE stored_events RENAME TO others",
                    "ALTER TABLE stored_events RENAME COLUMN topic TO subject",
                    "ALTER TABLE stored_events ADD COLUMN more TEXT",
                    "UPDATE fairdeal_ledger SET value='99'",
                    "UPDATE fairdeal_ledger SET value='x'",
                    "DELETE FROM fairdeal_ledger",
                    "CREATE VIEW odd AS SELECT * FROM stored_events",
                )
            )
        )


def change_bytes(path: Path, rng: Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(bytes(data[: rng.randrange(len(data))] if rng.random() < 0.2 else data))
