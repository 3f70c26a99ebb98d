"""Records and how they are sealed and linked; docs/format.md defines every byte."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import msgspec

NO_LINK = bytes(32)
"""What stands in the place of the previous link before the first record."""


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
    """What a player keeps to prove later that the log was not changed."""

    game_id: UUID
    version: int
    link: str


def salt_of(seed: bytes, version: int) -> bytes:
    """Secret as long as the seed is, so that nobody can guess a payload from its seal."""
    inner, outer = _keyed(seed)
    inner = inner.copy()
    inner.update(b"salt" + version.to_bytes(8))
    outer = outer.copy()
    outer.update(inner.digest())
    return outer.digest()[:16]


@lru_cache(maxsize=4096)
def _keyed(seed: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """The two halves of HMAC-SHA-256, the key taken in: twice as fast as `hmac.digest` anew for every record."""
    key = seed.ljust(64, b"\0")
    return hashlib.sha256(bytes(byte ^ 0x36 for byte in key)), hashlib.sha256(bytes(byte ^ 0x5C for byte in key))


def seal_of(salt: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(salt + payload).digest()


def link_of(previous: bytes, game_id: UUID, version: int, name: str, seal: bytes) -> bytes:
    """Each part behind its length in four bytes."""
    text = name.encode()
    parts = (
        *(b"\0\0\0\x20", previous, b"\0\0\0\x10", game_id.bytes, b"\0\0\0\x08", version.to_bytes(8)),
        *(len(text).to_bytes(4), text, b"\0\0\0\x20", seal),
    )
    return hashlib.sha256(b"".join(parts)).digest()


def link_batch(
    seed: bytes, previous: bytes, game_id: UUID, version: int, written: Iterable[tuple[str, bytes]]
) -> list[Record]:
    """The records that follow on `version`, each linked to the one before."""
    records: list[Record] = []
    for name, payload in written:
        version += 1
        previous = link_of(previous, game_id, version, name, seal_of(salt_of(seed, version), payload))
        records.append(Record(game_id, version, name, payload, previous))
    return records


def first_bad_link(seed: bytes, previous: bytes, records: Sequence[Record]) -> Record | None:
    """The first record that does not follow from the one before, if there is one."""
    for record in records:
        try:
            seal = seal_of(salt_of(seed, record.version), record.payload)
            link = link_of(previous, record.game_id, record.version, record.name, seal)
        except (AttributeError, OverflowError, TypeError):
            return record  # a database may hold text where bytes or a number stood
        if record.link != link:
            return record
        previous = link
    return None
