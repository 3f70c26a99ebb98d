"""What each of the seven rules counts, card by card (RULES 2)."""

from collections.abc import Callable

from fairdeal.domain.red7.cards import BELOW_FOUR, EVEN, OF_HUE, OF_NUMBER, CardSet, Colour, strongest

Rank = int
"""How well a palette does by a rule: the size of its set, then the strongest card in it; 0 is nothing."""


def rank_of(qualifying: CardSet) -> Rank:
    return qualifying.bit_count() << 6 | qualifying.bit_length()


def highest_card(palette: CardSet) -> CardSet:
    return strongest(palette)


def most_of_one_number(palette: CardSet) -> CardSet:
    return max((palette & group for group in OF_NUMBER), key=rank_of)


def most_of_one_colour(palette: CardSet) -> CardSet:
    return max((palette & group for group in OF_HUE), key=rank_of)


def most_even_cards(palette: CardSet) -> CardSet:
    return palette & EVEN


def most_different_colours(palette: CardSet) -> CardSet:
    return sum(strongest(palette & group) for group in OF_HUE)


def most_in_a_row(palette: CardSet) -> CardSet:
    best = run = 0
    for group in OF_NUMBER:
        # A number that is missing ends the run; of the cards of one number only the strongest counts.
        card = strongest(palette & group)
        run = run | card if card else 0
        best = max(best, run, key=rank_of)
    return best


def most_below_four(palette: CardSet) -> CardSet:
    return palette & BELOW_FOUR


QUALIFYING: dict[Colour, Callable[[CardSet], CardSet]] = {
    Colour.RED: highest_card,
    Colour.ORANGE: most_of_one_number,
    Colour.YELLOW: most_of_one_colour,
    Colour.GREEN: most_even_cards,
    Colour.BLUE: most_different_colours,
    Colour.INDIGO: most_in_a_row,
    Colour.VIOLET: most_below_four,
}
"""For each rule the largest set of a palette that satisfies it, of several the strongest."""
