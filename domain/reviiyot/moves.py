"""What a player can do in Reviiyot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from fairdeal.domain.kernel.lifecycle import Seat


@dataclass(frozen=True, slots=True)
class Ask:
    """Seat and value are what the player named; whether there is such a seat or value, the rules say."""

    seat: Seat
    value: str


Move = Ask

MOVES: dict[str, type[Move]] = {"ask": Ask}


@lru_cache(maxsize=2**16)
def ask(seat: Seat, value: str) -> Ask:
    """The same move again: a list of legal moves holds hundreds at a table with many cards."""
    return Ask(seat, value)


SMALL_TABLE = 64
"""So many seats at most: with a thousand the moves to remember would outgrow the cards."""


@lru_cache(maxsize=2**14)
def asks(asker: Seat, seats: int, value: str) -> tuple[Ask, ...]:
    """Everybody else at a small table, asked for the value."""
    return tuple(ask(seat, value) for seat in range(seats) if seat != asker)


class AsksAtALargeTable(Sequence[Ask]):
    """The same for several values, each ask made when somebody looks at it: a thousand seats have thousands."""

    __slots__ = ("_asker", "_others", "_values")

    def __init__(self, asker: Seat, seats: int, values: Iterable[str]) -> None:
        self._asker = asker
        self._others = seats - 1
        self._values = tuple(values)

    def __len__(self) -> int:
        return self._others * len(self._values)

    @overload
    def __getitem__(self, index: int) -> Ask: ...
    @overload
    def __getitem__(self, index: slice) -> list[Ask]: ...
    def __getitem__(self, index: int | slice) -> Ask | list[Ask]:
        places = range(len(self))[index]
        return self._at(places) if isinstance(places, int) else [self._at(place) for place in places]

    def _at(self, place: int) -> Ask:
        value, other = divmod(place, self._others)
        return ask(other + (other >= self._asker), self._values[value])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)  # pyright: ignore[reportUnknownArgumentType]

    __hash__ = None  # type: ignore[assignment]
