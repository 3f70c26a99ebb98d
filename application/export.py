"""Games as text that can be verified without the server; docs/format.md defines it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from fairdeal.application import border
from fairdeal.application.errors import DamagedRecord, UnknownGame
from fairdeal.application.ports import Codec, Ledger, Sheet
from fairdeal.application.reading import must_be_linked, read_log
from fairdeal.application.records import Linker, Record, seal_of
from fairdeal.domain.kernel.game import Game, stranger
from fairdeal.domain.kernel.lifecycle import PlayerSeated

FORMAT = 1
OPERATOR = "operator"
"""The viewer of a backup: all that is stored, also of a game that still has secrets."""

Line = dict[str, Any]


class Exporter:
    """Writes logs: whole once a game is over, before that as one player or a spectator may see it."""

    def __init__(self, ledger: Ledger, codec: Codec) -> None:
        self._ledger = ledger
        self._codec = codec

    def export(self, game_id: UUID, player: str | None = None, *, operator: bool = False) -> Iterator[str]:
        """The lines of the file, each with its line end."""
        records = self._ledger.records(game_id)
        if not records:
            raise UnknownGame(game_id)
        must_be_linked(records, self._codec)
        sheets, game = read_log(records, self._codec)
        if player is not None and game.seat_of(player) is None:
            raise stranger(player)
        whole = game.over or operator
        digest = hashlib.sha256()
        for line in (
            _header(game, sheets[0], player, operator=operator),
            *_lines(game, player, records, sheets, whole=whole),
        ):
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
            digest.update(text.encode())
            yield text
        footer: Line = {"records": len(records), "link": records[-1].link.hex()}
        footer |= {"seed": game.seed.hex() if whole else None, "digest": digest.hexdigest()}
        yield json.dumps(footer, separators=(",", ":")) + "\n"


def seen(records: Sequence[Record], codec: Codec, version: int, player: str | None) -> Line:
    """One record of a log as its export shows it to a player, or to a spectator."""
    sheets, game = read_log(records, codec)
    lines = _lines(game, player, records[version - 1 : version], sheets[version - 1 : version], whole=game.over)
    return next(lines)


def _lines(
    game: Game, player: str | None, records: Sequence[Record], sheets: Sequence[Sheet], *, whole: bool
) -> Iterator[Line]:
    linker = Linker(game.seed, game.id)
    for record, sheet in zip(records, sheets, strict=True):
        salt = linker.salt(record.version)
        shown = sheet.event if whole else game.redact(sheet.event, player)
        # The causing command stands on the first record: until the end it is its sender's business.
        is_open = shown == sheet.event and (sheet.batch is None or sheet.batch.by == player)
        is_open = is_open and not _may_hide(game, sheet.event, player)
        yield _open_line(record, salt) if whole or is_open else _closed_line(record, salt, sheet, shown)


def _may_hide(game: Game, event: Any, player: str | None) -> bool:
    """Whether others must not even see that nothing was brought."""
    return isinstance(event, PlayerSeated) and event.player != player and game.rules.brings is not None


def _header(game: Game, first: Sheet, player: str | None, *, operator: bool) -> Line:
    viewer = None if game.over else OPERATOR if operator else {"player": player}
    return {
        "fairdeal": FORMAT,
        "game": str(game.id),
        "kind": game.rules.kind,
        # Those that opened the game: the file stays the same when the program has newer ones.
        "rules": None if first.batch is None else first.batch.rules,
        "options": border.plain(game.options),
        "players": list(game.players),
        "viewer": viewer,
    }


def _open_line(record: Record, salt: bytes) -> Line:
    try:
        payload = record.payload.decode()
    except UnicodeDecodeError as error:
        raise DamagedRecord(record.game_id, record.version, str(error)) from None
    return {
        "version": record.version,
        "name": record.name,
        "payload": payload,
        "salt": salt.hex(),
        "link": record.link.hex(),
    }


def _closed_line(record: Record, salt: bytes, sheet: Sheet, shown: Any) -> Line:
    line: Line = {"version": record.version, "name": record.name, "seal": seal_of(salt, record.payload).hex()}
    if sheet.batch is not None:
        line |= {"at": sheet.batch.at, "by": sheet.batch.by, "rules": sheet.batch.rules, "size": sheet.batch.size}
    return {**line, "event": border.plain(shown), "link": record.link.hex()}
