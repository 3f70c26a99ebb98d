"""The OpenAPI document: current, valid, and kept by the server whatever is sent to it."""

import json

from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import validate
from starlette.testclient import TestClient

from tools.openapi import TARGET, document

FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    database=None,
)


def test_the_document_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == document(), "run python -m tools.openapi"


def test_the_document_is_valid() -> None:
    validate(json.loads(document()))


def test_what_is_served_is_what_is_kept(client: TestClient) -> None:
    assert client.get("/openapi.json").json() == json.loads(document())
