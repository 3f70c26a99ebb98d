"""A runner in a process of its own, for tests that kill it."""

from typing import Any

from fairdeal import Fairdeal
from fairdeal.infrastructure.readmodels.read_side import ReadSide


def rebuild(address: str, batch: int, ready: Any) -> None:
    """A rebuild in small transactions."""
    fairdeal = Fairdeal(address)
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address=address, batch=batch)
    ready.set()
    read.rebuild()


def fold_for_ever(address: str, batch: int, ready: Any) -> None:
    """Small transactions, so that a kill meets every moment of one."""
    fairdeal = Fairdeal(address)
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address=address, batch=batch)
    ready.set()
    read.runner().run()
