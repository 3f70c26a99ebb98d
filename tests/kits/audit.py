"""Logs for tests of the audit: golden ones, short ones of every kind, and forged ones whose links fit."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fairdeal.application.audit import redecide
from fairdeal.application.audit.checked_log import CheckedLog
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.exports.format import read_export
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from golden.make import FOLDER

Payload = dict[str, Any]


def golden(name: str) -> list[Record]:
    return read_export((FOLDER / f"{name}.jsonl").read_text(encoding="utf-8"))


def short_log(kind: str, most: int = 60) -> list[Record]:
    """The beginning of a game of some kind, in whole batches; it still goes on."""
    records = recorded_game(KINDS[kind], most=most)
    return short_log(kind, most // 2) if "game_finished" in records[-1].name else records


def said(record: Record) -> Payload:
    payload: Payload = json.loads(record.payload)
    return payload


def written(payload: Payload) -> bytes:
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()


def forged(records: Sequence[Record], version: int, change: Callable[[Payload], object]) -> list[Record]:
    """The log with one payload changed and all links made to fit again."""
    payload = said(records[version - 1])
    change(payload)
    rows = [(record.name, record.payload) for record in records]
    rows[version - 1] = rows[version - 1][0], written(payload)
    return relinked(CODEC.seed_of(records[0]), records[0].game_id, rows)


def first(records: Sequence[Record], name: str, *, behind: int = 0) -> int:
    """The version of the first record whose stored name holds this word."""
    return next(record.version for record in records if name in record.name and record.version > behind)


def batch_ends(records: Sequence[Record]) -> list[int]:
    """The versions at which a batch is complete."""
    return [record.version - 1 for record in records[1:] if CODEC.batch(record) is not None] + [len(records)]


class NoFastPass:
    """Leaves everything to the careful pass."""

    def __init__(self, _: CheckedLog) -> None:
        self.game = None
        self.is_whole = False


def carefully(records: Sequence[Record]) -> Report:
    """What the audit finds without its fast pass."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redecide, "FastPass", NoFastPass)
        return audit(records, CODEC)
