"""The ids of games: whoever simulates games makes many, and loads no more than this for it."""

from hashlib import sha1
from uuid import UUID, uuid5

NAMESPACE = UUID("6f0c7a52-5d0e-5bb8-9c39-3f1f6f0d6a11")
"""Game ids are made in this namespace from who opens the game and the command's id."""

_FREE, _VERSION_5 = UUID("ffffffff-ffff-0fff-3fff-ffffffffffff").int, UUID("00000000-0000-5000-8000-000000000000").int
"""Of the bits of an id, those that say what it is of, and those that say what sort of id it is."""


def game_id_of(opener: str, command_id: str) -> UUID:
    """The id of the game that this player opens by this command; docs/format.md defines it."""
    return uuid5(NAMESPACE, f"{len(opener)}:{opener}:{command_id}")


def is_id_of(game_id: UUID, opener: str, command_id: str) -> bool:
    """Whether `game_id_of` gives this id; in half the time, because no id is made."""
    name = f"{len(opener)}:{opener}:{command_id}".encode()
    found = int.from_bytes(sha1(NAMESPACE.bytes + name, usedforsecurity=False).digest()[:16])
    return game_id.int == found & _FREE | _VERSION_5
