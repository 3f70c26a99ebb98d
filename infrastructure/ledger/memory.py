"""A ledger in memory: for tests and for trying things out; gone when it is closed."""

from fairdeal.infrastructure.ledger.engine import EventSourcedLedger


def memory_ledger() -> EventSourcedLedger:
    return EventSourcedLedger({"PERSISTENCE_MODULE": "eventsourcing.popo"})
