"""Puts records into ledgers that would refuse them."""

from collections.abc import Sequence
from typing import Any, cast

from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger


def plant(ledger: Ledger, records: Sequence[Record]) -> None:
    """Stores any records, as whoever may write into the database could: nobody asks what they continue."""
    assert isinstance(ledger, EventSourcedLedger)
    ledger.engine.events.put(cast("Sequence[Any]", records))
