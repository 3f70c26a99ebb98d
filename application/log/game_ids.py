"""The ids of games: whoever simulates games makes many, and loads no more than this for it."""

from uuid import UUID, uuid5

NAMESPACE = UUID("6f0c7a52-5d0e-5bb8-9c39-3f1f6f0d6a11")
"""Game ids are made in this namespace from who opens the game and the command's id."""


def game_id_of(opener: str, command_id: str) -> UUID:
    """The id of the game that this player opens by this command; docs/format.md defines it."""
    return uuid5(NAMESPACE, f"{len(opener)}:{opener}:{command_id}")
