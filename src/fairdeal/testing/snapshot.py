"""States as plain values, so that two of them can be compared and shown."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

_PLAIN = (str, int, float, bool, bytes, type(None), Enum, datetime, timedelta)


def snapshot(thing: Any) -> Any:
    """The same for two things exactly if nothing in them differs."""
    inside: Any = thing
    if isinstance(thing, _PLAIN):
        return thing
    if isinstance(thing, Mapping):
        return {snapshot(key): snapshot(value) for key, value in inside.items()}
    if isinstance(thing, list | tuple):
        return [snapshot(item) for item in inside]
    if isinstance(thing, set | frozenset):
        return sorted((snapshot(item) for item in inside), key=repr)
    if _never_changes(thing):
        return thing
    names = [field.name for field in fields(thing)] if is_dataclass(thing) else _slots(thing)
    return (type(thing).__name__, {name: snapshot(getattr(thing, name)) for name in names})


def _never_changes(thing: Any) -> bool:
    """Frozen dataclasses of things that can be hashed stand for themselves."""
    params: Any = getattr(thing, "__dataclass_params__", None)
    if params is None or not params.frozen:
        return False
    try:
        hash(thing)
    except TypeError:
        return False
    return True


def _slots(thing: Any) -> list[str]:
    classes: list[type] = list(type(thing).__mro__)
    # A compiled class has no slots, but says what it has.
    names = [name for cls in classes for name in getattr(cls, "__slots__", getattr(cls, "__mypyc_attrs__", ()))]
    return names or list(thing.__dict__)


def exchange(thing: Any, swaps: Mapping[Any, Any]) -> Any:
    """An event in which cards have changed places: every card stands where its partner stood."""
    inside: Any = thing
    if isinstance(thing, _PLAIN):
        return swaps.get(thing, thing)
    if isinstance(thing, tuple):
        return tuple(exchange(item, swaps) for item in inside)
    if is_dataclass(thing) and not isinstance(thing, type):
        if thing in swaps:
            return swaps[thing]
        return type(thing)(*(exchange(getattr(thing, field.name), swaps) for field in fields(thing)))
    raise TypeError(f"events hold scalars, enums, dataclasses and tuples, not {type(thing).__name__}")


def leaves(thing: Any) -> Iterator[Any]:
    """Everything that can be found in an event or a view: values, and things that are made of values."""
    inside: Any = thing
    if isinstance(thing, _PLAIN):
        yield thing
    elif isinstance(thing, list | tuple | set | frozenset):
        for item in inside:
            yield from leaves(item)
    elif isinstance(thing, Mapping):
        for key, value in inside.items():
            yield from leaves(key)
            yield from leaves(value)
    elif is_dataclass(thing):
        yield thing
        for field in fields(thing):
            yield from leaves(getattr(thing, field.name))
