"""The border: plain data from outside becomes the game's own types, or an error that names each field."""

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from typing import Any, cast

import msgspec
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.domain.kernel.game import no_positions_error, nothing_to_bring_error
from fairdeal.domain.kernel.lifecycle import TableClock
from fairdeal.domain.kernel.rules import AnyRules


@cache
def _adapter(wanted: Any) -> TypeAdapter[Any]:
    # Inside a tuple the configuration reaches standard-library dataclasses, which cannot carry one themselves.
    wrapped: Any = types.GenericAlias(tuple, (wanted,))
    return TypeAdapter(wrapped, config=ConfigDict(extra="forbid", strict=True))


def parse(wanted: Any, data: Any, what: str) -> Any:
    """Strict: no unknown field, no number given as text, in values of the wanted type neither."""
    try:
        text = json.dumps([data], default=_fields_of)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidCommand(what, [FieldFault(what, f"cannot be written as JSON ({error})")]) from None
    try:
        # Options are never changed, and most tables are opened with the same few.
        return (_remembered if what == "options" and len(text) < LONG else _read)(wanted, text)
    except ValidationError as error:
        raise InvalidCommand(what, [fault_of(fault) for fault in error.errors()]) from None


def _read(wanted: Any, text: str) -> Any:
    return _adapter(wanted).validate_json(text)[0]


_remembered = lru_cache(maxsize=256)(_read)
LONG = 2000
"""Characters: what is longer is not remembered."""


def _fields_of(value: Any) -> dict[str, Any]:
    """What games are made of can be said field by field; nothing else can."""
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"{type(value).__name__} is not plain data")
    return {field.name: getattr(value, field.name) for field in fields(value)}


def fault_of(fault: ErrorDetails) -> FieldFault:
    where = ".".join(str(part) for part in fault["loc"] if part != 0 or len(fault["loc"]) == 1)
    message = "unknown field" if fault["type"] == "unexpected_keyword_argument" else fault["msg"]
    return FieldFault(where if where not in ("", "0") else "value", message)


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
            "move", [FieldFault("move", f"{rules.title} has no move {name!r}, expected one of {known}")]
        )
    return parse(rules.stored.moves[name], said, f"move {name!r}")


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
        raise InvalidCommand("options", [FieldFault("preset", f"there is no {preset!r}, expected one of {expected}")])
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
        raise InvalidCommand("bot", [FieldFault("bot", f"there is no {name!r}, expected one of {expected}")])


def parse_deck(rules: AnyRules, data: Any) -> Any:
    return None if data is None else parse(rules.setup.given_deck, data, "deck")


def parse_position(rules: AnyRules, data: Any) -> Any:
    if data is None:
        return None
    if rules.setup.position is None:
        raise no_positions_error(rules)
    return parse(rules.setup.position, data, "position")
