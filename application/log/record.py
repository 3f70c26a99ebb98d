"""What a log is made of: records, the batches they came in, and receipts for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self, overload
from uuid import UUID

import msgspec

LINK_SIZE = 32
"""In bytes."""
SHORT, MOST_REMEMBERED = 100, 1000
"""Payloads of so many bytes are remembered, and so many of them."""
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


class LedgerPage(Sequence[tuple[int, Record]]):
    """Records with their positions in the ledger. As pairs, thousands of them would set the garbage collector going."""

    __slots__ = ("_positions", "_records")

    def __init__(self, positions: Sequence[int], records: Sequence[Record]) -> None:
        self._positions = positions
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        return zip(self._positions, self._records, strict=True)

    @overload
    def __getitem__(self, at: int) -> tuple[int, Record]: ...
    @overload
    def __getitem__(self, at: slice) -> "LedgerPage": ...
    def __getitem__(self, at: int | slice) -> "tuple[int, Record] | LedgerPage":
        if isinstance(at, slice):
            return LedgerPage(self._positions[at], self._records[at])
        return self._positions[at], self._records[at]


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


class BatchSize(msgspec.Struct, gc=False):
    """Of the first record of a batch only how many there are; nothing of all others."""

    size: int | None = None


class Payload(msgspec.Struct, omit_defaults=True):
    """A stored payload: the event first, and on the first record of a batch where it came from."""

    event: Any
    at: str | None = None
    by: str | None = None
    id: str | None = None
    command: dict[str, Any] | None = None
    rules: int | None = None
    size: int | None = None


class LaterPayload(msgspec.Struct, gc=False):
    """A stored payload that begins no batch."""

    event: Any


class CommandSort(msgspec.Struct, frozen=True, gc=False):
    """Of a command only whether it is a move."""

    move: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class PublicPayload(msgspec.Struct, frozen=True, gc=False):
    """A stored payload as read models need it: of its command nothing is made but when it came and who sent it."""

    event: Any
    at: str | None = None
    by: str | None = None
    id: str | None = None
    command: CommandSort | None = None
    rules: int | None = None
    size: int | None = None


class RememberedPayloads(dict[bytes, PublicPayload]):
    """Payloads of one name by their bytes: half of all say what others have said, such as whose turn it is."""

    def __init__(self, decoder: msgspec.json.Decoder[PublicPayload]) -> None:
        super().__init__()
        self._decode = decoder.decode

    def __missing__(self, stored: bytes) -> PublicPayload:
        payload = self._decode(stored)
        if payload.size is None and len(stored) <= SHORT:  # those that begin a batch are never the same
            if len(self) >= MOST_REMEMBERED:
                self.clear()
            self[stored] = payload
        return payload


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


def moment_of(text: str) -> datetime | None:
    """The time that Fairdeal has written so, `2026-01-31T23:59:59.000000Z`; None for all other texts."""
    # Python reads times that are written in other ways, too: their signs stand elsewhere.
    if text[4:20:3] != "--T::." or text[26:] != "Z":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def is_moment(text: str) -> bool:
    """Whether it is a time as Fairdeal writes it; those who read logs rely on that."""
    return moment_of(text) is not None
