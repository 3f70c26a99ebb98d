"""Ledgers by their addresses."""

from fairdeal.application.errors import LedgerError
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.refusals import quoted

PATIENCE_SECONDS = 30.0


def open_ledger(address: str, *, read_only: bool = False, patience: float = PATIENCE_SECONDS) -> Ledger:
    """The ledger at an address; its driver is loaded only when it is needed.

    `patience` is how many seconds a lock that others hold is waited for.
    """
    if not isinstance(address, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise LedgerError(f"An address is a text such as sqlite:///games.db, not {quoted(address)}.")
    scheme, _, rest = address.partition(":")
    match scheme:
        case "memory" if address == "memory:":
            from fairdeal.infrastructure.ledger.memory import memory_ledger

            return memory_ledger(read_only=read_only)
        case "sqlite" if rest.startswith("///") and rest[3:] not in ("", ":memory:"):
            from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger

            return SQLiteLedger(rest.removeprefix("///"), lock_timeout=patience, read_only=read_only)
        case "postgresql" | "postgres" if rest.startswith("//"):
            try:
                from fairdeal.infrastructure.ledger.postgres.recorder import PostgresLedger
            except ImportError as error:
                raise LedgerError(
                    "PostgreSQL needs its driver: pip install 'fairdeal[postgres]'.", code="not_installed"
                ) from error

            return PostgresLedger(address, lock_timeout=patience, patience=patience, read_only=read_only)
        case _:
            # Not the whole address: there may be a password in it.
            raise LedgerError(f"Cannot use {quoted(scheme)}: expected sqlite:///FILE, postgresql://… or memory:.")
