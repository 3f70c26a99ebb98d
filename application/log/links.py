"""How records are sealed and linked; docs/format.md defines every byte."""

import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import pbkdf2_hmac, sha256
from struct import Struct
from typing import Final
from uuid import UUID

from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.mac import Mac, copy, digest, update

SALT_SIZE, DIGEST_SIZE = 16, 32
"""In bytes."""
NO_LINK = bytes(32)
"""What stands in the place of the previous link before the first record."""

Head = tuple[int, bytes]
"""How far a game has come: the version and the link of its last record."""
NOTHING_YET: Head = (0, NO_LINK)
"""The head of a game of which nothing is stored."""

_FIRST_HALVES: Final = Struct(f"{SALT_SIZE}s{DIGEST_SIZE - SALT_SIZE}x")
_NEW: Final = sha256()
"""To be copied: that is quicker than asking for a new one."""
_NAMED: Final[dict[str, bytes]] = {}
"""The names of records as links have them: there are few."""
MOST_NAMES, LONGEST_NAME = 1024, 200
"""So many are remembered, if they are not longer than that: a forged log may have any."""


def salt_of(seed: bytes, version: int) -> bytes:
    """Secret as long as the seed is, so that nobody can guess a payload from its seal."""
    return hmac.digest(seed, b"salt" + version.to_bytes(8), "sha256")[:SALT_SIZE]


def first_salts(seed: bytes, versions: int) -> list[bytes]:
    """The salts of the first versions of a game, each at its version: made at once, in less than half the time."""
    # PBKDF2 of one round is, block after block, the HMAC of what it calls its salt and of the number of the block. That
    # counts from 1 and has four bytes: the last four of a version.
    blocks = pbkdf2_hmac("sha256", seed, b"salt" + bytes(4), 1, versions * DIGEST_SIZE)
    return [b"", *[salt for (salt,) in _FIRST_HALVES.iter_unpack(blocks)]]


def seal_of(salt: bytes, payload: bytes) -> bytes:
    return sha256(salt + payload).digest()


def link_of(previous: bytes, game_id: UUID, version: int, name: str, seal: bytes) -> bytes:
    parts = (previous, game_id.bytes, version.to_bytes(8), name.encode(), seal)
    return sha256(b"".join(len(part).to_bytes(4) + part for part in parts)).digest()


class Linker:
    """The same seals and links for many records of one game: what they share is prepared once."""

    def __init__(self, seed: bytes, game_id: UUID, first: int = 0) -> None:
        """`first` says of how many records, from the first one on, the links will be asked for."""
        self.game_id = game_id
        self._seed = seed
        self._salts: list[bytes] = first_salts(seed, first) if first else []
        self._mac: Mac | None = None
        self._game = _sized(game_id.bytes) + (8).to_bytes(4)

    def salt(self, version: int) -> bytes:
        return self._salts[version] if 0 < version < len(self._salts) else self._later_salt(version.to_bytes(8))

    def _later_salt(self, number: bytes) -> bytes:
        mac = self._mac
        if mac is None:
            mac = self._mac = Mac(self._seed, b"salt")
        return mac.digest(number)[:SALT_SIZE]

    def link(self, previous: bytes, version: int, name: str, payload: bytes) -> bytes:
        """The link of a record that follows on one with the previous link."""
        number = version.to_bytes(8)
        # The salt as above, without the call: this is done for every record of an audit.
        salts = self._salts
        salt = salts[version] if 0 < version < len(salts) else self._later_salt(number)
        seal = copy(_NEW)
        update(seal, salt + payload)
        named = _NAMED.get(name) or _named(name)
        link = copy(_NEW)
        update(link, b"\0\0\0\x20" + previous + self._game + number + named + digest(seal))
        return digest(link)

    def batch(self, previous: bytes, version: int, written: Iterable[tuple[str, bytes]]) -> list[Record]:
        """The records that follow on `version`, each linked to the one before."""
        game_id, link = self.game_id, self.link
        records: list[Record] = []
        for name, payload in written:
            version += 1
            previous = link(previous, version, name, payload)
            records.append(Record(game_id, version, name, payload, previous))
        return records


@lru_cache(maxsize=1024)
def linker_of(seed: bytes, game_id: UUID) -> Linker:
    """Those of the games that were used last are kept."""
    return Linker(seed, game_id)


def _sized(part: bytes) -> bytes:
    return len(part).to_bytes(4) + part


def _named(name: str) -> bytes:
    """What stands in a link between the number of a record and its seal, remembered by the name."""
    named = _sized(name.encode()) + (32).to_bytes(4)
    if len(name) <= LONGEST_NAME:
        if len(_NAMED) >= MOST_NAMES:
            _NAMED.clear()
        _NAMED[name] = named
    return named


def link_batch(
    seed: bytes, previous: bytes, game_id: UUID, version: int, written: Iterable[tuple[str, bytes]]
) -> list[Record]:
    """The records that follow on `version`, each linked to the one before."""
    return linker_of(seed, game_id).batch(previous, version, written)


def first_bad_link(seed: bytes, previous: bytes, records: Sequence[Record]) -> Record | None:
    """The first record that does not follow from the one before, if there is one."""
    if not records:
        return None
    game_id = records[0].game_id
    # Who reads many records at once is done with the game after that; a walk by position comes back to it.
    if len(records) == 1:
        linker = linker_of(seed, game_id)
    else:
        linker = Linker(seed, game_id, len(records) if records[0].version == 1 else 0)
    for record in records:
        try:
            wanted = linker.link(previous, record.version, record.name, record.payload)
        except (AttributeError, OverflowError, TypeError, UnicodeEncodeError):
            return record  # a database may hold text where bytes or a number stood
        if record.link != wanted:
            return record
        previous = wanted
    return None
