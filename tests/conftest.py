"""Fixtures that all tests may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal import Fairdeal
from postgres_kit import new_schema, shared_server


@pytest.fixture
def fairdeal(tmp_path: Path) -> Iterator[Fairdeal]:
    """Fairdeal on a SQLite file of its own."""
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The address of a real PostgreSQL server, started on first use."""
    return shared_server()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of an empty place on a real PostgreSQL."""
    return new_schema(postgres_server)
