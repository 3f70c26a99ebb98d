"""Does to ledgers what only the owner of the database can do."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger


def plant(ledger: Ledger, records: Sequence[Record]) -> None:
    """Stores any records, as whoever may write into the database could: nobody asks what they continue."""
    assert isinstance(ledger, EventSourcedLedger)
    ledger.engine.events.put(cast("Sequence[Any]", records))


def set_ledger_back(address: str, path: Path, position: int) -> None:
    """Puts a ledger back to where it was at a position, as a restore does; the path is for SQLite."""
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("DELETE FROM stored_events WHERE rowid > ?", (position,))
        return
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute("DELETE FROM fairdeal_events WHERE notification_id > %s", (position,))


def must_have_no_gaps(ledger: Ledger) -> None:
    """Every position up to the head holds a record, whatever happened to those who wrote."""
    position = 0
    while page := ledger.since(position, 1000):
        assert [at for at, _ in page] == [*range(position + 1, position + 1 + len(page))]
        position = page[-1][0]
    assert position == ledger.head()
