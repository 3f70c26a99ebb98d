"""What is kept from one checkpoint to the next: a small SQLite file, for the place of the key, not of the ledger."""

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID

import msgspec

from fairdeal.application.checkpoints.edge import Edge
from fairdeal.application.checkpoints.proofs import NotAProof

TABLES = (
    "CREATE TABLE IF NOT EXISTS edge (number INTEGER PRIMARY KEY CHECK (number = 1), content BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS heads (game BLOB PRIMARY KEY, version INTEGER NOT NULL, link BLOB NOT NULL) "
    "WITHOUT ROWID",
)


class EdgeFile:
    """The edge of the last checkpoint, and how far each game under it had come; without a path only in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._place = ":memory:" if path is None else str(path)
        with self._guarded():
            # Two that sign at the same time take turns, and the later one goes on from the edge of the other.
            self._database = sqlite3.connect(self._place, isolation_level=None, check_same_thread=False, timeout=30)
            for table in TABLES:
                self._database.execute(table)

    def edge(self) -> Edge | None:
        with self._guarded():
            row = self._database.execute("SELECT content FROM edge").fetchone()
            return None if row is None else msgspec.json.decode(row[0], type=Edge)

    def head(self, game_id: UUID) -> tuple[int, bytes] | None:
        with self._guarded():
            row = self._database.execute("SELECT version, link FROM heads WHERE game = ?", (game_id.bytes,)).fetchone()
        return None if row is None else (row[0], row[1])

    @contextmanager
    def growing(self) -> Generator["EdgeFile"]:
        with self._guarded():
            self._database.execute("BEGIN IMMEDIATE")
        try:
            yield self
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        with self._guarded():
            self._database.execute("COMMIT")

    def keep_heads(self, heads: Iterable[tuple[UUID, int, bytes]]) -> None:
        rows = ((game_id.bytes, version, link) for game_id, version, link in heads)
        with self._guarded():
            self._database.executemany("INSERT OR REPLACE INTO heads VALUES (?, ?, ?)", rows)

    def keep(self, edge: Edge) -> None:
        with self._guarded():
            self._database.execute("INSERT OR REPLACE INTO edge VALUES (1, ?)", (msgspec.json.encode(edge),))

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _guarded(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise NotAProof(f"{self._place} is not the edge of a checkpoint, or cannot be used: {error}.") from error


@contextmanager
def opened_edge(path: Path | None) -> Generator[EdgeFile]:
    with closing(EdgeFile(path)) as kept:
        yield kept
