"""Requests that nobody thought of, made from the OpenAPI document: nothing is the server's fault, all is as documented.

A few for each operation here, always the same ones; `make fuzz-http` sends many more, each time others.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from fairdeal import Fairdeal
from fairdeal.http import Limits, create_app
from kits.http import Person, person, play_to_the_end, running, started_game

pytestmark = pytest.mark.xdist_group("fuzz")

EXAMPLES = int(os.environ.get("FAIRDEAL_FUZZ_EXAMPLES", "0"))
"""So many more for each operation; without it a few that are always the same."""
Configuration: Any = SchemathesisConfig  # its own types are not complete
DOCUMENT: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[3] / "docs" / "openapi.json").read_text(encoding="utf-8")
)["paths"]
OPERATIONS = [(method.upper(), path) for path, methods in DOCUMENT.items() for method in methods]
MANY = Limits(requests_per_second_of_address=1e9, requests_per_second_of_token=1e9, accounts_per_minute=1e9)
CONFIG = {
    "checks": {
        # A schema cannot say everything that is wrong: moves of another game, cursors of another page, stale versions.
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", "412", "422", "429"],
        }
    }
}


class Server:
    """An app with two games on it: one that goes on, and one that is over."""

    def __init__(self, client: httpx2.Client, schema: Any) -> None:
        self.client = client
        self.schema = schema
        people = person(client, "Ann"), person(client, "Bob")
        self.running = started_game(*people)
        self.over = started_game(*people)
        play_to_the_end(self.over, *people)

    def somebody(self) -> Person:
        return person(self.client, "Cleo")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("fuzz") / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal, running(create_app(fairdeal, limits=MANY, own_loop=True)) as client:
        document = str(client.base_url.join("/openapi.json"))
        yield Server(client, schemathesis.openapi.from_url(document, config=Configuration.from_dict(CONFIG)))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_whatever_is_asked_the_answer_is_one_that_is_documented(server: Server, method: str, path: str) -> None:
    operation: Any = server.schema[path][method]
    somebody = server.somebody()
    rng = Random(f"{method} {path}")

    def ask(case: Any) -> None:
        if case.path_parameters and "game" in case.path_parameters and _is_positive(case):
            games = [server.over] if path.endswith("/stream") else [server.over, server.running]
            case.path_parameters["game"] = rng.choice([*games, case.path_parameters["game"]])
        if case.query and "wait" in case.query:
            case.query["wait"] = 0
        headers = somebody.headers if rng.random() < 0.7 else {}
        case.call_and_validate(headers=headers)

    cases: st.SearchStrategy[Any] = st.one_of(
        [operation.as_strategy(generation_mode=mode) for mode in modes(operation)]
    )
    hurried = settings(
        max_examples=EXAMPLES or 25,
        derandomize=not EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    hurried(given(case=cases)(ask))()


def modes(operation: Any) -> list[GenerationMode]:
    """Where nothing can be said there is nothing to say wrongly."""
    return (
        list(GenerationMode)
        if operation.body or operation.query or operation.path_parameters
        else [GenerationMode.POSITIVE]
    )


def _is_positive(case: Any) -> bool:
    return case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
