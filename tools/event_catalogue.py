"""The page docs/event-catalogue.md, written from the code: every stored name of every game with its fields."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum, EnumType
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.lifecycle import LIFECYCLE_EVENTS, LIFECYCLE_UPCASTS
from fairdeal.domain.kernel.rules import AnyRules

INTRODUCTION = """# The event catalogue

Written from the code by `make docs`; a test fails when it is out of date.

A stored name is a public contract: once released it keeps its meaning for ever, and a changed event gets a
new name (`….v2`) and an upcaster. Fields stand in the order in which they are stored.
`X | None` in an event that holds a secret means: None for those who may not see it.
"""

LIFECYCLE = """## Every game

These events are the same in every game; the kind of the game stands before the name, as in
`kings_corners.game_opened.v2`. `OptionsT` is the game's options, `BroughtT` what a player may bring to it.
"""


def page(games: Iterable[AnyRules]) -> str:
    """The whole page as Markdown."""
    parts = [INTRODUCTION, LIFECYCLE, *_section(LIFECYCLE_EVENTS, prefix="")]
    parts += [f"`{old}` is read as `{upcast.name}`.\n" for old, upcast in LIFECYCLE_UPCASTS.items()]
    parts += map(_inner, _inner_types(LIFECYCLE_EVENTS.values()))
    for rules in games:
        parts += _game(rules)
    return "\n".join(parts)


def main(path: str) -> None:
    Path(path).write_text(page(KINDS.values()), encoding="utf-8")


def _game(rules: AnyRules) -> Iterator[str]:
    yield f"## {rules.title}\n"
    yield f"Kind `{rules.kind}`, rules version {rules.version}, {rules.how_many} seats.\n"
    yield "### Events\n"
    yield from _section(rules.stored.events, prefix=f"{rules.kind}.")
    for old, upcast in rules.stored.upcasts.items():
        yield f"`{rules.kind}.{old}` is read as `{rules.kind}.{upcast.name}`.\n"
    yield "### Moves\n"
    yield from _section(rules.stored.moves, prefix="")
    yield "### Options\n"
    yield from _options(rules)
    brings = rules.setup.brings
    if brings is not None:
        yield "### What a player may bring\n"
        yield _entry(brings.__name__, brings)
    stored = [*rules.stored.events.values(), *rules.stored.moves.values()]
    used = [*stored, rules.setup.options, *([brings] if brings else [])]
    if types := _inner_types(used):
        yield "### Types of the fields\n"
        yield from map(_inner, types)


def _section(names: Mapping[str, type], prefix: str) -> Iterator[str]:
    return (_entry(f"{prefix}{name}", cls) for name, cls in names.items())


def _entry(name: str, cls: Any) -> str:
    lines = [f"**`{name}`** {_first_line(cls)}".rstrip()]
    lines += [f"- `{_field(field)}`" for field in _fields(cls)]
    return "\n".join(lines) + "\n"


def _options(rules: AnyRules) -> Iterator[str]:
    own = _fields(rules.setup.options)
    yield "\n".join([f"- `{_field(field)}`" for field in own] or ["None."]) + "\n"
    for name, preset in rules.setup.presets.items():
        chosen = ", ".join(f"{field.name} = {_value(getattr(preset, field.name))}" for field in own)
        yield f"- preset `{name}`{': ' if chosen else ''}{chosen}"
    yield ""


def _inner(cls: Any) -> str:
    entry = _entry(cls.__name__, cls)
    return f"{entry}\n{_values(cls)}\n" if isinstance(cls, EnumType) else entry


def _values(cls: Iterable[Any]) -> str:
    return " ".join(f"`{member.value}`" for member in cls)


def _inner_types(classes: Iterable[type]) -> list[Any]:
    """The enums and dataclasses that the fields of these classes are made of, each once, in order."""
    found: dict[Any, None] = {}
    waiting = [part for cls in classes for field in _fields(cls) for part in _classes_in(field.type)]
    while waiting:
        cls = waiting.pop(0)
        if cls not in found:
            found[cls] = None
            waiting += [part for field in _fields(cls) for part in _classes_in(field.type)]
    return list(found)


def _classes_in(annotation: Any) -> list[Any]:
    if get_args(annotation):
        return [cls for argument in get_args(annotation) for cls in _classes_in(argument)]
    return [annotation] if is_dataclass(annotation) or isinstance(annotation, EnumType) else []


def _fields(cls: Any) -> tuple[Field[Any], ...]:
    return fields(cls) if is_dataclass(cls) else ()


def _field(field: Field[Any]) -> str:
    default = "" if field.default is MISSING else f" = {_value(field.default)}"
    return f"{field.name}: {_type_name(field.type)}{default}"


def _value(value: Any) -> str:
    return str(value.value) if isinstance(value, Enum) else str(value)


def _type_name(annotation: Any) -> str:
    if annotation is Ellipsis:
        return "..."
    if annotation in (None, NoneType):
        return "None"
    origin, inside = get_origin(annotation), [_type_name(argument) for argument in get_args(annotation)]
    if origin in (Union, UnionType):
        return " | ".join(inside)
    if inside:
        return f"{_type_name(origin)}[{', '.join(inside)}]"
    return str(getattr(annotation, "__name__", annotation))


def _first_line(cls: Any) -> str:
    """The first line of a docstring that somebody wrote; dataclasses without one get a signature."""
    text = cls.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{cls.__name__}(") else str(text).strip().partition("\n")[0]


if __name__ == "__main__":
    main(*sys.argv[1:])
