"""What two views of a table, or two logs, do not share."""

from collections.abc import Iterable, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from typing import Any, cast

from fairdeal.domain.kernel.places import Place

TABLE = "the table"
"""The path where one version has a table and the other has none; no field of a view is called so."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two views of a game do not share."""

    path: str
    before: Any
    after: Any


def differences(path: str, before: Any, after: Any) -> tuple[Difference, ...]:
    """Field by field, down to the smallest thing that has a name."""
    if type(before) is type(after) and is_dataclass(before):
        names = [field.name for field in fields(before)]
        inner = [(f"{path}.{name}".lstrip("."), getattr(before, name), getattr(after, name)) for name in names]
        return tuple(found for part in inner for found in differences(*part))
    if _are_lists_of_parts(before) and _are_lists_of_parts(after) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return tuple(found for at, pair in pairs for found in differences(f"{path}[{_label(at, *pair)}]", *pair))
    return () if before == after else (Difference(path or TABLE, before, after),)


def _are_lists_of_parts(value: Any) -> bool:
    return isinstance(value, tuple) and any(is_dataclass(part) for part in cast("Iterable[Any]", value))


def _label(at: int, *parts: Any) -> int | str:
    """What a part of a list is called: by its first field if that is a word, else by its number."""
    one, other = ([getattr(part, field.name) for field in _fields(part)[:1]] for part in parts)
    return one[0] if one == other and one and isinstance(one[0], str) else at


def _fields(part: Any) -> "tuple[Field[Any], ...]":
    return fields(part) if is_dataclass(part) else ()


def moved(before: Sequence[Place], after: Sequence[Place], names: tuple[str, ...]) -> tuple[Difference, ...]:
    """The places whose cards are others than before; without a table there are none anywhere."""
    earlier, later = ({place.told(names): place.cards for place in places} for places in (before, after))
    found = (Difference(name, earlier.get(name, ()), later.get(name, ())) for name in {**earlier, **later})
    return tuple(change for change in found if change.before != change.after)
