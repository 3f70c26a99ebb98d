"""The files docs/schema/*.json, written from the code: what every game stores, and what goes in and out as JSON."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.codec import stored_classes
from fairdeal.application.wire.schemas import DIALECT, MOMENT, kind_schema
from fairdeal.domain.kernel.lifecycle import Spectators, TableClock
from fairdeal.domain.kernel.rules import AnyRules

FIRST = ("at", "by", "id", "command", "rules", "size")
TEXT = {"type": "string"}
ID = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
SEAL = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
ENTROPY = {"type": "string", "pattern": "^([0-9a-f]{2}){16,64}$"}

Shape = dict[str, Any]


def files(games: Iterable[AnyRules]) -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    for rules in games:
        yield f"{rules.kind}.json", _text(schema(rules))
        yield f"{rules.kind}.wire.json", _text(kind_schema(rules))


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def schema(rules: AnyRules) -> dict[str, Any]:
    """A record of this kind of game: its stored name, and the payload that goes with it."""
    names = stored_classes(rules)
    setup = rules.setup
    own = {"options": setup.options, "brings": setup.brings, "deck": setup.given_deck, "position": setup.position}
    given = {**own, "clock": TableClock, "spectators": Spectators}
    given = {key: wanted for key, wanted in given.items() if wanted is not None}
    asked = [*names.values(), *given.values(), *rules.stored.moves.values()]
    found, parts = msgspec.json.schema_components(asked, ref_template="#/$defs/{name}")
    shapes = iter(found)
    events = [(name, next(shapes)) for name in names]
    fields = {key: next(shapes) for key in given}
    moves = [_move(name, parts.pop(_part(next(shapes)))) for name in rules.stored.moves]
    return {
        "$schema": DIALECT,
        "title": f"Stored events and commands of {rules.title}, rules version {rules.version}",
        "description": "Written from the code by `make docs`. A record's name, and its payload as JSON.",
        "oneOf": [_record(name, shape) for name, shape in events],
        "$defs": {"payload": _payload([*_commands(rules.kind, fields), *moves]), **parts},
    }


def _part(shape: Shape) -> str:
    name: str = shape["$ref"].rpartition("/")[2]
    return name


def _move(name: str, fields: Shape) -> Shape:
    return _object({"move": {"const": name}, **fields["properties"]}, fields["required"])


def _commands(kind: str, given: dict[str, Shape]) -> Iterator[Shape]:
    """Every other command as it is stored; what is not given is left out."""
    of_this_kind = {"kind": {"const": kind}, "options": given["options"]}
    start: Shape = {key: given[key] for key in ("deck", "position") if key in given}
    brings: Shape = {key: given[key] for key in ("brings",) if key in given}
    each_brings: Shape = {key: {"type": "object", "additionalProperties": shape} for key, shape in brings.items()}
    players: Shape = {"players": {"type": "array", "items": TEXT}}
    clock, watched = {"clock": given["clock"]}, {"spectators": given["spectators"]}
    rated: Shape = {"rated": {"type": "boolean"}}
    yield _do("open_game", of_this_kind, {**clock, **rated, **watched})
    yield _do("quick_start", {**of_this_kind, **players}, {**each_brings, **start, **clock, **rated, **watched})
    yield _do("branch_game", {"origin": ID, "version": {"type": "integer", "minimum": 1}})
    yield _do("join_game", {}, {**brings, "seal": SEAL})
    yield _do("add_bot", {"bot": TEXT}, brings)
    yield _do("start_game", {}, start)
    yield _do("reveal_entropy", {"entropy": ENTROPY})
    yield _do("leave_game", {"reason": TEXT})
    yield _do("abandon_game", {"reason": TEXT})
    yield _do("claim_timeout", {"seat": {"type": "integer", "minimum": 0}})
    yield _do("void_game", {"reason": TEXT})


def _do(name: str, fields: Shape, optional: Shape | None = None) -> Shape:
    return _object({"do": {"const": name}, **fields, **(optional or {})}, fields)


def _object(properties: Shape, required: Iterable[str]) -> Shape:
    named = next(iter(properties))
    return {
        "type": "object",
        "properties": properties,
        "required": [named, *required],
        "additionalProperties": False,
    }


def _record(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    payload = {"allOf": [{"$ref": "#/$defs/payload"}, {"properties": {"event": shape}}]}
    return {
        "type": "object",
        "properties": {"name": {"const": name}, "payload": payload},
        "required": ["name", "payload"],
    }


def _payload(commands: list[Shape]) -> dict[str, Any]:
    """The event, and on the first record of a batch where the batch came from: all of that, or nothing."""
    return {
        "type": "object",
        "properties": {
            "event": {"type": "object"},
            "at": {"type": "string", "pattern": MOMENT},
            "by": {"type": "string"},
            "id": {"type": "string"},
            "command": {"anyOf": commands},
            "rules": {"type": "integer", "minimum": 1},
            "size": {"type": "integer", "minimum": 1},
        },
        "required": ["event"],
        "dependentRequired": {key: [other for other in FIRST if other != key] for key in FIRST},
        "additionalProperties": False,
    }


def main(folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files(KINDS.values()):
        (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
