"""Ids for commands that came without one."""

import os
from hashlib import blake2b
from itertools import count
from secrets import token_bytes


class CommandIds:
    """Ids that nobody can guess and that never come twice.

    Each could be random by itself. But to ask the system for randomness a thread gives up Python's lock, and waits
    for it behind all others. So the system is asked once in each process, and every id follows from that.
    """

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._key = token_bytes(32)
        self._numbers = count()

    def new(self) -> str:
        return blake2b(b"%d" % next(self._numbers), key=self._key, digest_size=16).hexdigest()
