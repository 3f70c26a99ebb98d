"""The kit for testing games and whatever embeds them: given/when/then, played games, contracts.

What needs more than the domain is loaded when it is first used, so that tests of rules need no storage.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fairdeal.testing.changed import changed
from fairdeal.testing.given import given
from fairdeal.testing.play import Playthrough, play

if TYPE_CHECKING:
    from fairdeal.application.ports import Ledger
    from fairdeal.infrastructure.ledger.addresses import open_ledger
    from fairdeal.testing.contract import GameContract
    from fairdeal.testing.handlers import GivenGame, Handled, given_game, given_lobby
    from fairdeal.testing.ledger import LedgerContract

_HOME_OF = {
    "GameContract": "testing.contract",
    "Ledger": "application.ports",
    "LedgerContract": "testing.ledger",
    "GivenGame": "testing.handlers",
    "Handled": "testing.handlers",
    "given_game": "testing.handlers",
    "given_lobby": "testing.handlers",
    "open_ledger": "infrastructure.ledger.addresses",
}
"""Where each name is at home that is not loaded yet."""

__all__ = [
    "GameContract", "GivenGame", "Handled", "Ledger", "LedgerContract", "Playthrough", "changed", "given", "given_game",
    "given_lobby", "open_ledger", "play",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fairdeal.testing' has no attribute {name!r}")
    return getattr(import_module(f"fairdeal.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
