"""The owner of a database moves, hides, drops and rewrites rows under a checkpoint: it no longer holds."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from fairdeal.application.catalogue import KINDS
from fairdeal.testing.recorded import recorded_game
from kits.audit import forged
from kits.two_histories import hide_in_sqlite

GAMES = 4


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as name:
        whole, path = Path(name) / "whole.db", Path(name) / "games.db"
        with Fairdeal(f"sqlite:///{whole}") as fairdeal:
            for number in range(GAMES):
                fairdeal.ledger.append(recorded_game(KINDS[("pardon", "kings_corners")[number % 2]], number, most=25))
            checkpoint, head = fairdeal.checkpoints.make(), fairdeal.ledger.head()
        until = Until(seconds)
        while until:
            for ending in ("", "-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            shutil.copy(whole, path)
            rewrite = rng.choice((move, swap, shift, drop, drop_a_game, drop_the_end, hide, rename, change))
            rewrite(path, head, rng)
            if rows_of(path) == rows_of(whole) and rewrite is not hide:
                continue
            trying = tally.trying(f"seed {seed}, try {tally.tries + 1}, {rewrite.__name__}")
            with trying, Fairdeal(f"sqlite:///{path}") as fairdeal:
                assert not holds(fairdeal, checkpoint), "the checkpoint still holds"
                if rewrite not in (drop_the_end, drop_a_game, change, shift):  # which only a checkpoint can show
                    assert not is_good(fairdeal), "the audit of the ledger finds nothing"
    return tally


def rows_of(path: Path) -> list[object]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT rowid, * FROM stored_events NOT INDEXED ORDER BY rowid").fetchall()


def holds(fairdeal: Fairdeal, checkpoint: object) -> bool:
    try:
        fairdeal.checkpoints.must_still_hold(checkpoint)  # type: ignore[arg-type]
    except FairdealError:
        return False
    return True


def is_good(fairdeal: Fairdeal) -> bool:
    try:
        return not [report for report in fairdeal.audit_all() if not report.good]
    except FairdealError:
        return False


def executed(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for sql, values in statements:
            database.execute(sql, values)


TO = "UPDATE stored_events SET rowid=? WHERE rowid=?"


def move(path: Path, head: int, rng: Random) -> None:
    """One record to another place; others make room."""
    one, other = rng.sample(range(1, head + 1), 2)
    low, high, by = (one + 1, other, -1) if one < other else (other, one - 1, 1)
    between = range(low, high + 1) if by < 0 else range(high, low - 1, -1)
    executed(path, (TO, (10**6, one)), *((TO, (at + by, at)) for at in between), (TO, (other, 10**6)))


def swap(path: Path, head: int, rng: Random) -> None:
    one, other = rng.sample(range(1, head + 1), 2)
    executed(path, (TO, (10**6, one)), (TO, (one, other)), (TO, (other, 10**6)))


def shift(path: Path, head: int, rng: Random) -> None:
    at, far = rng.randint(1, head), rng.randint(1, 1000) + head
    executed(path, ("UPDATE stored_events SET rowid=rowid+? WHERE rowid>=?", (far, at)))


def drop(path: Path, head: int, rng: Random) -> None:
    executed(path, ("DELETE FROM stored_events WHERE rowid=?", (rng.randint(1, head - 1),)))


def drop_a_game(path: Path, head: int, rng: Random) -> None:
    one = "SELECT originator_id FROM stored_events WHERE rowid=?"
    executed(path, (f"DELETE FROM stored_events WHERE originator_id=({one})", (rng.randint(1, head),)))


def drop_the_end(path: Path, head: int, rng: Random) -> None:
    executed(path, ("DELETE FROM stored_events WHERE rowid>?", (rng.randrange(head),)))


def hide(path: Path, head: int, rng: Random) -> None:
    """The index by game forgets some records."""
    hide_in_sqlite(path, rng.randint(1, head - 1))


def rename(path: Path, head: int, rng: Random) -> None:
    """A record is given to another game, or to another version of its own."""
    one, other = rng.sample(range(1, head + 1), 2)
    field = rng.choice(("originator_id", "originator_version", "topic", "state"))
    take = f"UPDATE OR IGNORE stored_events SET {field}=(SELECT {field} FROM stored_events WHERE rowid=?) WHERE rowid=?"
    executed(path, (take, (other, one)))


def change(path: Path, head: int, rng: Random) -> None:
    """A game is written anew from some record on, with links that fit."""
    log = recorded_game(KINDS["pardon"], 2 * rng.randrange(GAMES // 2), most=25)
    version = rng.randint(1, len(log))
    forgery = forged(log, version, lambda payload: payload["event"].update(more=1))
    store = "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?"
    executed(path, *((store, (one.link + one.payload, one.game_id.hex, one.version)) for one in forgery))
