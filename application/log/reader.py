"""Reads a whole log: what each record says, and the game at its head."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, first_bad_link
from fairdeal.application.log.record import Batch, DecodedRecord, Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import is_opening


def read_log(records: Sequence[Record], codec: Codec) -> tuple[list[DecodedRecord], Game]:
    """The records of one game, read and followed; DamagedRecord where nobody could have stored that."""
    must_be_in_order(records)
    first = records[0]
    codec.seed_of(first)
    decoded_records = [codec.read(record) for record in records]
    whole_batches(records, decoded_records)
    game = opened_by(first, decoded_records[0].event, codec)
    follow(game, (decoded.event for decoded in decoded_records[1:]))
    return decoded_records, game


def opened_by(record: Record, event: Any, codec: Codec) -> Game:
    """The game as its first record opens it."""
    if not is_opening(event):
        raise DamagedRecord(record.game_id, record.version, "the game does not begin with its opening")
    return Game(record.game_id, codec.rules_of(record), event)


def must_be_in_order(records: Sequence[Record], after: int = 0) -> None:
    """A database may hold anything in the place of a version."""
    for number, record in enumerate(records, after + 1):
        if record.version != number:
            raise DamagedRecord(record.game_id, number, f"version {record.version} stands in its place; run an audit")


def must_be_linked(records: Sequence[Record], codec: Codec) -> None:
    """What was touched is for an audit to explain, not to be shown as if nothing were."""
    must_be_in_order(records)
    bad = first_bad_link(codec.seed_of(records[0]), NO_LINK, records)
    if bad is not None:
        raise DamagedRecord(bad.game_id, bad.version, "its link does not fit; run an audit")


def whole_batches(records: Sequence[Record], decoded_records: Sequence[DecodedRecord]) -> list[tuple[int, Batch]]:
    """Where each batch begins; a batch of which a part is missing was tampered with."""
    batches: list[tuple[int, Batch]] = []
    missing = 0
    for record, decoded in zip(records, decoded_records, strict=True):
        if (missing == 0) != (decoded.batch is not None):
            raise DamagedRecord(record.game_id, record.version, "a batch begins or goes on where it must not")
        if decoded.batch is not None:
            batches.append((record.version, decoded.batch))
            missing = decoded.batch.size
        missing -= 1
    if missing:
        raise DamagedRecord(records[-1].game_id, records[-1].version, "the rest of its batch is missing")
    return batches


def note_time(game: Game, at: str, by: str, command: Mapping[str, Any]) -> None:
    """Tells the clocks of a table when a command came, and whether its player moved by it."""
    if game.lobby.clocks is not None:
        moves = "move" in command or command.get("do") == "reveal_entropy"
        game.it_is(datetime.fromisoformat(at), by if moves else None)


def follow_batch(game: Game, batch: Batch, events: Iterable[object]) -> None:
    """Brings a game forward by what one command left behind, its time included."""
    try:
        note_time(game, batch.at, batch.by, batch.command)
        game.apply(*events)
    except Exception as error:
        raise cannot_follow(game, error) from error


def follow(game: Game, events: Iterable[object]) -> None:
    """Brings a game forward, in place; what it cannot follow was not stored so."""
    try:
        game.apply(*events)
    except Exception as error:
        raise cannot_follow(game, error) from error


def cannot_follow(game: Game, error: Exception) -> DamagedRecord:
    """Not what the error says: there may be a card in it."""
    return DamagedRecord(game.id, game.version, f"the game cannot follow it ({type(error).__name__})")
