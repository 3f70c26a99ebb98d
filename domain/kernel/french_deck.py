"""The 52 cards of the French deck, written rank then suit: `10H`, `KS`."""

from enum import StrEnum

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")


class Card(StrEnum):
    """A card knows its rank (A = 1 … K = 13), its suit and its colour."""

    rank: int
    suit: str
    is_red: bool

    def __new__(cls, name: str) -> "Card":
        card = str.__new__(cls, name)
        card._value_ = name
        card.rank = RANKS.index(name[:-1]) + 1
        card.suit = name[-1]
        card.is_red = card.suit in "DH"
        return card

    AC, C2, C3, C4, C5, C6, C7, C8, C9, C10, JC, QC, KC = (f"{rank}C" for rank in RANKS)
    AD, D2, D3, D4, D5, D6, D7, D8, D9, D10, JD, QD, KD = (f"{rank}D" for rank in RANKS)
    AH, H2, H3, H4, H5, H6, H7, H8, H9, H10, JH, QH, KH = (f"{rank}H" for rank in RANKS)
    AS, S2, S3, S4, S5, S6, S7, S8, S9, S10, JS, QS, KS = (f"{rank}S" for rank in RANKS)


DECK: tuple[Card, ...] = tuple(Card)
"""The canonical order: clubs, diamonds, hearts, spades, ace to king in each."""


def cards(text: str) -> tuple[Card, ...]:
    """Cards written with spaces between them, `cards("10H KS")`."""
    return tuple(Card(word) for word in text.split())
