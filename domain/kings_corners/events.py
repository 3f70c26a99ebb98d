"""What can happen in Kings Corners."""

from dataclasses import dataclass
from functools import cache

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kings_corners.cards import Pile


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in its order: seven cards per seat, one per foundation, the rest to draw from."""

    shuffle: int
    seats: int
    deck: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class PositionLaid:
    """A position set up by hand; piles in the order N E S W NE SE SW NW, bottom card first."""

    hands: tuple[tuple[Card | None, ...], ...]
    piles: tuple[tuple[Card, ...], ...]
    deck: tuple[Card | None, ...]
    turn: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    seat: Seat
    card: Card
    pile: Pile


@dataclass(frozen=True, slots=True)
class PileMoved:
    seat: Seat
    source: Pile
    target: Pile
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The card is its owner's secret."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class NothingDrawn:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnPassed:
    to: Seat


# Nearly every turn says the same as many before: each of these events is made once.
card_played = cache(CardPlayed)
card_drawn = cache(CardDrawn)
nothing_drawn = cache(NothingDrawn)
turn_passed = cache(TurnPassed)

EVENTS: dict[str, type] = {
    "cards_dealt.v1": CardsDealt,
    "position_laid.v1": PositionLaid,
    "card_played.v1": CardPlayed,
    "pile_moved.v1": PileMoved,
    "card_drawn.v1": CardDrawn,
    "nothing_drawn.v1": NothingDrawn,
    "turn_passed.v1": TurnPassed,
}
