"""States as plain values, so that two of them can be compared and shown."""

from collections.abc import Mapping
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
    names: list[str] = [name for cls in classes for name in getattr(cls, "__slots__", ())]
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
