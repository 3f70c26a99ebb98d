"""Fingerprints of records: two lists of records have the same one only if they are the same, byte for byte."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec

from fairdeal.application.log.record import Record

_ENCODE = msgspec.msgpack.Encoder().encode
"""MessagePack says of each value its type and its length: no two lists of values are written alike."""
UNWRITABLE = (TypeError, ValueError, OverflowError)
"""What a database may hold in the place of a number or a text, and no record can."""
NONE = b""
"""In the place of the fingerprint of records that have none; no other is the same."""


class Fingerprint(msgspec.Struct, gc=False):
    """Of the records of one game, as they come; a hundred thousand of them are kept at once."""

    records: int = 0
    """So many were added."""
    _digest: Any = msgspec.field(default_factory=sha256)
    broken: bool = False
    """Whether something was met that cannot be part of a good game."""

    def add(self, records: Iterable[Record]) -> None:
        """Goes on by records that follow; how many come at once makes no difference."""
        try:
            written = [_ENCODE((one.version, one.name, one.payload, one.link)) for one in records]
        except UNWRITABLE:
            self.broken = True
            return
        self._digest.update(b"".join(written))
        self.records += len(written)

    def digest(self) -> bytes:
        return NONE if self.broken else self._digest.digest()

    def is_of(self, records: int, digest: bytes) -> bool:
        """Whether the records were these, as somebody else has met them."""
        return not self.broken and self.records == records and self._digest.digest() == digest


def fingerprint_of(records: Iterable[Record]) -> bytes:
    """The fingerprint of all these records."""
    found = Fingerprint()
    found.add(records)
    return found.digest()
