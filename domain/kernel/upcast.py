"""How stored events of older shapes become newer ones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Upcast:
    """How a stored event of an older shape becomes the next one: its new name and its new fields."""

    name: str
    change: Callable[[dict[str, Any]], dict[str, Any]]
