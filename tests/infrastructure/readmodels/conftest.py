"""A Fairdeal on SQLite and one on PostgreSQL: what is said of read models holds on both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal import Fairdeal
from kits.postgres import new_schema, shared_server
from kits.readmodels import Ticking

BOTH = ("sqlite", "postgresql")


@pytest.fixture(params=BOTH)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}" if request.param == "sqlite" else new_schema(shared_server())


@pytest.fixture
def both(address: str) -> Iterator[Fairdeal]:
    """On SQLite, then on PostgreSQL, with a clock that ticks once per command."""
    with Fairdeal(address, clock=Ticking()) as opened:
        yield opened


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    """A place for other read models."""
    return f"sqlite:///{tmp_path / 'elsewhere.db'}"
