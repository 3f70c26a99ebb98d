"""Which games there are, their rules, and the schemas of what goes in and out."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from fairdeal.application.commands.validation import plain
from fairdeal.application.errors import UnknownKind
from fairdeal.application.wire.schemas import DIALECT, kind_schema
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.http.calls import Call, Reply
from fairdeal.infrastructure.http.operations import Operation, Schema, ref
from fairdeal.infrastructure.http.problems import not_found_error

SHOWN = ("move", "options", "asked_options", "brought", "deck", "position", "view", "event", "look", "answer", "frame")
PUBLIC = {"cache-control": "public, max-age=300"}


def rules_of(kinds: Mapping[str, AnyRules], kind: str) -> AnyRules:
    if kind not in kinds:
        raise UnknownKind(f"There is no game {kind!r}; there are {', '.join(sorted(kinds))}.")
    return kinds[kind]


def described(rules: AnyRules) -> dict[str, Any]:
    return {
        "kind": rules.kind,
        "title": rules.title,
        "seats": [rules.seats[0], rules.seats[-1]],
        "presets": list(rules.setup.presets),
        "bots": list(rules.bots),
    }


def list_kinds(call: Call) -> Reply:
    return Reply([described(rules) for rules in call.backend.fairdeal.kinds.values()], headers=PUBLIC)


def show_kind(call: Call) -> Reply:
    rules = rules_of(call.backend.fairdeal.kinds, call.path("kind"))
    presets = {name: plain(options) for name, options in rules.setup.presets.items()}
    more = {"preset_options": presets, "schemas": _schemas(_Same(rules))}
    return Reply({**described(rules), **more}, headers=PUBLIC)


def show_rules(call: Call) -> Reply:
    rules = rules_of(call.backend.fairdeal.kinds, call.path("kind"))
    # Rules stand beside the code that decides by them, also those of games from outside.
    module = sys.modules.get(rules.play.decide.__module__)
    file = Path(getattr(module, "__file__", None) or "").with_name("RULES.md")
    if not file.is_file():
        raise not_found_error()
    return Reply(file.read_bytes(), headers=PUBLIC, media_type="text/markdown; charset=utf-8")


class _Same:
    """Rules as a key: they hold mappings, so they cannot be hashed themselves."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.rules is self.rules


@cache
def _schemas(same: _Same) -> dict[str, Schema]:
    """Each schema complete in itself, with the parts that it needs and no others."""
    defs: dict[str, Schema] = kind_schema(same.rules)["$defs"]
    return {name: complete(name, defs) for name in SHOWN}


def complete(name: str, defs: Mapping[str, Schema]) -> Schema:
    top = defs[name]
    while set(top) == {"$ref"}:
        top = defs[_named(top["$ref"])]
    needed: dict[str, Schema] = {}
    _gather(top, defs, needed)
    return {"$schema": DIALECT, **top, **({"$defs": needed} if needed else {})}


def _gather(part: Any, defs: Mapping[str, Schema], needed: dict[str, Schema]) -> None:
    if isinstance(part, list):
        for inner in cast("Sequence[Any]", part):
            _gather(inner, defs, needed)
    elif isinstance(part, dict):
        said = cast("dict[str, Any]", part)
        found = said.get("$ref")
        if isinstance(found, str) and _named(found) not in needed:
            needed[_named(found)] = defs[_named(found)]
            _gather(defs[_named(found)], defs, needed)
        for inner in said.values():
            _gather(inner, defs, needed)


def _named(reference: str) -> str:
    return reference.removeprefix("#/$defs/")


OPERATIONS = (
    Operation(
        "GET", "/kinds", "All kinds of games.", list_kinds, answer={"type": "array", "items": ref("KindSummary")}
    ),
    Operation("GET", "/kinds/{kind}", "One kind, with its schemas.", show_kind, answer=ref("Kind"), errors=(404,)),
    Operation(
        "GET",
        "/kinds/{kind}/rules",
        "The rules as Markdown.",
        show_rules,
        answer={"type": "string"},
        errors=(404,),
        media_type="text/markdown",
    ),
)
