"""Fixtures for tests that run on every database."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty ledger that several processes can use."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    return str(request.getfixturevalue("postgres"))
