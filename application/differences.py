"""What two views of a table, or two logs, do not share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import zip_longest
from typing import Any, cast

from fairdeal.application.records import Record


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two views of a game do not share."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Parting:
    """The first record in which two logs differ; None where one of them has ended."""

    version: int
    one: Record | None
    other: Record | None


def differences(path: str, before: Any, after: Any) -> tuple[Difference, ...]:
    """Field by field, down to the smallest thing that has a name."""
    if type(before) is type(after) and is_dataclass(before):
        names = [field.name for field in fields(before)]
        inner = [(f"{path}.{name}".lstrip("."), getattr(before, name), getattr(after, name)) for name in names]
        return tuple(found for part in inner for found in differences(*part))
    if _are_lists_of_parts(before) and _are_lists_of_parts(after) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return tuple(found for at, pair in pairs for found in differences(f"{path}[{at}]", *pair))
    return () if before == after else (Difference(path or "table", before, after),)


def _are_lists_of_parts(value: Any) -> bool:
    return isinstance(value, tuple) and any(is_dataclass(part) for part in cast("Iterable[Any]", value))


def parting(one: Sequence[Record], other: Sequence[Record]) -> Parting | None:
    """Where two logs part, or None if they are the same."""
    for version, (left, right) in enumerate(zip_longest(one, other), 1):
        if left is None or right is None or not _is_same(left, right):
            return Parting(version, left, right)
    return None


def _is_same(left: Record, right: Record) -> bool:
    """Whether they say the same; that they stand in different games is no difference by itself."""
    return (left.version, left.name, left.payload, left.link) == (right.version, right.name, right.payload, right.link)
