"""Numbers and orders from random words of 32 bits, each equally likely: the part of `chance` that can be compiled."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar

T = TypeVar("T")

WORDS: Final = 2**32
"""So many there are."""


def shuffled(cards: Sequence[T], words: Iterator[int]) -> list[T]:
    """The cards in a new order (Fisher–Yates)."""
    order = list(cards)
    high = WORDS - len(order)
    for last, word in zip(range(len(order) - 1, 0, -1), words):  # noqa: B905  the words have no end
        # As `below`, without the call: only the highest words, one in millions, have to be looked at closely.
        chosen = word % (last + 1) if word < high else below(last + 1, chain((word,), words))
        card = order[last]
        order[last] = order[chosen]
        order[chosen] = card
    return order


def below(end: int, words: Iterator[int]) -> int:
    """A number from 0 to one less than the end."""
    # Words above the last whole multiple of the end would favour small results: they are thrown away.
    limit = WORDS - WORDS % end
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % end
