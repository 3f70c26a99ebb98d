"""What a person has at home: a ledger of their own, and entropy that is still sealed."""

import os
from pathlib import Path


def data_folder() -> Path:
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "fairdeal"


def home_ledger() -> str:
    """The ledger that is meant if nobody names one: `fairdeal play` begins it."""
    return f"sqlite:///{data_folder() / 'games.db'}"


def make_room(address: str) -> None:
    """Before a ledger is made: the folder at home is ours, any other must be there."""
    if address == home_ledger():
        data_folder().mkdir(parents=True, exist_ok=True)
