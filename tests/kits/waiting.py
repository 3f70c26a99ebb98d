"""Waiting for what other threads and processes do."""

import time
from collections.abc import Callable


def until(happened: Callable[[], object], seconds: float = 120.0, every: float = 0.01) -> None:
    """Waits for something; a test that waits in vain fails instead of hanging."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(every)
