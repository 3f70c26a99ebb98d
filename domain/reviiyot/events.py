"""What can happen in Reviiyot; cards are written as in RULES 1."""

from dataclasses import dataclass
from functools import lru_cache

from fairdeal.domain.kernel.lifecycle import Seat


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in its order: seven cards to each seat in turn, the rest to draw from."""

    shuffle: int
    deck: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class PositionLaid:
    """A position set up by hand with cards of a deck up to n, after some turns; all other cards are out."""

    n: int
    hands: tuple[tuple[str | None, ...], ...]
    deck: tuple[str | None, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class CardsAsked:
    """A turn begins: everybody hears who asks whom for what."""

    seat: Seat
    asked: Seat
    value: str


@dataclass(frozen=True, slots=True)
class CardsGiven:
    """All cards of the value change hands; everybody sees how many, the two of them see which."""

    seat: Seat
    to: Seat
    value: str
    cards: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """The cards are their owner's secret."""

    seat: Seat
    cards: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class SetDiscarded:
    """All four cards of the value leave the game for good."""

    seat: Seat
    value: str


# Turns say the same as many before: at a small table hardly any of these events is made twice. Of an ask the player
# named the seat, and True is not 1.
cards_asked = lru_cache(maxsize=2**12, typed=True)(CardsAsked)
cards_drawn = lru_cache(maxsize=2**12)(CardsDrawn)
set_discarded = lru_cache(maxsize=2**12)(SetDiscarded)

EVENTS: dict[str, type] = {
    "cards_dealt.v1": CardsDealt,
    "position_laid.v1": PositionLaid,
    "cards_asked.v1": CardsAsked,
    "cards_given.v1": CardsGiven,
    "cards_drawn.v1": CardsDrawn,
    "set_discarded.v1": SetDiscarded,
}
