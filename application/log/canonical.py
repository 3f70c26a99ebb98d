"""The one way to write JSON into a log, and how a newer program reads what an older one wrote (ADR 40)."""

from collections.abc import Sequence
from typing import Any, NoReturn, cast

import msgspec

FRAMES = (["event"], ["event", "at", "by", "id", "command", "rules", "size"])
"""The keys of a payload: of any record, and of the first one of a batch."""


def _no_fraction(text: str) -> NoReturn:
    raise ValueError(text)


_READER = msgspec.json.Decoder(dict[str, Any], float_hook=_no_fraction)
_WRITER = msgspec.json.Encoder()


def is_canonical(payload: bytes) -> bool:
    """Whether the bytes are JSON as Fairdeal writes it: no key twice, no spaces, no fractions, no needless escapes.

    It takes no class to say so: records of unknown games and newer programs are written in the same way.
    """
    try:
        decoded = _READER.decode(payload)
        return [*decoded] in FRAMES and _WRITER.encode(decoded) == payload
    except (ValueError, RecursionError):  # what is not JSON, or not text, is a ValueError, too
        return False


def is_same_but_for_new_keys(stored: Any, written: Any) -> bool:
    """Whether the stored data are the written ones, in the same order, with some keys of objects left out.

    A newer program fills in what an older one did not know; what it does not know itself is never left out.
    """
    match stored:
        case dict():
            if not isinstance(written, dict):
                return False
            old, new = cast("dict[str, Any]", stored), cast("dict[str, Any]", written)
            in_order = [*old] == [key for key in new if key in old]
            return in_order and all(is_same_but_for_new_keys(value, new[key]) for key, value in old.items())
        case list() | tuple():
            if not isinstance(written, list | tuple):
                return False
            old_ones, new_ones = cast("Sequence[Any]", stored), cast("Sequence[Any]", written)
            return len(old_ones) == len(new_ones) and all(map(is_same_but_for_new_keys, old_ones, new_ones))
        case _:
            return type(stored) is type(written) and stored == written  # to Python, `true` is also 1


def bytes_of(text: str) -> bytes:
    """The bytes that were written so; ValueError for any other way to write them."""
    found = bytes.fromhex(text)
    if found.hex() != text:
        raise ValueError("not lower case hex")
    return found
