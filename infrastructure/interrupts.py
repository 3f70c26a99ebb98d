"""Ctrl-C and other processes: a terminal sends it to all of them, and only one must hear it."""

import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def nobody_interrupts() -> Generator[None]:
    """Processes that are born in here never hear Ctrl-C, not even at first; this one hears it afterwards."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
