"""The eight places for piles, and which card may lie on which."""

from enum import StrEnum

from fairdeal.domain.kernel.french_deck import DECK, Card


class Pile(StrEnum):
    """Four foundations beside the deck and four corners between them."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    NE = "NE"
    SE = "SE"
    SW = "SW"
    NW = "NW"


PILES = tuple(Pile)
FOUNDATIONS = PILES[:4]
CORNERS = PILES[4:]
PILE_NAMED: dict[str, Pile] = {pile.value: pile for pile in PILES}
CARD_NAMED: dict[str, Card] = {card.value: card for card in DECK}

KINGS = tuple(card for card in DECK if card.rank == 13)


def is_foundation(pile: Pile) -> bool:
    return pile in FOUNDATIONS


def follows(card: Card, top: Card) -> bool:
    """One rank lower and of the other colour (RULES 3)."""
    return card.rank == top.rank - 1 and card.is_red != top.is_red


FOLLOWERS: dict[Card, tuple[Card, ...]] = {top: tuple(card for card in DECK if follows(card, top)) for top in DECK}
"""For each card the two that may lie on it; none on an ace."""
