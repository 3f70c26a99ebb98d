"""How the cards of Pardon rank, what may be played on what, and hands as sets of cards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from fairdeal.domain.kernel.french_deck import DECK, Card

ACE, TWO, THREE, SEVEN, EIGHT, TEN = 1, 2, 3, 7, 8, 10

RANKS = (*range(2, 14), ACE)
"""The ranks as the kernel numbers them, from low to high: here the ace is the highest card."""

HEIGHT: dict[int, int] = {rank: height for height, rank in enumerate(RANKS)}

ON_ANYTHING = (TWO, THREE, TEN)


def beats(rank: int, top: int | None) -> bool:
    """Whether a rank may be played on an effective top (RULES 3)."""
    if top is None or top == TWO or rank in ON_ANYTHING:
        return True
    if top == SEVEN:
        return HEIGHT[rank] < HEIGHT[SEVEN]
    return HEIGHT[rank] > HEIGHT[top]


def effective_top(table: Sequence[Card]) -> int | None:
    """The rank to beat: of the topmost card that is not a 3 (RULES 3)."""
    for card in reversed(table):
        if card.rank != THREE:
            return card.rank
    return None


SORTED: tuple[Card, ...] = tuple(sorted(DECK, key=lambda card: (HEIGHT[card.rank], card.suit)))
"""All cards as a player sorts them: by rank, then clubs, diamonds, hearts, spades."""

CARD: dict[str, Card] = {card.value: card for card in SORTED}

CardSet = int
"""A set of cards with one bit for each: that makes hands quick to copy, to count and to search for a rank."""

BIT: dict[str, CardSet] = {card: 1 << at for at, card in enumerate(SORTED)}


def as_set(cards: Iterable[Card]) -> CardSet:
    together = 0
    for card in cards:
        together |= BIT[card]
    return together


def as_cards(together: CardSet) -> tuple[Card, ...]:
    """The cards of a set, sorted."""
    return tuple(card for card in SORTED if together & BIT[card])


OF_RANK: dict[int, CardSet] = {rank: as_set(card for card in DECK if card.rank == rank) for rank in RANKS}

BEATING: dict[int | None, tuple[CardSet, ...]] = {
    top: tuple(OF_RANK[rank] for rank in RANKS if beats(rank, top)) for top in (None, *RANKS)
}
"""For each effective top the ranks that may be played on it, each as the set of its four cards."""

ALLOWED: dict[int | None, CardSet] = {top: sum(ranks) for top, ranks in BEATING.items()}
"""For each effective top all cards that may be played on it."""


@dataclass(frozen=True, slots=True)
class Equals:
    """One to four different cards of one rank, in the order in which they were named, and as a set."""

    cards: tuple[Card, ...]
    together: CardSet


EQUALS: dict[tuple[str, ...], Equals] = {
    cards: Equals(cards, as_set(cards))
    for rank in RANKS
    for count in (1, 2, 3, 4)
    for cards in permutations(as_cards(OF_RANK[rank]), count)
}
"""Every way to name cards that may be played together: a play is looked up in here instead of taken apart."""
