"""Fairdeal: an embeddable, event-sourced backend for card games.

Nothing is loaded before it is used, so that importing this costs next to nothing.
"""

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which is not loaded for this alone

if TYPE_CHECKING:
    from fairdeal.aio import AsyncFairdeal
    from fairdeal.application.commands.handlers import Answer
    from fairdeal.application.commands.messages import (
        AbandonGame,
        BranchGame,
        ClaimTimeout,
        JoinGame,
        LeaveGame,
        MakeMove,
        OpenGame,
        QuickStart,
        RevealEntropy,
        StartGame,
        VoidGame,
    )
    from fairdeal.application.errors import (
        Busy,
        CommandIdReused,
        InvalidCommand,
        InvalidQuery,
        LedgerError,
        LedgerRolledBack,
        LedgerUnavailable,
        StaleVersion,
        UnknownGame,
        UnknownKind,
    )
    from fairdeal.application.history.look import Look
    from fairdeal.application.history.replay import Frame, Replay
    from fairdeal.application.live.new_events import NewEvents
    from fairdeal.application.log.record import Receipt
    from fairdeal.application.log.seen_event import SeenEvent
    from fairdeal.application.projections.errors import NotCaughtUp, ReadModelError
    from fairdeal.application.projections.public_event import PublicEvent
    from fairdeal.application.wire.encoding import to_json, to_plain
    from fairdeal.application.wire.schemas import kind_schema
    from fairdeal.domain.kernel.refusals import FairdealError, GameOver, IllegalMove, NotYourTurn, UnknownPlayer
    from fairdeal.infrastructure.readmodels.projections.base import Projection
    from fairdeal.service import Fairdeal

    __version__: str

_HOMES = {
    "aio": ("AsyncFairdeal",),
    "application.commands.handlers": ("Answer",),
    "application.commands.messages": (
        *("AbandonGame", "BranchGame", "ClaimTimeout", "JoinGame", "LeaveGame", "MakeMove", "OpenGame"),
        *("QuickStart", "RevealEntropy", "StartGame", "VoidGame"),
    ),
    "application.errors": (
        *("Busy", "CommandIdReused", "InvalidCommand", "InvalidQuery", "LedgerError"),
        *("LedgerRolledBack", "LedgerUnavailable", "StaleVersion", "UnknownGame", "UnknownKind"),
    ),
    "application.history.look": ("Look",),
    "application.history.replay": ("Frame", "Replay"),
    "application.live.new_events": ("NewEvents",),
    "application.log.record": ("Receipt",),
    "application.log.seen_event": ("SeenEvent",),
    "application.projections.errors": ("NotCaughtUp", "ReadModelError"),
    "application.projections.public_event": ("PublicEvent",),
    "application.wire.encoding": ("to_json", "to_plain"),
    "application.wire.schemas": ("kind_schema",),
    "domain.kernel.refusals": ("FairdealError", "GameOver", "IllegalMove", "NotYourTurn", "UnknownPlayer"),
    "infrastructure.readmodels.projections.base": ("Projection",),
    "service": ("Fairdeal",),
}
"""Where each public name is at home."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AbandonGame", "Answer", "AsyncFairdeal", "BranchGame", "Busy", "ClaimTimeout", "CommandIdReused", "Fairdeal",
    "FairdealError", "Frame", "GameOver", "IllegalMove", "InvalidCommand", "InvalidQuery", "JoinGame", "LeaveGame",
    "LedgerError", "LedgerRolledBack", "LedgerUnavailable", "Look", "MakeMove", "NewEvents", "NotCaughtUp",
    "NotYourTurn", "OpenGame", "Projection", "PublicEvent", "QuickStart", "ReadModelError", "Receipt", "Replay",
    "RevealEntropy", "SeenEvent", "StaleVersion", "StartGame", "UnknownGame", "UnknownKind", "UnknownPlayer",
    "VoidGame", "__version__", "kind_schema", "to_json", "to_plain",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("fairdeal")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
    return getattr(import_module(f"fairdeal.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
