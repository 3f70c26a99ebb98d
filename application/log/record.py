"""What a log is made of: records, the batches they came in, and receipts for them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

import msgspec

LINK_SIZE = 32
"""In bytes."""
MOMENT_SIZE = len("2026-01-31T23:59:59.000000Z")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One stored event: the payload is kept as it was written, the link covers all that came before.

    A struct, because a frozen dataclass takes five times as long to make, and loading games makes many.
    """

    game_id: UUID
    version: int
    name: str
    payload: bytes
    link: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a player keeps to prove later that the log was not changed; as text `GAME:VERSION:LINK`."""

    game_id: UUID
    version: int
    link: str

    def __str__(self) -> str:
        return f"{self.game_id}:{self.version}:{self.link}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The receipt that was written so; ValueError if it is not one."""
        game_id, version, link = text.strip().split(":")
        if not (version.isdecimal() and int(version) and len(bytes.fromhex(link)) == LINK_SIZE):
            raise ValueError("a version is a number from 1, a link has 64 hex digits")
        return cls(UUID(game_id), int(version), bytes.fromhex(link).hex())


class Batch(msgspec.Struct, frozen=True):
    """Where the events of one command came from; stands on the batch's first record."""

    at: str
    by: str
    id: str
    command: dict[str, Any]
    rules: int
    size: int


class RawBatch(msgspec.Struct, frozen=True):
    """The same, with the command just as it is written: for those who have met it before."""

    at: str
    by: str
    id: str
    command: msgspec.Raw
    rules: int
    size: int


class Payload(msgspec.Struct, omit_defaults=True):
    """A stored payload: the event first, and on the first record of a batch where it came from."""

    event: Any
    at: str | None = None
    by: str | None = None
    id: str | None = None
    command: dict[str, Any] | None = None
    rules: int | None = None
    size: int | None = None


class DecodedRecord(msgspec.Struct, frozen=True):
    """A record that was read: its event and, on the first one of a batch, where it came from."""

    event: Any
    batch: Batch | None


def as_moment(when: datetime) -> str:
    """A time in UTC as Fairdeal writes it."""
    try:
        text: str = msgspec.to_builtins(when)  # a tenth of the time of `isoformat`, but it leaves out no microseconds
    except TypeError:
        text = ""  # a class of somebody's own, as tests that freeze time have it
    if len(text) == MOMENT_SIZE:
        return text
    return when.isoformat(timespec="microseconds").replace("+00:00", "Z")


def is_moment(text: str) -> bool:
    """Whether it is a time as Fairdeal writes it, `2026-01-31T23:59:59.000000Z`; those who read logs rely on that."""
    # Python reads times that are written in other ways, too: their signs stand elsewhere.
    if text[4:20:3] != "--T::." or text[26:] != "Z":
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
