"""The border: plain data from outside becomes the game's own types, or an error that names each field."""

import json
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import msgspec
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.domain.kernel.rules import AnyRules


@cache
def _adapter(wanted: Any) -> TypeAdapter[Any]:
    # Inside a tuple the configuration reaches standard-library dataclasses, which cannot carry one themselves.
    wrapped: Any = types.GenericAlias(tuple, (wanted,))
    return TypeAdapter(wrapped, config=ConfigDict(extra="forbid", strict=True))


def parse(wanted: Any, data: Any, what: str) -> Any:
    """Strict: no unknown field, no number given as text. Values of the wanted type pass as they are."""
    if isinstance(wanted, type) and isinstance(data, wanted):
        return data
    try:
        text = json.dumps([data])
    except (TypeError, ValueError) as error:
        raise InvalidCommand(what, [FieldFault(what, f"cannot be written as JSON ({error})")]) from None
    try:
        return _adapter(wanted).validate_json(text)[0]
    except ValidationError as error:
        raise InvalidCommand(what, [fault_of(fault) for fault in error.errors()]) from None


def fault_of(fault: ErrorDetails) -> FieldFault:
    where = ".".join(str(part) for part in fault["loc"] if part != 0 or len(fault["loc"]) == 1)
    message = "unknown field" if fault["type"] == "unexpected_keyword_argument" else fault["msg"]
    return FieldFault(where if where not in ("", "0") else "value", message)


def plain(value: Any) -> Any:
    """A domain value as what JSON can say."""
    return msgspec.to_builtins(value)


def parse_move(rules: AnyRules, data: Any) -> Any:
    """A move as `{"move": name, …}`: the class by its name, every field checked."""
    if type(data) in rules.moves.values():
        return data
    known = ", ".join(sorted(rules.moves))
    if not isinstance(data, Mapping):
        raise InvalidCommand("move", [FieldFault("move", f'expected an object like {{"move": one of {known}}}')])
    fields = dict(cast("Mapping[str, Any]", data))
    name = fields.pop("move", None)
    if not isinstance(name, str) or name not in rules.moves:
        raise InvalidCommand(
            "move", [FieldFault("move", f"{rules.title} has no move {name!r}, expected one of {known}")]
        )
    return parse(rules.moves[name], fields, f"move {name!r}")


def move_to_plain(rules: AnyRules, move: Any) -> dict[str, Any]:
    """The same move as it comes from outside and is stored."""
    return {"move": move_name(rules, move), **plain(move)}


def move_name(rules: AnyRules, move: Any) -> str:
    return next(name for name, cls in rules.moves.items() if cls is type(move))


def parse_options(rules: AnyRules, data: Any) -> Any:
    """Options from nothing (the first preset), a preset's name, or fields on top of a preset."""
    presets = rules.presets
    if data is None:
        return next(iter(presets.values()))
    if isinstance(data, rules.options):
        return data
    fields: dict[str, Any] = {"preset": data} if isinstance(data, str) else dict(data)
    preset = fields.pop("preset", next(iter(presets)))
    if preset not in presets:
        expected = ", ".join(presets)
        raise InvalidCommand("options", [FieldFault("preset", f"there is no {preset!r}, expected one of {expected}")])
    return parse(rules.options, {**plain(presets[preset]), **fields}, "options")


def parse_brought(rules: AnyRules, data: Any) -> Any:
    return data if data is None or rules.brings is None else parse(rules.brings, data, "brings")


def parse_deck(rules: AnyRules, data: Any) -> Any:
    return None if data is None else parse(rules.given_deck, data, "deck")


def parse_position(rules: AnyRules, data: Any) -> Any:
    return data if data is None or rules.position is None else parse(rules.position, data, "position")
