"""Validation: plain data from outside becomes the game's own types, or an error that names each field."""

import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from typing import Any, cast

import msgspec
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.domain.kernel.game import no_positions_error, nothing_to_bring_error
from fairdeal.domain.kernel.lifecycle import TableClock
from fairdeal.domain.kernel.refusals import echo, in_one_line, quoted
from fairdeal.domain.kernel.rules import AnyRules

LONGEST_FAULT = 300
SIMPLE = (str, int, bool, types.NoneType)


@cache
def _adapter(wanted: Any) -> TypeAdapter[Any]:
    # Inside a tuple the configuration reaches standard-library dataclasses, which cannot carry one themselves.
    wrapped: Any = types.GenericAlias(tuple, (wanted,))
    return TypeAdapter(wrapped, config=ConfigDict(extra="forbid", strict=True))


def parse(wanted: Any, data: Any, what: str) -> Any:
    """Strict: no unknown field, no number given as text; also inside values of the wanted type."""
    try:
        text = json.dumps([data], default=_fields_of)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidCommand(what, [FieldFault(what, f"cannot be written as JSON ({error})")]) from None
    try:
        # Options are never changed, and most tables are opened with the same few.
        return (_remembered if what == "options" and len(text) < LONG else _validated)(wanted, text)
    except ValidationError as error:
        # The first part is the place in our own tuple.
        raise InvalidCommand(what, [fault_of(fault, fault["loc"][1:]) for fault in error.errors()]) from None


def _validated(wanted: Any, text: str) -> Any:
    return _adapter(wanted).validate_json(text)[0]


_remembered = lru_cache(maxsize=256)(_validated)
LONG = 2000
"""Characters: what is longer is not remembered."""


def _fields_of(value: Any) -> dict[str, Any]:
    """What games are made of can be said field by field; nothing else can."""
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"{type(value).__name__} is not plain data")
    return {field.name: getattr(value, field.name) for field in fields(value)}


def fault_of(fault: ErrorDetails, place: tuple[int | str, ...] | None = None) -> FieldFault:
    """What is wrong, and at which place; numbers count from 0."""
    parts = fault["loc"] if place is None else place
    message = "unknown field" if fault["type"] == "unexpected_keyword_argument" else fault["msg"]
    return FieldFault(echo(".".join(str(part) for part in parts)) or "value", in_one_line(message, LONGEST_FAULT))


def plain(value: Any) -> Any:
    """A domain value as what JSON can say."""
    return msgspec.to_builtins(value)


def parse_move(rules: AnyRules, data: Any) -> Any:
    """A move as `{"move": name, …}`: the class by its name, every field checked."""
    if type(data) in rules.stored.move_names:
        return _checked(rules, data)
    known = ", ".join(sorted(rules.stored.moves))
    if not isinstance(data, Mapping):
        raise InvalidCommand("move", [FieldFault("move", f'expected an object like {{"move": one of {known}}}')])
    said = dict(cast("Mapping[str, Any]", data))
    name = said.pop("move", None)
    if not isinstance(name, str) or name not in rules.stored.moves:
        raise InvalidCommand(
            "move", [FieldFault("move", f"{rules.title} has no move {quoted(name)}, expected one of {known}")]
        )
    kind = rules.stored.moves[name]
    made = _usual_move(kind, said)
    return parse(kind, said, f"move {name!r}") if made is None else made


def _usual_move(kind: type, said: dict[str, Any]) -> Any | None:
    """A move whose fields all are there, in their order and of their types; None where anything is unusual.

    What is written again byte for byte as it came is what `parse` makes of it, in a tenth of the time.
    """
    if not all(map(_is_simple, said.values())):
        return None  # what JSON cannot say msgspec would write somehow
    try:
        text = msgspec.json.encode(said)
        made: Any = msgspec.json.decode(text, type=kind)
        return made if msgspec.json.encode(made) == text else None
    except (TypeError, ValueError, RecursionError):
        return None


def _is_simple(value: object) -> bool:
    kind = value.__class__
    return kind in SIMPLE or (kind in (list, tuple) and all(map(_is_simple, cast("Sequence[object]", value))))


def _checked(rules: AnyRules, move: object) -> Any:
    """A move that was made in Python, where nothing checks its fields."""
    # There and back takes about a microsecond; `parse`, which names the bad field, takes many.
    kind = type(move)
    try:
        good = msgspec.json.decode(msgspec.json.encode(move), type=kind) == move
    except (TypeError, ValueError, RecursionError):
        good = False
    return move if good else parse(kind, move, f"move {move_name(rules, move)!r}")


def move_to_plain(rules: AnyRules, move: Any) -> dict[str, Any]:
    """The same move as it comes from outside and is stored."""
    return {"move": move_name(rules, move), **plain(move)}


def move_name(rules: AnyRules, move: Any) -> str:
    return rules.stored.move_names[type(move)]


def parse_options(rules: AnyRules, data: Any) -> Any:
    """Options from nothing (the first preset), a preset's name, or fields on top of a preset."""
    presets = rules.setup.presets
    if data is None:
        return next(iter(presets.values()))
    if isinstance(data, rules.setup.options):
        return parse(rules.setup.options, data, "options")
    if not isinstance(data, str | Mapping):
        raise InvalidCommand("options", [FieldFault("options", "expected the name of a preset, or an object")])
    wishes = {"preset": data} if isinstance(data, str) else dict(cast("Mapping[str, Any]", data))
    preset = wishes.pop("preset", next(iter(presets)))
    if not isinstance(preset, str) or preset not in presets:
        expected = ", ".join(presets)
        raise InvalidCommand(
            "options", [FieldFault("preset", f"there is no {quoted(preset)}, expected one of {expected}")]
        )
    return parse(rules.setup.options, {**plain(presets[preset]), **wishes}, "options")


def parse_clock(data: Any) -> TableClock | None:
    clock: TableClock | None = None if data is None else parse(TableClock, data, "clock")
    return clock


def parse_brought(rules: AnyRules, data: Any) -> Any:
    if data is None:
        return None
    if rules.setup.brings is None:
        raise nothing_to_bring_error(rules)
    return parse(rules.setup.brings, data, "brings")


def must_be_a_bot(rules: AnyRules, name: str) -> None:
    """Asked when a bot sits down, not when that is decided again: a bot of old games may be gone."""
    if name not in rules.bots:
        expected = ", ".join(rules.bots)
        raise InvalidCommand("bot", [FieldFault("bot", f"there is no {quoted(name)}, expected one of {expected}")])


def parse_deck(rules: AnyRules, data: Any) -> Any:
    return None if data is None else parse(rules.setup.given_deck, data, "deck")


def parse_position(rules: AnyRules, data: Any) -> Any:
    if data is None:
        return None
    if rules.setup.position is None:
        raise no_positions_error(rules)
    return parse(rules.setup.position, data, "position")
