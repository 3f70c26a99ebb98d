"""A process that takes the lock of the bots and keeps it until it is killed."""

import time
from pathlib import Path

from fairdeal.infrastructure.bots.only_one import only_one_for


def held_lock(address: str, told: str) -> None:
    """Writes a file once it has the lock."""
    lock = only_one_for(address)
    while not lock.has_it():
        time.sleep(0.01)
    Path(told).touch()
    time.sleep(600)
