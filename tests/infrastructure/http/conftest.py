"""The app on a ledger of its own, and two people with accounts."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.http import create_app
from kits.http import Person, person


@pytest.fixture
def app(fairdeal: Fairdeal) -> Starlette:
    """As `fairdeal serve` runs it; apps that are mounted share their loop, in `test_mounting.py` and elsewhere."""
    return create_app(fairdeal, own_loop=True)


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, client=("127.0.0.1", 50000)) as opened:
        yield opened


@pytest.fixture
def ann(client: TestClient) -> Person:
    return person(client, "Ann")


@pytest.fixture
def bob(client: TestClient) -> Person:
    return person(client, "Bob")
