"""Connections and locks do not survive a fork: what was opened in one process is used there and nowhere else."""

import os
from typing import ClassVar

from fairdeal.application.errors import LedgerUnavailable


class _Process:
    """This one; after a fork, the child is another one. To ask the system for its number would take longer."""

    current: ClassVar[object] = object()


def _become_another() -> None:
    _Process.current = object()


if hasattr(os, "register_at_fork"):  # elsewhere nothing forks
    os.register_at_fork(after_in_child=_become_another)


class OneProcess:
    """The process that made this; to be asked before any lock, which a thread of the parent may have held."""

    __slots__ = ("_mine",)

    def __init__(self) -> None:
        self._mine = _Process.current

    @property
    def is_ours(self) -> bool:
        return self._mine is _Process.current

    def must_be_ours(self) -> None:
        if self._mine is not _Process.current:
            raise LedgerUnavailable("This ledger was opened before a fork: open one in every process.")
