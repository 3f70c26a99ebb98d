"""The 49 cards, written colour then number: `R7`, `V1`; and sets of them kept as bits."""

from enum import StrEnum


class Colour(StrEnum):
    """The seven colours, the strongest first; each is also a rule (RULES 2)."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    INDIGO = "indigo"
    VIOLET = "violet"


COLOURS = tuple(Colour)
LETTERS = "ROYGBIV"
NUMBERS = range(1, 8)

CardSet = int
"""A set of cards: one bit per card, a stronger card at a higher bit (RULES 1)."""


class Card(StrEnum):
    """A card knows its colour and number, its bit in a set, and the place of its colour in tables."""

    colour: Colour
    number: int
    bit: CardSet
    hue: int

    def __new__(cls, name: str) -> "Card":
        card = str.__new__(cls, name)
        card._value_ = name
        card.hue = LETTERS.index(name[0])
        card.colour = COLOURS[card.hue]
        card.number = int(name[1])
        card.bit = 1 << (7 * (card.number - 1) + 6 - card.hue)
        return card

    R1, R2, R3, R4, R5, R6, R7 = (f"R{number}" for number in NUMBERS)
    O1, O2, O3, O4, O5, O6, O7 = (f"O{number}" for number in NUMBERS)
    Y1, Y2, Y3, Y4, Y5, Y6, Y7 = (f"Y{number}" for number in NUMBERS)
    G1, G2, G3, G4, G5, G6, G7 = (f"G{number}" for number in NUMBERS)
    B1, B2, B3, B4, B5, B6, B7 = (f"B{number}" for number in NUMBERS)
    I1, I2, I3, I4, I5, I6, I7 = (f"I{number}" for number in NUMBERS)
    V1, V2, V3, V4, V5, V6, V7 = (f"V{number}" for number in NUMBERS)


DECK: tuple[Card, ...] = tuple(Card)
"""The canonical order: red, orange, yellow, green, blue, indigo, violet, one to seven in each."""

BY_NAME: dict[str, Card] = {card.value: card for card in DECK}
WEAKEST_FIRST: tuple[Card, ...] = tuple(sorted(DECK, key=lambda card: card.bit))


def set_of(cards: "tuple[Card, ...] | list[Card]") -> CardSet:
    return sum(card.bit for card in cards)


def cards_in(chosen: CardSet) -> tuple[Card, ...]:
    """The cards of a set, the strongest first."""
    found: list[Card] = []
    while chosen:
        card = WEAKEST_FIRST[chosen.bit_length() - 1]
        found.append(card)
        chosen ^= card.bit
    return tuple(found)


def strongest(chosen: CardSet) -> CardSet:
    """The strongest card of a set, as a set of its own; nothing of nothing."""
    return 1 << (chosen.bit_length() - 1) if chosen else 0


ALL = set_of(DECK)
OF_NUMBER: tuple[CardSet, ...] = tuple(set_of([c for c in DECK if c.number == number]) for number in NUMBERS)
OF_HUE: tuple[CardSet, ...] = tuple(set_of([c for c in DECK if c.hue == hue]) for hue in range(7))
EVEN = OF_NUMBER[1] | OF_NUMBER[3] | OF_NUMBER[5]
BELOW_FOUR = OF_NUMBER[0] | OF_NUMBER[1] | OF_NUMBER[2]


def cards(text: str) -> tuple[Card, ...]:
    """Cards written with spaces between them, `cards("R7 V1")`."""
    return tuple(Card(word) for word in text.split())
