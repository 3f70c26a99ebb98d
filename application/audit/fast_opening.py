"""Whether a quick start is stored as it is stored today, found out without sending it once more.

Of all that such a command says, only the options need the rules to look at them, and there are few that anybody plays
by. Options that `must_be_canonical` has let pass are remembered by their bytes; what else the command says is plain.
"""

from functools import lru_cache

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


def plain_quick_start(kind: str, raw: RawBatch) -> bytes | None:
    """The options of a quick start that is as it should be if they are; None if it is not, or is another command."""
    try:
        said = _DECODE(raw.command)
    except msgspec.MsgspecError:
        return None
    texts = (raw.by, raw.id, *said.players)
    is_plain = said.do == "quick_start" and said.kind == kind and all(0 < len(text) <= LONGEST_TEXT for text in texts)
    return bytes(said.options) if is_plain and _ENCODE(said) == bytes(raw.command) else None


def remember(known: set[bytes], options: bytes | None) -> None:
    """`must_be_canonical` has let a quick start with these options pass."""
    if options is not None and len(options) <= LONGEST_OPTIONS:
        if len(known) >= MOST_OPTIONS:
            known.clear()
        known.add(options)


@lru_cache(maxsize=64)
def known_options(codec: Codec, kind: str) -> set[bytes]:
    """The options that are remembered, for these rules."""
    return set()
