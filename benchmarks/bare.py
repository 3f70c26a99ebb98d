"""The baselines: what the databases do when nothing but the same bytes is written."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from fairdeal.application.log.record import Record
from fairdeal.infrastructure.ledger.postgres import server
from fairdeal.infrastructure.ledger.sqlite import file

Batches = Sequence[Sequence[Record]]


class Bare(Protocol):
    """A table like that of the ledger, without the ledger."""

    def write(self, batches: Batches) -> float:
        """Seconds that one transaction with these batches took."""
        ...

    def close(self) -> None: ...


class BareSQLite:
    """BEGIN; a look at the predecessor of each batch; INSERT; COMMIT on a file of the same kind."""

    def __init__(self, folder: Path) -> None:
        path = str(folder / "bare.db")
        file.prepare(path, 30)
        self._connection = file.connect(path, 30)

    def write(self, batches: Batches) -> float:
        rows = [(r.game_id.hex, r.version, r.name, r.link + r.payload) for batch in batches for r in batch]
        heads = [(batch[0].game_id.hex, batch[0].version - 1) for batch in batches]
        execute = self._connection.execute
        started = time.perf_counter()
        execute("BEGIN IMMEDIATE")
        for head in heads:
            execute(
                "SELECT originator_version, substr(state, 1, 32) FROM stored_events "
                "WHERE originator_id=? AND originator_version=?",
                head,
            ).fetchone()
        for row in rows:
            execute("INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)", row)
        execute("COMMIT")
        return time.perf_counter() - started

    def close(self) -> None:
        self._connection.close()


class BarePostgres:
    """BEGIN; a look at the predecessor of each batch; INSERT; COMMIT on a table of the same kind."""

    def __init__(self, address: str) -> None:
        self._connection = server.connect(address, 30)
        self._connection.execute("CREATE TEMPORARY SEQUENCE positions")
        self._connection.execute("CREATE TABLE IF NOT EXISTS bare (LIKE fairdeal_events INCLUDING ALL)")
        self._connection.execute("TRUNCATE bare")

    def write(self, batches: Batches) -> float:
        rows = [(r.game_id, r.version, r.name, r.link + r.payload) for batch in batches for r in batch]
        heads = [(batch[0].game_id, batch[0].version - 1) for batch in batches]
        execute = self._connection.execute
        started = time.perf_counter()
        execute("BEGIN")
        for head in heads:
            execute(
                "SELECT originator_version, substr(state, 1, 32) FROM bare "
                "WHERE originator_id=%s AND originator_version=%s",
                head,
            ).fetchone()
        for row in rows:
            execute("INSERT INTO bare VALUES (%s, %s, %s, %s, nextval('positions'))", row)
        execute("COMMIT")
        return time.perf_counter() - started

    def close(self) -> None:
        self._connection.execute("DROP TABLE bare")
        self._connection.close()


def file_size(batches: Batches, folder: Path) -> int:
    """Bytes of a fresh ledger file that holds these batches and nothing else."""
    path = folder / "size.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in file.TABLES:
            connection.execute(statement)
        empty = path.stat().st_size
        for batch in batches:
            connection.executemany(
                "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)",
                [(r.game_id.hex, r.version, r.name, r.link + r.payload) for r in batch],
            )
        connection.commit()
    size = path.stat().st_size - empty
    path.unlink()
    return size
