"""What is agreed before the deal: how high the numbers go, and which seats play by a strategy."""

from dataclasses import dataclass
from enum import StrEnum

from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.reviiyot.cards import HIGHEST_N
from fairdeal.domain.reviiyot.refusals import Refusal

SEATS = range(2, 10_001)
"""Two or more; somewhere a house has to stop carrying chairs."""

HIGHEST_USUAL_N = 1000
"""With more than 250 seats it is four for each: twice as many cards as are dealt."""


@dataclass(frozen=True, slots=True)
class ReviiyotOptions:
    """The numbers of the deck go from 2 to n; with n = 1 there are faces only."""

    n: int = 10


PRESETS: dict[str, ReviiyotOptions] = {"classic": ReviiyotOptions(10), "short": ReviiyotOptions(8)}


class Strategy(StrEnum):
    """The four types of players, by their numbers (RULES 5)."""

    MOST_HELD = "1"
    LEAST_HELD = "2"
    HIGHEST = "3"
    LOWEST = "4"


@dataclass(frozen=True, slots=True)
class PlaysBy:
    """What a player may bring to the table: a strategy that asks for them."""

    strategy: Strategy


def check_options(options: ReviiyotOptions) -> None:
    if not 1 <= options.n <= HIGHEST_N:
        raise refusal(Refusal.BAD_N, f"The highest number of the deck is 1 to {HIGHEST_N}, not {options.n}.")


def check_brought(options: ReviiyotOptions, brought: PlaysBy | None) -> None:
    if brought is not None and brought.strategy not in tuple(Strategy):
        raise refusal(Refusal.BAD_STRATEGY, f"The strategies are {', '.join(Strategy)}, not {brought.strategy!r}.")


def brought_such_as(options: ReviiyotOptions) -> tuple[PlaysBy, ...]:
    return tuple(PlaysBy(strategy) for strategy in Strategy)
