"""How much memory a game takes, roughly: what caches are bounded by."""

import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from fairdeal.domain.kernel.rules import Rules

# They are there once for all games.
SHARED_BY_GAMES = (type, ModuleType, FunctionType, BuiltinFunctionType, Enum, Rules)
SMALLEST = 4096
"""What the smallest game takes, with its place in a cache."""

MOST = 2**30


def size_of(thing: Any, most: int = MOST) -> int:
    """In bytes, with all that is inside, each part once. What several games share counts for each of them.

    What is larger than `most` is not counted to the end.
    """
    seen: set[int] = set()
    waiting: list[Any] = [thing]
    total = 0
    while waiting and total < most:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, SHARED_BY_GAMES):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting.extend(_inside(one))
    return total


def _inside(one: Any) -> Iterable[Any]:
    inside: Any = one
    if isinstance(one, str | bytes | int | float | range):
        return ()
    if isinstance(one, Mapping):
        return [*inside.keys(), *inside.values()]
    if isinstance(one, list | tuple | set | frozenset):
        return list(inside)
    names = [name for cls in type(one).__mro__ for name in getattr(cls, "__slots__", ())]
    named = [getattr(one, name) for name in names if hasattr(one, name)]
    return [*named, *getattr(one, "__dict__", {}).values()]


class Size:
    """The size of one thing that grows with what is written about it: measured again whenever that has doubled."""

    __slots__ = ("_measured_at", "bytes", "written")

    def __init__(self) -> None:
        self.bytes = SMALLEST
        self.written = 0
        self._measured_at = 0

    def grow(self, written: int, thing: Any) -> int:
        """So many bytes more were written about it; answers by how much more memory it takes for that."""
        before = self.bytes
        self.written += written
        if self.written >= 2 * self._measured_at:
            self._measured_at = self.written
            self.bytes = SMALLEST + size_of(thing)
        else:
            self.bytes += written
        return self.bytes - before
