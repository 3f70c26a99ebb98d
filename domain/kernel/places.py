"""Where the cards of a game are when everything lies open."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat


@dataclass(frozen=True, slots=True)
class Place:
    """One place with all its cards, face up or not; a card's `str` is what players call it."""

    name: str
    """As a player would say it: hand, deck, palette."""
    seat: Seat | None
    """Whose it is; None for what belongs to nobody."""
    cards: tuple[Any, ...]

    def told(self, names: tuple[str, ...]) -> str:
        """The place with its owner, `hand of ann`."""
        return self.name if self.seat is None else f"{self.name} of {names[self.seat]}"


def cards_in(places: Iterable[Place]) -> list[Any]:
    """All cards, wherever they are."""
    return [card for place in places for card in place.cards]
