"""One game as one text file that can be verified without the server; docs/format.md defines it."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from fairdeal.application import border
from fairdeal.application.errors import UnknownGame
from fairdeal.application.ports import Codec, Ledger, Sheet
from fairdeal.application.records import Record, salt_of, seal_of
from fairdeal.domain.kernel.game import Game

FORMAT = 1


class Exporter:
    """Writes logs: whole once a game is over, before that as one player or a spectator may see it."""

    def __init__(self, ledger: Ledger, codec: Codec) -> None:
        self._ledger = ledger
        self._codec = codec

    def export(self, game_id: UUID, player: str | None = None) -> Iterator[str]:
        """The lines of the file, each with its line end."""
        records = self._ledger.records(game_id)
        if not records:
            raise UnknownGame(game_id)
        sheets = [self._codec.read(record) for record in records]
        game = Game(game_id, self._codec.rules_of(records[0]))
        game.replay(sheet.event for sheet in sheets)
        digest = hashlib.sha256()
        for line in self._lines(game, player, records, sheets):
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
            digest.update(text.encode())
            yield text
        footer = {
            "records": len(records),
            "link": records[-1].link.hex(),
            "seed": game.seed.hex() if game.over else None,
            "digest": digest.hexdigest(),
        }
        yield json.dumps(footer, separators=(",", ":")) + "\n"

    def _lines(self, game: Game, player: str | None, records: Any, sheets: list[Sheet]) -> Iterator[dict[str, Any]]:
        yield {
            "fairdeal": FORMAT,
            "game": str(game.id),
            "kind": game.rules.kind,
            "rules": game.rules.version,
            "options": border.plain(game.options),
            "players": list(game.players),
            "viewer": None if game.over else {"player": player},
        }
        sender = None
        for record, sheet in zip(records, sheets, strict=True):
            if sheet.batch is not None:
                sender = sheet.batch.by
            shown = game.redact(sheet.event, player)
            # The causing command stands on the first record: until the end it is its sender's business.
            is_open = shown == sheet.event and (sheet.batch is None or sender == player)
            yield _open_line(game, record) if game.over or is_open else _closed_line(game, record, sheet, shown)


def read_export(text: str) -> list[Record]:
    """The records of a whole export, as they were stored; the audit says whether they are what they should be."""
    header, *lines = [json.loads(line) for line in text.split("\n")[:-2]]
    game_id = UUID(header["game"])
    return [
        Record(game_id, line["version"], line["name"], line["payload"].encode(), bytes.fromhex(line["link"]))
        for line in lines
    ]


def _open_line(game: Game, record: Record) -> dict[str, Any]:
    return {
        "version": record.version,
        "name": record.name,
        "payload": record.payload.decode(),
        "salt": salt_of(game.seed, record.version).hex(),
        "link": record.link.hex(),
    }


def _closed_line(game: Game, record: Record, sheet: Sheet, shown: Any) -> dict[str, Any]:
    seal = seal_of(salt_of(game.seed, record.version), record.payload)
    line: dict[str, Any] = {"version": record.version, "name": record.name, "seal": seal.hex()}
    if sheet.batch is not None:
        line |= {"at": sheet.batch.at, "by": sheet.batch.by, "rules": sheet.batch.rules, "size": sheet.batch.size}
    return {**line, "event": border.plain(shown), "link": record.link.hex()}
