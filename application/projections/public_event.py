"""What projections fold: an event as any spectator may see it, and the table after it."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from fairdeal.domain.kernel.lifecycle import DealtFrom, GameAbandoned, GameVoided, Seat
from fairdeal.domain.kernel.lobby import Outcome, Phase


class LineUp(msgspec.Struct, frozen=True, gc=False):
    """The first names of a list that may grow: so ten thousand events of people sitting down share one list."""

    names: list[str]
    count: int

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.names[: self.count])


class TableSummary(msgspec.Struct, frozen=True, gc=False):
    """A table after something happened there: only what everybody may know."""

    kind: str
    seats: range
    """How many can play."""
    opener: str
    options: Any
    commitment: str
    seed: str | None
    """None until the game is over."""
    opening: DealtFrom | None
    """None until the seats are closed."""
    line_up: LineUp
    """Who sits at the table."""
    phase: Phase
    active: tuple[Seat, ...]
    outcome: Outcome | None
    moves: int
    opened_at: datetime
    started_at: datetime | None
    may_count: bool = True
    """Whether a result at this table counts, if it comes of a shuffle."""
    never_opened: tuple[str, ...] = ()
    """Whose seals were shut when the table ended between the closing of its seats and the deal."""

    @property
    def players(self) -> tuple[str, ...]:
        return self.line_up.players

    @property
    def rated(self) -> bool:
        """Only a shuffle counts: who arranges the deck or the position arranges the result."""
        return self.may_count and self.opening is DealtFrom.SHUFFLE


class PublicEvent(msgspec.Struct, frozen=True, gc=False):
    """One event of one game, as a spectator saw it, at its place in the ledger."""

    position: int
    game_id: UUID
    version: int
    name: str
    """The event's name without the kind of game and without the version of its shape, `card_played`."""
    at: datetime
    by: str
    """Who sent the command that made it happen."""
    player: str
    """Whom it is about: who sat down, whose seat it names, else who sent the command."""
    event: Any
    line: str
    """The event in English."""
    link: bytes
    table: TableSummary
    stored_name: str
    """The whole name of the event's newest shape, `kings_corners.card_played.v1`."""


class Result(StrEnum):
    """How a game that had started ended for one player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    LEFT = "left"
    """Left the game and lost it by that."""
    BROKEN_OFF = "broken_off"
    """Somebody who was not playing broke it off, or it is void: no result for anybody."""


def results(public_event: PublicEvent) -> tuple[Result, ...]:
    """The results, one per seat, of an event that ended a game; none if it had not started or was only a what-if."""
    table = public_event.table
    if table.outcome is None or table.opening in (None, DealtFrom.BRANCH):
        return ()
    winners = table.outcome.winners
    everybody = len(table.players)
    match public_event.event:
        case GameAbandoned(seat=None) | GameVoided():
            return (Result.BROKEN_OFF,) * everybody
        case GameAbandoned(seat=leaver):
            return tuple(Result.LEFT if seat == leaver else Result.WON for seat in range(everybody))
        case _ if everybody > 1 and len(winners) in (0, everybody):
            return (Result.DRAWN,) * everybody
        case _:
            return tuple(Result.WON if seat in winners else Result.LOST for seat in range(everybody))
