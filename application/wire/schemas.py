"""JSON Schemas (2020-12) of all that goes in and out of one kind of game, made from its rules."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fairdeal.application.commands.messages import COMMANDS
from fairdeal.application.log.codec import stored_classes
from fairdeal.application.wire.decoding import view_type
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.domain.kernel.rules import AnyRules

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"
RECEIPT = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[1-9][0-9]*:[0-9a-f]{64}$"

Schema = dict[str, Any]
NULL: Schema = {"type": "null"}
TEXT: Schema = {"type": "string"}
SEAT: Schema = {"type": "integer", "minimum": 0}
VERSION: Schema = {"type": "integer", "minimum": 1}
TIME: Schema = {"type": "string", "pattern": MOMENT}
GAME: Schema = {"type": "string", "format": "uuid"}


def kind_schema(rules: AnyRules, ref_template: str = "#/$defs/{name}") -> Schema:
    """What can be said to and heard of this kind of game, each under its name in `$defs`.

    `move`, `options`, `asked_options`, `brought`, `deck`, `position` and `command` go in; `move`, `options`, `view`,
    `event`, `look`, `answer` and `frame` come out. The others are parts of those.
    """

    def ref(name: str) -> Schema:
        return {"$ref": ref_template.format(name=name)}

    given: dict[str, Any] = {
        "options": rules.setup.options,
        "brought": rules.setup.brings or type(None),
        "deck": rules.setup.given_deck,
        "position": rules.setup.position or type(None),
        "view": view_type(rules),
        "outcome": Outcome | None,
        "phase": Phase,
    }
    stored = stored_classes(rules)
    types = (*given.values(), *rules.stored.moves.values(), *stored.values())
    shapes, found = msgspec.json.schema_components(types, ref_template=ref_template)
    parts: dict[str, Schema] = {name: _closed(part) for name, part in found.items()}
    # Where a type is used as such it is a part of its own; what else it may be (a union, a list) is written here.
    named = dict(zip(given, shapes, strict=False))
    moves = dict(zip(rules.stored.moves, shapes[len(given) :], strict=False))
    events = dict(zip(stored, shapes[len(given) + len(moves) :], strict=True))

    def part_of(shape: Schema) -> Schema:
        before, after = ref_template.split("{name}")
        name: str = shape["$ref"]
        return parts[name.removeprefix(before).removesuffix(after)]

    defs: dict[str, Schema] = {
        **named,
        **{f"move.{name}": _move(name, part_of(shape)) for name, shape in moves.items()},
        "move": _one_of("move", {name: ref(f"move.{name}") for name in moves}),
        "asked_options": _asked_options(rules, part_of(named["options"])),
        **{f"event.{name}": _event(name, shape) for name, shape in events.items()},
        "event": _one_of("name", {name: ref(f"event.{name}") for name in events}),
        "look": _look(rules, ref),
        "answer": _object(game=GAME, version=VERSION, events=_list(ref("event")), receipt=_receipt()),
        "frame": _frame(ref),
    }
    commands = {name: _command(rules, name, cls.model_json_schema(), ref) for name, cls in COMMANDS.items()}
    defs |= {f"command.{name}": schema for name, schema in commands.items()}
    defs["command"] = _one_of("command", {name: ref(f"command.{name}") for name in commands})
    return {
        "$schema": DIALECT,
        "title": f"{rules.title}, rules version {rules.version}",
        "description": "What goes in and out of this kind of game as JSON; written from the code.",
        "$defs": {**defs, **parts},
    }


def schema_of(bundle: Schema, name: str) -> Schema:
    """One schema of a bundle, complete in itself."""
    return {"$schema": DIALECT, "$ref": f"#/$defs/{name}", "$defs": bundle["$defs"]}


def _closed(part: Schema) -> Schema:
    """Nobody may send what nothing asks for, and nobody is shown what is not announced."""
    return {**part, "additionalProperties": False} if "properties" in part else part


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, NULL]}


def _receipt() -> Schema:
    return {"type": "string", "pattern": RECEIPT}


def _one_of(key: str, refs: Mapping[str, Schema]) -> Schema:
    """One of several objects, told apart by one of their fields."""
    mapping = {name: ref["$ref"] for name, ref in refs.items()}
    return {"oneOf": list(refs.values()), "discriminator": {"propertyName": key, "mapping": mapping}}


def _move(name: str, part: Schema) -> Schema:
    return {
        **part,
        "properties": {"move": {"const": name}, **part["properties"]},
        "required": ["move", *part.get("required", [])],
    }


def _asked_options(rules: AnyRules, part: Schema) -> Schema:
    """The name of a preset, or fields on top of one; nothing is what the first preset says."""
    names: Schema = {"enum": list(rules.setup.presets)}
    fields = {name: {**field} for name, field in part["properties"].items()}
    for field in fields.values():
        field.pop("default", None)  # what is left out comes from the preset
    wishes = {"type": "object", "properties": {"preset": names, **fields}, "additionalProperties": False}
    return {"anyOf": [names, wishes, NULL]}


def _event(name: str, shape: Schema) -> Schema:
    return _object(version=VERSION, name={"const": name}, event=shape, line=TEXT, at=TIME, by=TEXT)


Ref = Callable[[str], Schema]


def _look(rules: AnyRules, ref: Ref) -> Schema:
    seats = _list(SEAT)
    return _object(
        game=GAME,
        kind={"const": rules.kind},
        version=VERSION,
        phase=ref("phase"),
        options=ref("options"),
        opener=TEXT,
        players=_list(TEXT),
        names=_list(TEXT),
        seat=_or_null(SEAT),
        active=seats,
        view=_or_null(ref("view")),
        legal=_list(ref("move")),
        legal_total={"type": "integer", "minimum": 0},
        outcome=ref("outcome"),
        clock=_or_null({"type": "object"}),
        rated={"type": "boolean"},
        spectators=TEXT,
        commitment={"type": "string", "pattern": "^[0-9a-f]{64}$"},
        seed=_or_null({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
        receipt=_receipt(),
    )


def _frame(ref: Ref) -> Schema:
    place = _object(name=TEXT, seat=_or_null(SEAT), cards={"type": "array"})
    return _object(
        game=GAME,
        version={"type": "integer", "minimum": 0},
        at=_or_null(TIME),
        by=_or_null(TEXT),
        line=TEXT,
        event=_or_null(ref("event")),
        view=_or_null(ref("view")),
        places=_list(place),
        outcome=ref("outcome"),
    )


def _command(rules: AnyRules, name: str, model: Schema, ref: Ref) -> Schema:
    """A command as its model says, with what this kind of game puts into it."""
    properties: dict[str, Schema] = {"command": {"const": name}, **model["properties"]}
    own = {
        "kind": {"const": rules.kind},
        "options": ref("asked_options"),
        "brings": _or_null(ref("brought")),
        "deck": _or_null(ref("deck")),
        "position": _or_null(ref("position")),
        "move": ref("move"),
    }
    for key, schema in own.items():
        if key not in properties:
            continue
        # Who starts for everybody says of each player what they bring.
        by_player = properties[key].get("additionalProperties") is True
        properties[key] = {"type": "object", "additionalProperties": schema} if by_player else schema
    return {**model, "properties": properties, "required": ["command", *model.get("required", [])]}
