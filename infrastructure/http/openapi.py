"""The OpenAPI 3.1 document, made from the register of operations and the registered kinds of games."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fairdeal.application.projections.results import Conduct, names_of
from fairdeal.application.wire.schemas import DIALECT, kind_schema
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.http.operations import LEAVING, Operation, Schema, ref
from fairdeal.infrastructure.http.problems import PROBLEM
from fairdeal.infrastructure.http.routes.games import SENT

IN_PATH = re.compile(r"\{(\w+)\}")
PATHS: dict[str, Schema] = {
    "game": {"type": "string", "format": "uuid"},
    "version": {"type": "integer", "minimum": 0, "maximum": 2**53},
    "receipt": {"type": "string", "pattern": "^[1-9][0-9]{0,14}:[0-9a-f]{64}$"},
}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
MAYBE: Schema = {"type": ["string", "null"]}
ALWAYS = (401, 429, 500, 503)
"""Any request may carry a bad token, be one too many, or come when the database is out of reach."""


def openapi_document(operations: Iterable[tuple[str, Operation]], kinds: Mapping[str, AnyRules]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for prefix, operation in operations:
        paths.setdefault(prefix + operation.path, {})[operation.method.lower()] = _operation(operation, list(kinds))
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {
            "title": "Fairdeal",
            "version": version("fairdeal"),
            "summary": "Card games you can replay, audit and prove fair.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {**_shared(kinds), **_of_kinds(kinds)},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "fairdeal_session"},
            },
        },
    }


def _operation(operation: Operation, kinds: list[str]) -> dict[str, Any]:
    method, path = operation.method.lower(), operation.path
    known = {**PATHS, "kind": {"enum": kinds}}
    told: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "_", f"{method}{path}").strip("_"),
        "summary": operation.summary,
        "security": [{"token": []}, {"cookie": []}] if operation.needs_caller else [{}, {"token": []}, {"cookie": []}],
        "responses": _responses(operation),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": known.get(name, {**TEXT, "minLength": 1})}
        for name in IN_PATH.findall(path)
    ]
    parameters += [
        {
            "name": one.name,
            "in": one.place,
            "schema": {"kind": known["kind"]}.get(one.name, one.schema),
            "description": one.description,
        }
        for one in operation.parameters
    ]
    if parameters:
        told["parameters"] = parameters
    if operation.body is not None:
        body = _with_kinds(operation.body, known["kind"])
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return told


def _with_kinds(body: Schema, kinds: Schema) -> Schema:
    """What is asked for, with the kinds of games that there are."""
    fields: dict[str, Schema] = body.get("properties", {})
    return {**body, "properties": {**fields, "kind": kinds}} if "kind" in fields else body


def _responses(operation: Operation) -> dict[str, Any]:
    done: dict[str, Any] = {"description": HTTPStatus(operation.status).phrase}
    if operation.answer is not None:
        done["content"] = {operation.media_type: {"schema": operation.answer}}
    if operation.headers:
        done["headers"] = {name: {"description": text, "schema": TEXT} for name, text in operation.headers.items()}
    responses = {str(operation.status): done}
    changes = (403, 408, 413, 415) if operation.changes else ()
    for status in sorted({*operation.errors, *ALWAYS, *changes, 421}):
        responses[str(status)] = {"description": HTTPStatus(status).phrase}
        if status >= 400:
            responses[str(status)]["content"] = {PROBLEM: {"schema": ref("Problem")}}
    return responses


def _object(*optional: str, **properties: Schema) -> Schema:
    required = [name for name in properties if name not in optional]
    told: Schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return told


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _of_kinds(kinds: Mapping[str, AnyRules]) -> dict[str, Schema]:
    """The schemas of each kind under its own name."""
    found: dict[str, Schema] = {}
    for kind, rules in kinds.items():
        defs: dict[str, Schema] = kind_schema(rules, f"#/components/schemas/{kind}.{{name}}")["$defs"]
        found |= {f"{kind}.{name}": schema for name, schema in defs.items() if not name.startswith("command")}
    return found


def _shared(kinds: Mapping[str, AnyRules]) -> dict[str, Schema]:
    def any_kind(name: str) -> Schema:
        return {"anyOf": [ref(f"{kind}.{name}") for kind in kinds]}

    seats = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}
    summary = {"kind": TEXT, "title": TEXT, "seats": seats, "presets": _list(TEXT), "bots": _list(TEXT)}
    account = {"player": TEXT, "display_name": TEXT}
    verdict = _object(grade=TEXT, why=TEXT, record={"type": ["integer", "null"]})
    statistics = _object(
        kind=TEXT,
        player=TEXT,
        **dict.fromkeys(("played", "won", "drawn", "lost", "abandoned", "broken_off", "streak", "best_streak"), WHOLE),
        average_moves=NUMBER,
        average_seconds=NUMBER,
        last_at=TEXT,
    )
    rating = {"kind": TEXT, "player": TEXT, "rank": WHOLE, "rating": NUMBER, "mu": NUMBER, "sigma": NUMBER}
    rating |= {"games": WHOLE, "last_at": TEXT}
    conduct = _object(**dict.fromkeys(names_of(Conduct), WHOLE))
    return {
        "Problem": _object(
            type=TEXT,
            title=TEXT,
            status=WHOLE,
            code=TEXT,
            detail=TEXT,
            errors=_list(_object(field=TEXT, message=TEXT)),
        ),
        "KindSummary": _object(**summary),
        "Kind": _object(**summary, preset_options={"type": "object"}, schemas={"type": "object"}),
        "Account": _object(**account),
        "AccountWithToken": _object(**account, token={"type": "string", "pattern": "^fd1_[A-Za-z0-9_-]{43}$"}),
        "Look": any_kind("look"),
        "Answer": any_kind("answer"),
        "Frame": any_kind("frame"),
        "Move": any_kind("move"),
        "Events": _object(version=WHOLE, events=_list(any_kind("event"))),
        "Command": _commands(),
        "Line": _object(version=WHOLE, at=TEXT, by=TEXT, line=TEXT),
        "Report": _object(
            game=TEXT,
            kind=TEXT,
            records=WHOLE,
            good={"type": "boolean"},
            untouched=verdict,
            fair=verdict,
            legal=verdict,
        ),
        "ReceiptFound": _object(receipt=TEXT, good={"type": "boolean"}),
        "GameSummary": {
            "type": "object",
            "properties": {
                **dict.fromkeys(("game", "kind", "opener", "phase", "commitment", "opened_at", "last_at"), TEXT),
                **dict.fromkeys(("players", "names", "turn", "winners"), _list(TEXT)),
                **dict.fromkeys(("free_seats", "moves", "version"), WHOLE),
                **dict.fromkeys(("started_at", "ended_at", "reason", "seed"), MAYBE),
                "rated": {"type": "boolean"},
                "scores": _list(WHOLE),
            },
            "required": ["game", "kind", "phase", "players", "names", "version"],
        },
        "Rating": _object(**rating, display_name=TEXT),
        "Player": _object(
            **account,
            statistics=_list(statistics),
            ratings=_list(_object(**rating)),
            conduct=conduct,
            rating_steps=_list(_object(kind=TEXT, games=WHOLE, at=TEXT, rating=NUMBER)),
        ),
        "TimelineEntry": _object(
            **dict.fromkeys(("game", "kind", "event", "at", "by", "player", "line"), TEXT),
            position=WHOLE,
            version=WHOLE,
        ),
    }


def _commands() -> Schema:
    """A command as outsiders send it: who acts, where and on which version stands elsewhere."""
    reason: Schema = {"enum": list(LEAVING)}
    fields: dict[str, tuple[tuple[str, ...], dict[str, Schema]]] = {
        "join_game": (("brings", "seal"), {"brings": {}, "seal": MAYBE}),
        "add_bot": (("brings",), {"bot": {"type": "string", "minLength": 1}, "brings": {}}),
        "start_game": (("deck", "position"), {"deck": {}, "position": {}}),
        "reveal_entropy": ((), {"entropy": {"type": "string", "pattern": "^([0-9a-f]{2}){16,64}$"}}),
        "make_move": ((), {"move": ref("Move")}),
        "leave_game": (("reason",), {"reason": reason}),
        "abandon_game": (("reason",), {"reason": reason}),
        "claim_timeout": ((), {"seat": {"type": "integer", "minimum": 0}}),
    }
    return {"oneOf": [_object(*fields[name][0], command={"const": name}, **fields[name][1]) for name in SENT]}
