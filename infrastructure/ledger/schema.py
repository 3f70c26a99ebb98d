"""The tables have a version, so that an older program never writes into what it does not understand."""

from fairdeal.application.errors import NewerLedger

SCHEMA = 1
"""Raised whenever the tables change; a released number keeps its meaning for ever.

It stands in the table `fairdeal_ledger`, which must be read before any other.
"""


def must_be_readable(stored: str) -> None:
    if not stored.isdecimal() or int(stored) > SCHEMA:
        raise NewerLedger(
            f"This ledger has schema {stored}, but this version of Fairdeal knows only up to {SCHEMA}: "
            "it was made by a newer one. Nothing was changed."
        )
