"""How records are sealed and linked; docs/format.md defines every byte."""

import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from uuid import UUID

from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.chance import Mac

SALT_SIZE = 16
NO_LINK = bytes(32)
"""What stands in the place of the previous link before the first record."""

Head = tuple[int, bytes]
"""How far a game has come: the version and the link of its last record."""
NOTHING_YET: Head = (0, NO_LINK)
"""The head of a game of which nothing is stored."""

_NEW = sha256()
"""To be copied: that is quicker than asking for a new one."""
_NAMED: dict[str, bytes] = {}
"""The names of records as links have them: there are few."""
MOST_NAMES, LONGEST_NAME = 1024, 200
"""So many are remembered, if they are not longer than that: a forged log may have any."""


def salt_of(seed: bytes, version: int) -> bytes:
    """Secret as long as the seed is, so that nobody can guess a payload from its seal."""
    return hmac.digest(seed, b"salt" + version.to_bytes(8), "sha256")[:SALT_SIZE]


def seal_of(salt: bytes, payload: bytes) -> bytes:
    return sha256(salt + payload).digest()


def link_of(previous: bytes, game_id: UUID, version: int, name: str, seal: bytes) -> bytes:
    parts = (previous, game_id.bytes, version.to_bytes(8), name.encode(), seal)
    return sha256(b"".join(len(part).to_bytes(4) + part for part in parts)).digest()


class Linker:
    """The same seals and links for many records of one game: what they share is prepared once."""

    def __init__(self, seed: bytes, game_id: UUID) -> None:
        self.game_id = game_id
        self._salts = Mac(seed, b"salt")
        self._game = _sized(game_id.bytes) + (8).to_bytes(4)

    def salt(self, version: int) -> bytes:
        return self._salts.digest(version.to_bytes(8))[:SALT_SIZE]

    def link(self, previous: bytes, version: int, name: str, payload: bytes) -> bytes:
        """The link of a record that follows on one with the previous link."""
        number = version.to_bytes(8)
        # The salt as above, without the call: this is done for every record of an audit.
        inner, outer = self._salts.inner.copy(), self._salts.outer.copy()
        inner.update(number)
        outer.update(inner.digest())
        seal, link = _NEW.copy(), _NEW.copy()
        seal.update(outer.digest()[:SALT_SIZE] + payload)
        named = _NAMED.get(name) or _named(name)
        link.update(b"\0\0\0\x20" + previous + self._game + number + named + seal.digest())
        return link.digest()

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
    link = (linker_of(seed, game_id) if len(records) == 1 else Linker(seed, game_id)).link
    for record in records:
        try:
            fits = record.link == link(previous, record.version, record.name, record.payload)
        except (AttributeError, OverflowError, TypeError, UnicodeEncodeError):
            return record  # a database may hold text where bytes or a number stood
        if not fits:
            return record
        previous = record.link
    return None
