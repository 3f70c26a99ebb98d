"""What is told of each command to logs and metrics: what it was and how it went, never what anybody holds or knows."""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from fairdeal.application.commands.messages import COMMAND_NAMES, COMMANDS, Command
from fairdeal.domain.kernel.game import HOUSE
from fairdeal.domain.kernel.lobby import is_bot

LOG = logging.getLogger("fairdeal.commands")
DONE = "done"
UNFORESEEN = "internal_error"


@dataclass(frozen=True, slots=True)
class CommandObserved:
    """One command that was handled."""

    command: str
    """`make_move`; `unknown` for what is not the name of a command."""
    kind: str | None
    """The kind of game; None if there is no such game."""
    game: UUID | None
    by: str
    """`player`, `bot` or `house`: never who."""
    code: str
    """`done`, or why it was refused."""
    before: int | None
    version: int | None
    """The versions before and after it; None if nothing was stored."""
    milliseconds: float


Observe = Callable[[CommandObserved], object]
"""The hook for metrics: called after each command by whoever sent it, so it must be quick."""


class Observers:
    """Those who want to know of every command: the log, and whoever was added."""

    def __init__(self) -> None:
        self._observers: tuple[Observe, ...] = ()

    def add(self, observe: Observe) -> None:
        self._observers = (*self._observers, observe)

    def remove(self, observe: Observe) -> None:
        self._observers = tuple(one for one in self._observers if one != observe)

    @property
    def are_there(self) -> bool:
        """Whether anybody wants to know."""
        return bool(self._observers) or LOG.isEnabledFor(logging.INFO)

    def tell(self, observed: CommandObserved) -> None:
        """A command that is stored is stored, whatever an observer thinks of it."""
        if LOG.isEnabledFor(logging.INFO):
            _log(observed)
        for observe in self._observers:
            try:
                observe(observed)
            except Exception:
                LOG.exception("a hook for metrics failed")


def _log(observed: CommandObserved) -> None:
    told = asdict(observed) | {"game": None if observed.game is None else str(observed.game)}
    versions = "" if observed.version is None else f" {observed.before} -> {observed.version}"
    text = f"{observed.kind or '-'} {observed.command} {observed.code}{versions} {observed.milliseconds} ms"
    LOG.info(text, extra={"fairdeal": told})


def name_of(command: Command | dict[str, Any]) -> str:
    """The name of a command, as it came; whatever else stands in its place is not repeated."""
    if isinstance(command, dict):
        name = command.get("command")
        return name if isinstance(name, str) and name in COMMANDS else "unknown"
    return COMMAND_NAMES.get(type(command), "unknown")


def by_whom(player: object) -> str:
    """Which sort of player this is."""
    if not isinstance(player, str):
        return "player"
    return "bot" if is_bot(player) else "house" if player.startswith(HOUSE) else "player"
