"""The OpenAPI document: current, valid, and what the server sends fits it."""

import json
import re
from contextlib import nullcontext
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate
from starlette.applications import Starlette
from starlette.testclient import TestClient

from fairdeal.application.errors import InvalidCommand
from fairdeal.infrastructure.http.calls import Call
from fairdeal.infrastructure.http.heads import RequestHead
from fairdeal.infrastructure.http.operations import KEY
from kits.http import API, Person, play_to_the_end, started_game
from tools.openapi import TARGET, document


def test_the_document_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == document(), "run python -m tools.openapi"


def test_the_document_is_valid() -> None:
    validate(json.loads(document()))


def test_what_is_served_is_what_is_kept(client: TestClient) -> None:
    assert client.get("/openapi.json").json() == json.loads(document())


@pytest.mark.parametrize("kind", ["red7", "kings_corners"])
def test_what_the_server_sends_fits_the_document(client: TestClient, ann: Person, bob: Person, kind: str) -> None:
    told = json.loads(document())
    game = started_game(ann, bob, kind=kind)
    look = play_to_the_end(game, ann, bob) if kind == "red7" else ann.look(game)
    values = {"kind": kind, "game": game, "player": ann.player, "version": "4", "receipt": f"1:{'0' * 64}"}
    assert look["version"] > 4
    for path, methods in told["paths"].items():
        if "get" not in methods or path.endswith(("/stream", "/latest")):
            continue
        address = path.format(**values)
        answer = client.get(address, headers=ann.headers)
        assert answer.status_code == 200, (address, answer.text)
        ((media_type, described),) = methods["get"]["responses"]["200"]["content"].items()
        assert answer.headers["content-type"].partition(";")[0] == media_type
        if media_type == "application/json":
            _must_fit(answer.json(), described["schema"], told)
    refused = client.get(f"{API}/games?limit=0")
    _must_fit(refused.json(), {"$ref": "#/components/schemas/Problem"}, told)


def _must_fit(value: Any, schema: dict[str, Any], told: dict[str, Any]) -> None:
    jsonschema.validate(value, {**schema, "components": told["components"]})


def test_the_document_says_which_keys_are_taken(app: Starlette) -> None:
    """Of all that a header can hold; a server hands on no spaces before or after it."""
    for sign in map(chr, range(256)):
        for key in (f"a{sign}b", sign * 2):
            head = RequestHead({"headers": [(b"idempotency-key", key.strip(" ").encode("latin-1"))]})
            refused = pytest.raises(InvalidCommand)
            with nullcontext() if re.search(KEY.schema["pattern"], key.strip(" ")) else refused:
                assert Call(app.state.backend, head, b"").key() == key.strip(" ")
