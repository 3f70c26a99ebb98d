"""Fairdeal: an embeddable, event-sourced backend for card games.

Nothing is loaded before it is used, so that importing this costs next to nothing.
"""

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which is not loaded for this alone

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
    from fairdeal.application.errors import (
        Busy,
        CommandIdReused,
        InvalidCommand,
        LedgerError,
        LedgerUnavailable,
        StaleVersion,
        UnknownGame,
        UnknownKind,
    )
    from fairdeal.application.handlers import Answer
    from fairdeal.application.projections.errors import InvalidQuery, NotCaughtUp, ReadModelError
    from fairdeal.application.projections.happening import Happening
    from fairdeal.application.queries import Look
    from fairdeal.application.records import Receipt
    from fairdeal.domain.kernel.errors import FairdealError, GameOver, IllegalMove, NotYourTurn, UnknownPlayer
    from fairdeal.infrastructure.bootstrap import Fairdeal
    from fairdeal.infrastructure.readmodels.projection import Projection

__all__ = [
    "AbandonGame", "Answer", "BranchGame", "Busy", "CommandIdReused", "Fairdeal", "FairdealError", "GameOver",
    "Happening", "IllegalMove", "InvalidCommand", "InvalidQuery", "JoinGame", "LeaveGame", "LedgerError",
    "LedgerUnavailable", "Look", "MakeMove", "NotCaughtUp", "NotYourTurn", "OpenGame", "Projection", "QuickStart",
    "ReadModelError", "Receipt", "RevealEntropy", "StaleVersion", "StartGame", "UnknownGame", "UnknownKind",
    "UnknownPlayer",
]  # fmt: skip
_FROM_LIGHT_TO_HEAVY = (
    "domain.kernel.errors application.errors application.projections.errors application.records "
    "application.projections.happening application.commands application.queries application.handlers "
    "infrastructure.bootstrap infrastructure.readmodels.projection"
)


def __getattr__(name: str) -> object:
    for home in _FROM_LIGHT_TO_HEAVY.split() if name in __all__ else ():
        if hasattr(module := import_module(f"fairdeal.{home}"), name):
            return getattr(module, name)
    raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
