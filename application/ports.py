"""What the application needs from outside: a place for records, and the time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import Record
from fairdeal.application.time_limit import TimeLimit


class Append(NamedTuple):
    """Successive records of one game, the head that they continue, and until when their command may wait."""

    records: Sequence[Record]
    continues: Head = NOTHING_YET
    limit: TimeLimit | None = None


class StillWaiting(Exception):
    """An append is not stored, and its time is not over: it is to be given once more."""


class Ledger(Protocol):
    """All records of all games: atomic, durable, in order. Safe to use from several threads."""

    def append(
        self, records: Sequence[Record], *, continues: Head = NOTHING_YET, limit: TimeLimit | None = None
    ) -> None:
        """Stores successive records of one game whole, right after the head that they continue.

        Raises VersionConflict if the stored game has another head: it has moved on, or it was set back. That is
        asked in the same transaction, so that no log ever gets a hole. Raises LedgerUnavailable if others held the
        database until the limit; without one, for as long as this ledger waits at most.
        """
        ...

    def append_all(self, appends: Sequence[Append]) -> Sequence[Exception | None]:
        """Stores each of them whole or not at all, in as few transactions as it can; says of each what went wrong.

        When the time of one is over, the others are StillWaiting, so that nobody is told later than they wanted.
        """
        ...

    @property
    def is_in_process(self) -> bool:
        """Whether it works in this process, so that to store waits for a disk at most, and for no network."""
        ...

    def confirm(self) -> None:
        """Returns when all that can be read now is as safe as what was just appended.

        A commit that was interrupted while it waited for a standby can be read, and stands on one server only: whoever
        answers from stored records asks this first. OutcomeNotKnown if it cannot be had.
        """
        ...

    def records(self, game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        """The records of one game in order, above `after` and up to `up_to`."""
        ...

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        """Records of all games after a position, in the order in which they were stored."""
        ...

    def head(self) -> int:
        """The position of the last record, 0 if there is none."""
        ...

    def lags(self) -> bool:
        """Whether it may show less than others have stored already: it is read from a standby."""
        ...

    def must_not_be_ahead(self, now: datetime) -> None:
        """Raises ClockAhead if the database has a clock of its own by which this moment is minutes away."""
        ...

    def game_ids(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        """The ids of games of which anything is stored, in the order of the ids, after one of them."""
        ...

    def close(self) -> None: ...
