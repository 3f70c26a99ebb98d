"""A ledger in one SQLite file: durable before answered, safe for several processes."""

from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteFactory

from fairdeal.infrastructure.ledger.engine import EventSourcedLedger

LOCK_TIMEOUT_SECONDS = 30


class DurableConnectionPool(SQLiteConnectionPool):
    """Connections that wait for the disk; the library leaves that to how SQLite was built."""

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        connection.cursor().execute("PRAGMA synchronous=FULL")
        return connection


class DurableSQLiteFactory(SQLiteFactory):
    """The library's factory with durable connections."""

    def __init__(self, env: object) -> None:
        super().__init__(env)  # type: ignore[arg-type]
        old = self.datastore.pool
        self.datastore.pool = DurableConnectionPool(db_name=old.db_name, lock_timeout=old.lock_timeout)
        old.close()


def sqlite_ledger(path: str) -> EventSourcedLedger:
    return EventSourcedLedger(
        {
            "PERSISTENCE_MODULE": "fairdeal.infrastructure.ledger.sqlite:DurableSQLiteFactory",
            "SQLITE_DBNAME": path,
            "SQLITE_LOCK_TIMEOUT": str(LOCK_TIMEOUT_SECONDS),
        }
    )
