"""How much memory a game takes, roughly: what caches are bounded by."""

import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, ClassVar

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
    waiting: list[object] = [thing]
    total = 0
    while waiting and total < most:
        one = waiting.pop()
        # Asked once for each class: it takes longer than all the rest.
        inside = _KNOWN.get(type(one)) or _inside(type(one))
        if inside is _SHARED or id(one) in seen:
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        if inside is not _NOTHING:
            waiting.extend(inside(one))
    return total


def _SHARED(_: Any) -> Iterable[Any]:  # noqa: N802 - it stands for a kind of thing
    return ()


def _NOTHING(_: Any) -> Iterable[Any]:  # noqa: N802 - it stands for a kind of thing
    return ()


def _keys_and_values(one: Mapping[Any, Any]) -> Iterable[Any]:
    return [*one.keys(), *one.values()]


def _members(one: Iterable[Any]) -> Iterable[Any]:
    return one


_KNOWN: dict[type[Any], Callable[[Any], Iterable[Any]]] = {}


def _inside(kind: type[Any]) -> Callable[[Any], Iterable[Any]]:
    """What lists the parts of things of this class."""
    _KNOWN[kind] = found = _parts_of(kind)
    return found


def _parts_of(kind: type[Any]) -> Callable[[Any], Iterable[Any]]:
    if issubclass(kind, SHARED_BY_GAMES):
        return _SHARED
    if issubclass(kind, str | bytes | int | float | range | type(None)):
        return _NOTHING
    if issubclass(kind, Mapping):
        return _keys_and_values
    if issubclass(kind, list | tuple | set | frozenset):
        return _members
    # A compiled class has no slots; the compiler keeps their names elsewhere (ADR 70).
    lists = ("__slots__", "__mypyc_attrs__")
    names = [name for cls in kind.__mro__ for kept in lists for name in vars(cls).get(kept, ())]

    def attributes(one: Any) -> Iterable[Any]:
        named = [getattr(one, name, None) for name in names]
        return [*named, *one.__dict__.values()] if hasattr(one, "__dict__") else named

    return attributes


class UsualSizes:
    """How much things take about which as much was written: games of one kind are much alike, and measuring takes long.

    Of those alike the first is measured, and one in so many after it; the largest counts. Large ones are all measured.
    """

    EVERY: ClassVar = 16
    SMALL: ClassVar = 64 * 1024

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[int, int]] = {}

    def size_of(self, sort: str, written: int, thing: Any) -> int:
        if written > self.SMALL:
            return size_of(thing)
        alike = sort, written.bit_length()
        asked, most = self._known.get(alike, (0, 0))
        if asked % self.EVERY == 0:
            most = max(most, size_of(thing))
        self._known[alike] = asked + 1, most
        return most


class Size:
    """The size of one thing that grows with what is written about it: measured again whenever that has doubled."""

    __slots__ = ("_measured_at", "_usual", "bytes", "written")

    def __init__(self, usual: UsualSizes | None = None) -> None:
        self.bytes = SMALLEST
        self.written = 0
        self._measured_at = 0
        self._usual = usual

    def grow(self, written: int, thing: Any, sort: str = "") -> int:
        """So many bytes more were written about it; answers by how much more memory it takes for that."""
        before = self.bytes
        self.written += written
        if self.written >= 2 * self._measured_at:
            self._measured_at = self.written
            usual = self._usual
            self.bytes = SMALLEST + (size_of(thing) if usual is None else usual.size_of(sort, self.written, thing))
        else:
            self.bytes += written
        return self.bytes - before
