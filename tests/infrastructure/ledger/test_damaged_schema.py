"""A file whose schema is damaged with bytes that are not text."""

from pathlib import Path

import pytest

from fairdeal import Fairdeal
from fairdeal.application.errors import NotALedger


@pytest.mark.parametrize("read_only", [True, False])
def test_a_schema_with_bytes_that_are_not_text_is_one_clear_error(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        fairdeal.start_game("red7", ["ann", "bob"])
    data = path.read_bytes()
    assert b"CREATE TABLE stored_events" in data
    path.write_bytes(data.replace(b"CREATE TABLE stored_events", b"CREATE TAB\xb9E stored_events"))
    with pytest.raises(NotALedger, match="broken"):
        Fairdeal(f"sqlite:///{path}", read_only=read_only)
