"""What a player can do in Reviiyot."""

from dataclasses import dataclass
from functools import lru_cache

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


def asks(asker: Seat, seats: int, value: str) -> tuple[Ask, ...]:
    """Everybody else, asked for the value."""
    return tuple(ask(seat, value) for seat in range(seats) if seat != asker)


SMALL_TABLE = 64
remembered_asks = lru_cache(maxsize=2**14)(asks)
"""For small tables only: with a thousand seats the moves to remember would outgrow the cards."""
