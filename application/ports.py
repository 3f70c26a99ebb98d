"""What the application needs from outside: a place for records, and the time."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import Record


class Ledger(Protocol):
    """All records of all games: atomic, durable, in order. Safe to use from several threads."""

    def append(self, records: Sequence[Record], *, continues: Head = NOTHING_YET) -> None:
        """Stores successive records of one game whole, right after the head that they continue.

        Raises VersionConflict if the stored game has another head: it has moved on, or it was set back. That is
        asked in the same transaction, so that no log ever gets a hole.
        """
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
