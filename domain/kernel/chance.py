"""Fair chance: draws that follow from a committed seed and the players' own sealed entropy."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

ALGORITHM = 1
"""Raised whenever the same seed would give other draws; docs/format.md defines the bytes."""

NO_SHARE = bytes(32)
EIGHT_WORDS = Struct(">8I")
"""How a block of 32 bytes is read as words of 32 bits."""


def digest(data: bytes) -> str:
    """SHA-256 in hex: how a seed is committed to and how entropy is sealed."""
    return hashlib.sha256(data).hexdigest()


def share(entropy: bytes) -> bytes:
    """What a seat's entropy adds to the draws: not its seal, which everybody knows too early."""
    return hashlib.sha256(b"fairdeal share\x00" + entropy).digest()


class Chance:
    """The chance of one game; every shuffle has a number of its own and is repeatable by it."""

    __slots__ = ("_mac",)

    def __init__(self, seed: bytes, game_id: bytes, shares: Sequence[bytes]) -> None:
        # What all draws of a game have in common is fed in once; each block goes on from a copy.
        prefix = bytes([ALGORITHM]) + game_id + len(shares).to_bytes(2) + b"".join(shares)
        self._mac = hmac.new(seed, prefix, "sha256")

    def _words(self, number: int) -> Iterator[int]:
        counter = 0
        while True:
            mac = self._mac.copy()
            mac.update(number.to_bytes(4) + counter.to_bytes(4))
            yield from EIGHT_WORDS.unpack(mac.digest())
            counter += 1

    def shuffle(self, number: int, cards: Sequence[T]) -> tuple[T, ...]:
        """The cards in a new order, every order equally likely (Fisher–Yates)."""
        words = self._words(number)
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            chosen = _below(last + 1, words)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def pick(self, number: int, count: int) -> int:
        """A number from 0 to count − 1, each equally likely."""
        return _below(count, self._words(number))


def _below(count: int, words: Iterator[int]) -> int:
    # Words above the last whole multiple of count would favour small results: they are thrown away.
    limit = 2**32 - 2**32 % count
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % count
