"""Fair chance: draws that follow from a committed seed and the players' own sealed entropy."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from struct import Struct
from typing import TypeVar

from fairdeal.domain.kernel.fast_shuffle import below, shuffled
from fairdeal.domain.kernel.mac import Mac

T = TypeVar("T")

ALGORITHM = 1
"""Raised whenever the same seed would give other draws; docs/format.md defines the bytes."""

SEED_SIZE = 32
"""In bytes."""
NO_SHARE = bytes(32)
EIGHT_WORDS = Struct(">8I")
"""How a block of 32 bytes is read as words of 32 bits."""


def digest(data: bytes) -> str:
    """SHA-256 in hex: how a seed is committed to and how entropy is sealed."""
    return sha256(data).hexdigest()


def is_digest(text: str) -> bool:
    """Whether a text could be what `digest` gives."""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)


def share(entropy: bytes) -> bytes:
    """What a seat's entropy adds to the draws: not its seal, which everybody knows too early."""
    return sha256(b"fairdeal share\x00" + entropy).digest()


class Chance:
    """The chance of one game; every shuffle has a number of its own and is repeatable by it."""

    __slots__ = ("_mac",)

    def __init__(self, seed: bytes, game_id: bytes, shares: Sequence[bytes]) -> None:
        prefix = bytes([ALGORITHM]) + game_id + len(shares).to_bytes(2) + b"".join(shares)
        self._mac = Mac(seed, prefix)

    def _words(self, number: int) -> Iterator[int]:
        return chain.from_iterable(self._blocks(number.to_bytes(4)))

    def _blocks(self, number: bytes) -> Iterator[tuple[int, ...]]:
        counter = 0
        while True:
            yield EIGHT_WORDS.unpack(self._mac.digest(number + counter.to_bytes(4)))
            counter += 1

    def shuffle(self, number: int, cards: Sequence[T]) -> tuple[T, ...]:
        """The cards in a new order, every order equally likely (Fisher–Yates)."""
        return tuple(shuffled(cards, self._words(number)))

    def pick(self, number: int, count: int) -> int:
        """A number from 0 to count − 1, each equally likely."""
        return below(count, self._words(number))
