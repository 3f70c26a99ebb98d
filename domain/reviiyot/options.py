"""What is agreed before the deal: how high the numbers go, and which seats play by a strategy."""

from dataclasses import dataclass
from enum import StrEnum

SEATS = range(2, 10_001)
"""Two or more; somewhere a house has to stop carrying chairs."""


@dataclass(frozen=True, slots=True)
class ReviiyotOptions:
    """The numbers of the deck go from 2 to n; with n = 1 there are faces only."""

    n: int = 10


class Strategy(StrEnum):
    """The four types of players, by their numbers (RULES 5)."""

    MOST_HELD = "1"
    LEAST_HELD = "2"
    HIGHEST = "3"
    LOWEST = "4"


@dataclass(frozen=True, slots=True)
class PlaysBy:
    """What a player may bring to the table: a strategy that asks for him."""

    strategy: Strategy
