"""What the application needs from outside: a place for records, and their bytes."""

from collections.abc import Sequence
from typing import Any, Protocol
from uuid import UUID

import msgspec

from fairdeal.application.records import Record
from fairdeal.domain.kernel.rules import AnyRules


class Batch(msgspec.Struct, frozen=True):
    """What one command left behind besides its events; stands on the batch's first record."""

    at: str
    by: str
    id: str
    command: dict[str, Any]
    rules: int
    size: int


class Sheet(msgspec.Struct, frozen=True):
    """A record that was read: its event and, on the first one of a batch, where it came from."""

    event: Any
    batch: Batch | None


class Codec(Protocol):
    """Events to bytes and back, by stored names."""

    def write(self, rules: AnyRules, events: Sequence[Any], batch: Batch) -> list[tuple[str, bytes]]:
        """The stored name and payload of each event of one command."""
        ...

    def read(self, record: Record) -> Sheet:
        """The event of a record, brought up to its newest shape."""
        ...

    def is_as_written(self, record: Record) -> bool:
        """Whether a record can be read and, unless it is of an older shape, is byte for byte what would be written."""
        ...

    def batch(self, record: Record) -> Batch | None:
        """Only where a record came from, if it is the first one of a batch; its event is not looked at."""
        ...

    def events(self, records: Sequence[Record]) -> list[Any]:
        """Only the events, as fast as can be."""
        ...

    def seed_of(self, record: Record) -> bytes:
        """The seed in the first record of a game, found without believing anything else that it says."""
        ...

    def rules_of(self, record: Record) -> AnyRules:
        """The rules of the kind of game that the record's name begins with."""
        ...


class Ledger(Protocol):
    """All records of all games: atomic, durable, in order. Safe to use from several threads."""

    def append(self, records: Sequence[Record]) -> None:
        """Stores a batch whole, or raises VersionConflict because one of its versions exists."""
        ...

    def records(self, game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        """The records of one game in order, above `after` and up to `up_to`."""
        ...

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        """Records of all games behind a position, in the order in which they were stored."""
        ...

    def head(self) -> int:
        """The position of the last record, 0 if there is none."""
        ...

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        """The ids of games of which anything is stored, in the order of the ids, behind one of them."""
        ...

    def close(self) -> None: ...
