"""Answers of the read side: plain typed values; `fairdeal.to_json` writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec

from fairdeal.application.projections.public_event import Result
from fairdeal.domain.kernel.lifecycle import DealtFrom
from fairdeal.domain.kernel.lobby import Phase

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def from_row(wanted: type[ResultT], row: Mapping[Any, Any]) -> ResultT:
    """An answer from a row of a table, in which lists and enums are plain data."""
    return msgspec.convert({name: row[name] for name in names_of(wanted)}, wanted)


def names_of(result: type) -> tuple[str, ...]:
    """The fields of an answer, which are the columns of its table."""
    return tuple(field.name for field in fields(result))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[ItemT]):
    """Some of the answers in a stable order; `next` asks for those that follow, None at the end."""

    items: tuple[ItemT, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """One game as everybody may see it."""

    id: UUID
    kind: str
    options: Any
    opener: str
    players: tuple[str, ...]
    free_seats: int
    """How many can still sit down; 0 once the seats are closed."""
    phase: Phase
    turn: tuple[str, ...]
    """The players who have to act."""
    opening: DealtFrom | None
    rated: bool
    moves: int
    opened_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    last_at: datetime
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    reason: str | None
    commitment: str
    seed: str | None
    """Shown when the game is over."""
    version: int
    link: str
    """With the version, the receipt of the last event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """One event in one English line, as a spectator saw it."""

    position: int
    game_id: UUID
    version: int
    kind: str
    event: str
    at: datetime
    by: str
    """Who sent the command."""
    player: str
    """Whom the line is about."""
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """How a player did at one kind of game: `played` = won + drawn + lost + abandoned."""

    kind: str
    player: str
    played: int
    won: int
    drawn: int
    lost: int
    abandoned: int
    """Games that this player left and lost by that."""
    broken_off: int
    """Games that somebody else broke off without a result; they count nowhere else."""
    streak: int
    """Wins in a row up to now; below zero, defeats in a row."""
    best_streak: int
    average_moves: float
    """Moves of everybody, mean over the games played."""
    average_seconds: float
    """From the closing of the seats to the end."""
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's strength at one kind of game (docs/adr/0021-ratings.md)."""

    kind: str
    player: str
    rank: int
    """1 is the best."""
    rating: float
    """What the player is worth almost for certain: mu − 3 sigma. Lists are ordered by it."""
    mu: float
    sigma: float
    games: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingStep:
    """What one rated game made of a player's rating."""

    kind: str
    games: int
    """Rated games of that kind up to and with this one."""
    at: datetime
    rating: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """What a player has to do with tables that were never dealt; no single log shows it, only the numbers do."""

    tables_closed: int = 0
    """Tables that this player opened and whose seats were closed."""
    tables_undealt: int = 0
    """Those of them that ended before the deal, whoever was in the way."""
    tables_broken_off: int = 0
    """Tables, also of others, that this player broke off after the seats were closed and before the deal."""
    seals_kept_shut: int = 0
    """Tables that ended before the deal while this player's seal was shut, for want of will or of time."""
    seals_used_before: int = 0
    """Seals of this player that had been used at another table: their entropy may have been known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player: statistics and ratings for each kind of game played, and what they have to do with undealt tables."""

    name: str
    statistics: tuple[Statistics, ...]
    ratings: tuple[Rating, ...]
    conduct: Conduct = Conduct()
    rating_steps: tuple[RatingStep, ...] = ()
    """How the ratings came to be what they are: the newest five hundred rated games, the oldest of them first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounters:
    """How two players fared at the same tables: ahead is who won where the other did not."""

    kind: str | None
    """None stands for all kinds together."""
    played: int
    first_ahead: int
    second_ahead: int
    even: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """Two players against each other, in all and kind by kind."""

    first: str
    second: str
    total: Encounters
    kinds: tuple[Encounters, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A player's game, and how it ended for them."""

    game: GameSummary
    seat: int
    result: Result | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """An event that could not be folded, or one that waits for such a one."""

    projection: str
    position: int
    game_id: UUID
    version: int
    name: str
    error: str | None
    """None if it only waits for an earlier event of its game."""
    tries: int
    put_aside_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """What came of trying dead letters again."""

    folded: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a rebuild or a runner has come."""

    position: int
    head: int

    @property
    def share(self) -> float:
        return 1.0 if self.head == 0 else min(1.0, self.position / self.head)
