"""What authors of projections import, and the answers of `fairdeal.read` (docs/projections.md)."""

from fairdeal.application.projections.errors import NotCaughtUp, ReadModelError
from fairdeal.application.projections.public_event import PublicEvent, Result, TableSummary, results
from fairdeal.application.projections.results import (
    DeadLetter,
    Encounters,
    GameSummary,
    HeadToHead,
    Page,
    PlayedGame,
    Player,
    Progress,
    Rating,
    Retried,
    Statistics,
    TimelineEntry,
)
from fairdeal.infrastructure.readmodels.projections.base import Projection, append, upsert

__all__ = [
    "DeadLetter", "Encounters", "GameSummary", "HeadToHead", "NotCaughtUp", "Page", "PlayedGame", "Player", "Progress",
    "Projection", "PublicEvent", "Rating", "ReadModelError", "Result", "Retried", "Statistics", "TableSummary",
    "TimelineEntry", "append", "results", "upsert",
]  # fmt: skip
