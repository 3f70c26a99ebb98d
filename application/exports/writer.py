"""Games as text that can be verified without the server; docs/format.md defines it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from fairdeal.application.commands import validation
from fairdeal.application.errors import DamagedRecord, UnknownGame
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import Linker, seal_of
from fairdeal.application.log.reader import must_be_linked, read_log
from fairdeal.application.log.record import DecodedRecord, Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game, unknown_player_error
from fairdeal.domain.kernel.lifecycle import PlayerSeated

FORMAT = 1
OPERATOR = "operator"
"""The viewer of a backup: all that is stored, also of a game that still has secrets."""

PlainLine = dict[str, Any]


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
        decoded_records, game = read_log(records, self._codec)
        _must_sit(game, player)
        whole = game.over or operator
        digest = hashlib.sha256()
        for line in (
            _header(game, records[0], decoded_records[0], player, operator=operator),
            *lines_for(game, player, records, decoded_records, whole=whole),
        ):
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
            digest.update(text.encode())
            yield text
        footer: PlainLine = {"records": len(records), "link": records[-1].link.hex()}
        footer |= {"seed": game.seed.hex() if whole else None, "digest": digest.hexdigest()}
        yield json.dumps(footer, separators=(",", ":")) + "\n"


def seen(records: Sequence[Record], codec: Codec, version: int, player: str | None) -> PlainLine:
    """One record of a log as its export shows it to a player, or to a spectator."""
    decoded_records, game = read_log(records, codec)
    _must_sit(game, player)
    lines = lines_for(
        game, player, records[version - 1 : version], decoded_records[version - 1 : version], whole=game.over
    )
    return next(lines)


def _must_sit(game: Game, player: str | None) -> None:
    if player is not None and game.seat_of(player) is None:
        raise unknown_player_error(player)


def lines_for(
    game: Game, player: str | None, records: Sequence[Record], decoded_records: Sequence[DecodedRecord], *, whole: bool
) -> Iterator[PlainLine]:
    linker = Linker(game.seed, game.id)
    for record, decoded in zip(records, decoded_records, strict=True):
        salt = linker.salt(record.version)
        shown = decoded.event if whole else game.redact(decoded.event, player)
        # The causing command stands on the first record: until the end it is its sender's business.
        is_open = shown == decoded.event and (decoded.batch is None or decoded.batch.by == player)
        is_open = is_open and not _may_hide(game, decoded.event, player)
        yield _open_line(record, salt) if whole or is_open else _redacted_line(record, salt, decoded, shown)


def _may_hide(game: Game, event: Any, player: str | None) -> bool:
    """Whether others must not even see that nothing was brought."""
    return isinstance(event, PlayerSeated) and event.player != player and game.rules.setup.brings is not None


def stored_options(first: Record) -> Any:
    """The options as they were stored, without those that were added since."""
    return json.loads(first.payload)["event"].get("options")


def _header(game: Game, record: Record, first: DecodedRecord, player: str | None, *, operator: bool) -> PlainLine:
    viewer = None if game.over else OPERATOR if operator else {"player": player}
    return {
        "fairdeal": FORMAT,
        "game": str(game.id),
        "kind": game.rules.kind,
        # Those that opened the game, and its options as they are stored: the file stays the same in a newer program.
        "rules": None if first.batch is None else first.batch.rules,
        "options": stored_options(record),
        "players": list(game.players),
        "viewer": viewer,
    }


def _open_line(record: Record, salt: bytes) -> PlainLine:
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


def _redacted_line(record: Record, salt: bytes, decoded: DecodedRecord, shown: Any) -> PlainLine:
    line: PlainLine = {"version": record.version, "name": record.name, "seal": seal_of(salt, record.payload).hex()}
    if decoded.batch is not None:
        line |= {
            "at": decoded.batch.at,
            "by": decoded.batch.by,
            "rules": decoded.batch.rules,
            "size": decoded.batch.size,
        }
    return {**line, "event": validation.plain(shown), "link": record.link.hex()}
