"""Fairdeal: an embeddable, event-sourced backend for card games; nothing is loaded before it is used."""

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which is not loaded for this alone

if TYPE_CHECKING:
    from fairdeal.aio import AsyncFairdeal
    from fairdeal.application.commands.handlers import Answer
    from fairdeal.application.commands.messages import (
        AbandonGame,
        AddBot,
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
        BeyondHead,
        Busy,
        CommandIdReused,
        InvalidCommand,
        InvalidQuery,
        LedgerError,
        LedgerRolledBack,
        LedgerUnavailable,
        StaleVersion,
        StillRunning,
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

_HOMES = {  # where each public name is at home
    "aio": ("AsyncFairdeal",),
    "application.commands.handlers": ("Answer",),
    "application.commands.messages": (
        *("AbandonGame", "AddBot", "BranchGame", "ClaimTimeout", "JoinGame", "LeaveGame", "MakeMove"),
        *("OpenGame", "QuickStart", "RevealEntropy", "StartGame", "VoidGame"),
    ),
    "application.errors": (
        *("BeyondHead", "Busy", "CommandIdReused", "InvalidCommand", "InvalidQuery", "LedgerError"),
        *("LedgerRolledBack", "LedgerUnavailable", "StaleVersion", "StillRunning", "UnknownGame", "UnknownKind"),
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
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "AbandonGame", "AddBot", "Answer", "AsyncFairdeal", "BeyondHead", "BranchGame", "Busy", "ClaimTimeout",
    "CommandIdReused", "Fairdeal", "FairdealError", "Frame", "GameOver", "IllegalMove", "InvalidCommand",
    "InvalidQuery", "JoinGame", "LeaveGame", "LedgerError", "LedgerRolledBack", "LedgerUnavailable", "Look",
    "MakeMove", "NewEvents", "NotCaughtUp", "NotYourTurn", "OpenGame", "Projection", "PublicEvent", "QuickStart",
    "ReadModelError", "Receipt", "Replay", "RevealEntropy", "SeenEvent", "StaleVersion", "StartGame", "StillRunning",
    "UnknownGame", "UnknownKind", "UnknownPlayer", "VoidGame", "__version__", "kind_schema", "to_json", "to_plain",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("fairdeal")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
    return getattr(import_module(f"fairdeal.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
