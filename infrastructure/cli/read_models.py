"""The read models that commands ask: those beside the ledger, or tables that go when the command ends."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeal.application.projections.errors import NotCaughtUp
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.options import opened
from fairdeal.infrastructure.cli.output import watching
from fairdeal.infrastructure.readmodels.beside import beside
from fairdeal.service import Fairdeal

if TYPE_CHECKING:
    from fairdeal.infrastructure.readmodels.read_side import ReadSide

SMALL = 20_000
"""Records that are folded in about a second: no file is left behind for so few."""
GLANCE = 0.5
"""Seconds between two looks at how far it is."""


@contextmanager
def asked(address: str | None) -> "Generator[ReadSide]":
    """Questions to a ledger, answered from tables that hold all of it."""
    with opened(address) as fairdeal:
        read = read_side(fairdeal, address or "")
        try:
            catch_up(read)
            yield read
        finally:
            read.close()


def read_side(fairdeal: Fairdeal, address: str) -> "ReadSide":
    from fairdeal.infrastructure.readmodels.read_side import ReadSide  # and SQLAlchemy, for which nobody waits in vain

    where = beside(address) if are_kept(address) or (_is_large(fairdeal) and _may_be_made(address)) else "memory:"
    return ReadSide(fairdeal.ledger, fairdeal.codec, kinds(), address=address, where=where)


def are_kept(address: str) -> bool:
    """Whether somebody has made read models beside this SQLite ledger, which may be brought up to date here."""
    file = _file(address)
    return file is not None and file.is_file() and os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


def is_worth_it(fairdeal: Fairdeal, address: str) -> bool:
    """Whether read models answer sooner than the records themselves."""
    return are_kept(address) or _is_large(fairdeal)


def _is_large(fairdeal: Fairdeal) -> bool:
    return fairdeal.ledger.head() > SMALL


def _may_be_made(address: str) -> bool:
    file = _file(address)
    return file is None or os.access(file.parent, os.W_OK)


def _file(address: str) -> Path | None:
    where = beside(address)
    return Path(where.removeprefix("sqlite:///")) if where.startswith("sqlite:") else None


def catch_up(read: "ReadSide") -> None:
    """Folds what is new, with a progress bar if that takes a while."""
    progress = read.progress()
    if progress.position >= progress.head:
        return
    with watching(progress.head, "folding") as watch:
        while True:
            try:
                read.catch_up(within=GLANCE)
                return
            except NotCaughtUp as error:
                watch(error.reached)
