"""The cards of a deck whose numbers go up to N, written value then shape: `2C`, `10H`, `QS`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

FACES = ("J", "Q", "K", "A")
SHAPES = "CDHS"
HAND_SIZE = 7
SET_SIZE = len(SHAPES)

HIGHEST_N = 2**31 - 1
SMALL = 1000
"""A few packs up to this N are kept, whether anybody plays with them or not."""
HIGHEST_HOUSE_N = 100_000
"""A longer deck has to be given: nobody should make the house build and shuffle millions of cards."""

NUMBER = re.compile(r"[1-9][0-9]*", re.ASCII)


def value_of(card: str) -> str:
    return card[:-1]


def deck_size(n: int) -> int:
    return (n + 3) * SET_SIZE


@dataclass(frozen=True, slots=True)
class Pack:
    """All cards of a deck in ascending order, and the place of each: four places for every value (RULES 1)."""

    n: int
    values: tuple[str, ...] = field(compare=False)
    cards: tuple[str, ...] = field(compare=False)
    places: Mapping[str, int] = field(compare=False)


def pack_of(n: int) -> Pack:
    """The pack; a large one takes many megabytes, so it lives only as long as a game is played with it."""
    return _small_pack(n) if n <= SMALL else _new_pack(n)


@lru_cache(maxsize=4)
def _small_pack(n: int) -> Pack:
    return _new_pack(n)


def _new_pack(n: int) -> Pack:
    values = (*map(str, range(2, n + 1)), *FACES)
    cards = tuple(value + shape for value in values for shape in SHAPES)
    return Pack(n, values, cards, {card: place for place, card in enumerate(cards)})


NO_PACK = Pack(0, (), (), {})
"""Before the deal nobody knows whether N is small enough for its cards to be counted."""


def is_card(name: str, n: str) -> bool:
    """Whether a deck up to N has this card; N in digits, because it may be too large to count to."""
    value = name[:-1]
    if not name or name[-1] not in SHAPES:
        return False
    return value in FACES or (value != "1" and NUMBER.fullmatch(value) is not None and _size(value) <= _size(n))


def _size(digits: str) -> tuple[int, str]:
    """Numbers without leading zeros compare as numbers: the longer one is the larger one."""
    return len(digits), digits
