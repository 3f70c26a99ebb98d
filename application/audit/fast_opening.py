"""Whether a quick start is stored as it is stored today, and the game that it opens, without sending it once more.

Of all that such a command says, only the options need the rules to look at them, and there are few that anybody plays
by. Options that `must_be_canonical` has let pass are remembered by their bytes; what else the command says is plain.
"""

from functools import lru_cache
from typing import Any

import msgspec

from fairdeal.application.commands.messages import LONGEST_TEXT
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import RawBatch

MOST_OPTIONS, LONGEST_OPTIONS = 256, 2000
"""So many options of a kind of game are remembered, if they are not longer than that, in bytes."""


class PlainQuickStart(msgspec.Struct, forbid_unknown_fields=True):
    """A quick start that brings nothing and asks for nothing unusual, in the order in which its fields are stored."""

    do: str
    kind: str
    options: msgspec.Raw
    players: list[str]


_DECODE = msgspec.json.Decoder(PlainQuickStart).decode
_ENCODE = msgspec.json.Encoder().encode


def plain_quick_start(kind: str, raw: RawBatch) -> PlainQuickStart | None:
    """A quick start that is as it should be if its options are; None if it is not, or is another command."""
    try:
        said = _DECODE(raw.command)
    except msgspec.MsgspecError:
        return None
    if said.do != "quick_start" or said.kind != kind:
        return None
    for text in (raw.by, raw.id, *said.players):
        if not 0 < len(text) <= LONGEST_TEXT:
            return None
    return said if _ENCODE(said) == bytes(raw.command) else None


def remember(known: dict[bytes, Any], said: PlainQuickStart, options: Any) -> None:
    """`must_be_canonical` has let this quick start pass as it is written, and the game has made these options of it."""
    stored = bytes(said.options)
    if len(stored) <= LONGEST_OPTIONS:
        if len(known) >= MOST_OPTIONS:
            known.clear()
        known[stored] = options


@lru_cache(maxsize=64)
def known_options(codec: Codec, kind: str) -> dict[bytes, Any]:
    """The options that are remembered, for these rules."""
    return {}
