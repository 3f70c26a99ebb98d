"""Connections and locks do not survive a fork: what was opened in one process is used there and nowhere else."""

import os

from fairdeal.application.errors import LedgerUnavailable


class OneProcess:
    """The process that made this; to be asked before any lock, which a thread of the parent may have held."""

    __slots__ = ("_id",)

    def __init__(self) -> None:
        self._id = os.getpid()

    @property
    def is_ours(self) -> bool:
        return os.getpid() == self._id

    def must_be_ours(self) -> None:
        if os.getpid() != self._id:
            raise LedgerUnavailable("This ledger was opened before a fork: open one in every process.")
