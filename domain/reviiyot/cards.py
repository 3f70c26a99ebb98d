"""The cards of a deck whose numbers go up to N, written value then shape: `2C`, `10H`, `QS`."""

import re
from collections.abc import Mapping
from functools import lru_cache

FACES = ("J", "Q", "K", "A")
SHAPES = "CDHS"
HAND_SIZE = 7
SET_SIZE = len(SHAPES)

HIGHEST_N = 2**31 - 1
HIGHEST_HOUSE_N = 100_000
"""A longer deck has to be given: nobody should make the house build and shuffle millions of cards."""

NUMBER = re.compile(r"[1-9][0-9]*", re.ASCII)


def value_of(card: str) -> str:
    return card[:-1]


def deck_size(n: int) -> int:
    return (n + 3) * SET_SIZE


@lru_cache(maxsize=8)
def order_of(n: int) -> Mapping[str, int]:
    """Every card of the deck with its place in ascending order (RULES 1)."""
    values = (*(str(number) for number in range(2, n + 1)), *FACES)
    return {value + shape: place * SET_SIZE + at for place, value in enumerate(values) for at, shape in enumerate(SHAPES)}


def is_card(name: str, n: str) -> bool:
    """Whether a deck up to N has this card; N in digits, because it may be too large to count to."""
    value = name[:-1]
    if not name or name[-1] not in SHAPES:
        return False
    return value in FACES or (value != "1" and NUMBER.fullmatch(value) is not None and _size(value) <= _size(n))


def _size(digits: str) -> tuple[int, str]:
    """Numbers without leading zeros compare as numbers: the longer one is the larger one."""
    return len(digits), digits


def cards(text: str) -> tuple[str, ...]:
    """Cards written with blanks between them, `cards("10H KS")`."""
    return tuple(text.split())
