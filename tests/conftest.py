"""Fixtures that all tests may use; no database driver is loaded before a test asks for it."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from fairdeal import Fairdeal

# A shell that runs the tests in the background lets them ignore Ctrl-C, and the commands they start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Nothing fails because a machine is busy.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def fairdeal(tmp_path: Path) -> "Iterator[Fairdeal]":
    """Fairdeal on a SQLite file of its own."""
    from fairdeal import Fairdeal

    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The address of a real PostgreSQL server, started on first use."""
    from kits.postgres import shared_server

    return shared_server()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of an empty place on a real PostgreSQL."""
    from kits.postgres import new_schema

    return new_schema(postgres_server)
