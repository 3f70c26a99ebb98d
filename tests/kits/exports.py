"""Exported files for tests: taken in and verified."""

from typing import Any

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.exports.format import read_logs
from fairdeal.application.exports.verify import verify
from fairdeal.application.log.record import Receipt
from fairdeal.testing.recorded import CODEC


def taken_in(fairdeal: Fairdeal, text: str) -> list[Any]:
    def source() -> list[bytes]:
        return text.encode().splitlines(keepends=True)

    importer = fairdeal.exports.importer
    games = list(importer.check(source))
    imported = list(importer.store(source))
    assert [one.game_id for one in imported] == games
    return imported


def verified(text: str, receipts: tuple[Receipt, ...] = ()) -> Report:
    (log,) = read_logs(text.encode().splitlines(keepends=True))
    return verify(log, CODEC, receipts)
