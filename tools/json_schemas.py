"""The files docs/schema/*.json, written from the code: a JSON Schema for every stored event of every game."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.codec import stored_classes
from fairdeal.domain.kernel.rules import AnyRules

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FIRST = ("at", "by", "id", "command", "rules", "size")


def files(games: Iterable[AnyRules]) -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    for rules in games:
        yield f"{rules.kind}.json", json.dumps(schema(rules), indent=1, ensure_ascii=False) + "\n"


def schema(rules: AnyRules) -> dict[str, Any]:
    """A record of this kind of game: its stored name, and the payload that goes with it."""
    names = stored_classes(rules)
    shapes, parts = msgspec.json.schema_components(names.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": f"Stored events of {rules.title}, rules version {rules.version}",
        "description": "Written from the code by `make docs`. A record's name, and its payload as JSON.",
        "oneOf": [_record(name, shape) for name, shape in zip(names, shapes, strict=True)],
        "$defs": {"payload": _payload(), **parts},
    }


def _record(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    payload = {"allOf": [{"$ref": "#/$defs/payload"}, {"properties": {"event": shape}}]}
    return {
        "type": "object",
        "properties": {"name": {"const": name}, "payload": payload},
        "required": ["name", "payload"],
    }


def _payload() -> dict[str, Any]:
    """The event, and on the first record of a batch where the batch came from: all of that, or nothing."""
    return {
        "type": "object",
        "properties": {
            "event": {"type": "object"},
            "at": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"},
            "by": {"type": "string"},
            "id": {"type": "string"},
            "command": {"type": "object"},
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
