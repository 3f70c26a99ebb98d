"""Fixtures that all tests may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal import Fairdeal


@pytest.fixture
def fairdeal(tmp_path: Path) -> Iterator[Fairdeal]:
    """Fairdeal on a SQLite file of its own."""
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as opened:
        yield opened
