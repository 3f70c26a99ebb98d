"""Records and how they are sealed and linked; docs/format.md defines every byte."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

NO_LINK = bytes(32)
"""What stands in the place of the previous link before the first record."""


@dataclass(frozen=True, slots=True)
class Record:
    """One stored event: the payload is kept as it was written, the link covers all that came before."""

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
    return hmac.digest(seed, b"salt" + version.to_bytes(8), "sha256")[:16]


def seal_of(salt: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(salt + payload).digest()


def link_of(previous: bytes, game_id: UUID, version: int, name: str, seal: bytes) -> bytes:
    parts = (previous, game_id.bytes, version.to_bytes(8), name.encode(), seal)
    return hashlib.sha256(b"".join(len(part).to_bytes(4) + part for part in parts)).digest()


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
        seal = seal_of(salt_of(seed, record.version), record.payload)
        if record.link != link_of(previous, record.game_id, record.version, record.name, seal):
            return record
        previous = record.link
    return None
