"""HMAC-SHA256 of many messages with one key, for chance and for the links of records; it can be compiled."""

from hashlib import sha256
from typing import Final

_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
"""What HMAC does to its key, as translation tables."""

# A hash's methods, looked up once: compiled code would search for their names at each call.
_HASH = type(sha256())
copy: Final = _HASH.copy
update: Final = _HASH.update
digest: Final = _HASH.digest


class Mac:
    """HMAC-SHA256 of many messages with one key and one beginning, which are worked in only once.

    The `hmac` module, asked for one message after the other, takes twice as long.
    """

    __slots__ = ("inner", "outer")

    def __init__(self, key: bytes, prefix: bytes) -> None:
        block = (key if len(key) <= 64 else sha256(key).digest()).ljust(64, b"\0")
        self.inner = sha256(block.translate(_INNER) + prefix)
        self.outer = sha256(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        inner, outer = copy(self.inner), copy(self.outer)
        update(inner, message)
        update(outer, digest(inner))
        return digest(outer)
