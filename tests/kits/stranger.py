"""Somebody who may not write: files and folders without permission, for root too, and what the owner does meanwhile."""

import os
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fairdeal.application.log.record import Record
from fairdeal.infrastructure.audit_workers.worker import WorkerTask, work
from fairdeal.infrastructure.ledger.sqlite.recorder import SQLiteLedger
from kits.ledger import plant
from kits.processes import Pipe

NOBODY = 65534


@contextmanager
def folder_for_everybody() -> Generator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def as_a_stranger(path: Path, mode: int = 0o444, folder_mode: int = 0o755) -> Generator[None]:
    """Somebody who may not write the file: root may write everything, so it becomes nobody for a while."""
    for file in (path, *path.parent.glob(f"{path.name}-*")):
        file.chmod(mode)
    path.parent.chmod(folder_mode)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        path.parent.chmod(0o755)


def store_and_stay(path: str, records: Sequence[Record]) -> None:
    """What the owner's process does; it never closes the ledger, so its write-ahead log stays when it is killed."""
    kept.append(SQLiteLedger(path))
    plant(kept[-1], records)


def work_as_a_stranger(pipe: Pipe, task: WorkerTask) -> None:
    """What a process of an audit does, for whoever may not write."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    work(pipe, task)


kept: list[SQLiteLedger] = []
