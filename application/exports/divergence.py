"""Where two logs part, as each of them shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from fairdeal.application.exports.format import RecordLine
from fairdeal.application.log.record import Record

Shown = Record | RecordLine
"""A record as it was stored, or as a redacted export shows it."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first record in which two logs differ, as each of them shows it; None where one of them has ended."""

    version: int
    one: Shown | None
    other: Shown | None


def divergence(one: Sequence[Shown], other: Sequence[Shown]) -> Divergence | None:
    """Where two logs part, or None if they are the same."""
    for version, (left, right) in enumerate(zip_longest(one, other), 1):
        if left is None or right is None or not _is_same(left, right):
            return Divergence(version, left, right)
    return None


def _is_same(left: Shown, right: Shown) -> bool:
    """Whether they say the same; that they stand in different games is no difference by itself."""
    if (left.version, left.name, _link(left)) != (right.version, right.name, _link(right)):
        return False
    payloads = _payload(left), _payload(right)
    return None in payloads or payloads[0] == payloads[1]  # what is closed is proved by the link


def _link(shown: Shown) -> str:
    link = shown.link
    return link if isinstance(link, str) else link.hex()


def _payload(shown: Shown) -> bytes | None:
    payload = shown.payload
    return payload.encode() if isinstance(payload, str) else payload
