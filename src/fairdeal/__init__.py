"""Fairdeal: an embeddable, event-sourced backend for card games.

Nothing is loaded before it is used, so that importing this costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairdeal.application.commands import (
        AbandonGame,
        BranchGame,
        JoinGame,
        LeaveGame,
        MakeMove,
        OpenGame,
        QuickStart,
        RevealEntropy,
        StartGame,
    )
    from fairdeal.application.errors import CommandIdReused, InvalidCommand, LedgerError, StaleVersion, UnknownGame
    from fairdeal.application.handlers import Answer
    from fairdeal.application.projections.errors import InvalidQuery, NotCaughtUp, ReadModelError
    from fairdeal.application.projections.happening import Happening
    from fairdeal.application.queries import Look
    from fairdeal.application.records import Receipt
    from fairdeal.domain.kernel.errors import FairdealError, GameOver, IllegalMove, NotYourTurn, UnknownPlayer
    from fairdeal.infrastructure.bootstrap import Fairdeal
    from fairdeal.infrastructure.readmodels.projection import Projection

_HOMES = {
    "application.commands": "AbandonGame BranchGame JoinGame LeaveGame MakeMove OpenGame "
    "QuickStart RevealEntropy StartGame",
    "application.errors": "CommandIdReused InvalidCommand LedgerError StaleVersion UnknownGame",
    "application.handlers": "Answer",
    "application.projections.errors": "InvalidQuery NotCaughtUp ReadModelError",
    "application.projections.happening": "Happening",
    "application.queries": "Look",
    "application.records": "Receipt",
    "domain.kernel.errors": "FairdealError GameOver IllegalMove NotYourTurn UnknownPlayer",
    "infrastructure.bootstrap": "Fairdeal",
    "infrastructure.readmodels.projection": "Projection",
}
_HOME_OF = {name: f"fairdeal.{module}" for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "AbandonGame", "Answer", "BranchGame", "CommandIdReused", "Fairdeal", "FairdealError", "GameOver", "Happening",
    "IllegalMove",
    "InvalidCommand", "InvalidQuery", "JoinGame", "LeaveGame", "LedgerError", "Look", "MakeMove", "NotCaughtUp",
    "NotYourTurn", "OpenGame", "Projection", "QuickStart", "ReadModelError", "Receipt", "RevealEntropy",
    "StaleVersion", "StartGame", "UnknownGame", "UnknownPlayer",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
