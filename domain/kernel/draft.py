"""A draft: the state a command works on, and what it says along the way."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

StateT = TypeVar("StateT")

Evolve = Mapping[type, Callable[[StateT, Any], None]]
"""For each type of event, how the state follows from it, in place."""


class Draft(Generic[StateT]):
    """What a command says happens at once to the drafted state and is remembered in order."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: StateT, evolve: Evolve[StateT]) -> None:
        self.state = state
        self.events: list[Any] = []
        self._evolve = evolve

    def say(self, event: object) -> None:
        self._evolve[type(event)](self.state, event)
        self.events.append(event)
