"""The seven rules: what counts, who leads, and that the fast way agrees with the plain one."""

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.domain.red7.cards import ALL, COLOURS, DECK, Card, CardSet, Colour, cards, cards_in, set_of, strongest
from fairdeal.domain.red7.contest import QUALIFYING, rank_of
from fairdeal.domain.red7.fast_ranks import LIFTS, NO_CARD, best_of, ranks, winning_cards
from fairdeal.domain.red7.standings import DecidedBy, standing, standings

CARDS = st.sampled_from(DECK)
PALETTES = st.lists(CARDS, min_size=1, max_size=9, unique=True)
TABLES = st.lists(CARDS, min_size=4, max_size=24, unique=True).flatmap(
    lambda dealt: st.lists(st.integers(0, 3), min_size=len(dealt), max_size=len(dealt)).map(
        lambda owners: [[card for card, at in zip(dealt, owners, strict=True) if at == seat] for seat in range(4)]
    )
)


def sets(palettes: list[list[Card]]) -> list[CardSet]:
    return [set_of(palette) for palette in palettes]


# -- cards -----------------------------------------------------------------------------------------


def test_there_are_forty_nine_cards_each_once() -> None:
    assert len(DECK) == len(set(DECK)) == 49
    assert set_of(DECK) == ALL


def test_the_number_decides_before_the_colour() -> None:
    order = sorted(DECK, key=lambda card: card.bit)
    assert [order[-1], order[-2], order[0]] == [Card.R7, Card.O7, Card.V1]
    assert Card.V2.bit > Card.R1.bit
    assert strongest(0) == 0


# -- the printed examples and the traps ------------------------------------------------------------

EXAMPLES = [
    ("red", "Y5 B1 G6 G4 / G3 V6 I1 R1", 0, "G6"),
    ("orange", "V2 I2 Y2 R1 / R7 V7 I1 B2", 0, "Y2 I2 V2"),
    ("yellow", "Y2 Y6 B1 G5 / R6 G4 G1 Y4", 0, "Y6 Y2"),
    ("green", "Y4 V2 Y6 G3 / I3 I1 B6 R1", 0, "Y6 Y4 V2"),
    ("blue", "R6 R7 Y5 B4 / G5 B6 I4 G1", 0, "R7 Y5 B4"),
    ("indigo", "R4 Y5 R7 G6 / B2 V3 I4 V5", 0, "R7 G6 Y5 R4"),
    ("violet", "G1 Y2 I4 R3 / Y5 Y1 I1 V7", 0, "R3 Y2 G1"),
    ("green", "R7 Y2 G4 V6 / O6 Y7 R5 V7 / R6 G2 V2 / R4 R2 Y4", 2, "R6 G2 V2"),
    ("yellow", "O1 V7 / R3", 0, "V7"),
    ("indigo", "R6 O1 / B2", 0, "R6"),
    ("indigo", "V1 B2 I6 O7 / R1", 0, "O7 I6"),
    ("indigo", "G4 Y5 R5 V6 / R1", 0, "V6 R5 G4"),
    ("indigo", "R7 R1 / V6", 0, "R7"),  # no way round from 7 to 1
    ("green", "R1 R3 / V5", None, ""),
    ("violet", "R7 / V4", None, ""),
]


@pytest.mark.parametrize(("rule", "palettes", "leader", "qualifying"), EXAMPLES)
def test_the_examples_of_the_rules(rule: str, palettes: str, leader: int | None, qualifying: str) -> None:
    found = standing(Colour(rule), [set_of(cards(part)) for part in palettes.split("/")])
    assert found.leader == leader
    assert found.cards == cards(qualifying)
    assert found.size == len(found.cards)
    assert found.card == (found.cards[0] if found.cards else None)


def test_the_reason_is_the_count_the_number_the_colour_or_nobody() -> None:
    def reason(rule: Colour, *palettes: str) -> DecidedBy:
        return standing(rule, [set_of(cards(palette)) for palette in palettes]).decided_by

    assert reason(Colour.GREEN, "V2 V4", "R6") is DecidedBy.COUNT
    assert reason(Colour.GREEN, "V6", "R4") is DecidedBy.NUMBER
    assert reason(Colour.GREEN, "R6", "V6") is DecidedBy.COLOUR
    assert reason(Colour.GREEN, "R1", "V1") is DecidedBy.NOBODY
    assert reason(Colour.RED, "R1", "") is DecidedBy.COUNT
    assert reason(Colour.RED, "R1") is DecidedBy.COUNT


# -- the general form, tried out on every subset ---------------------------------------------------


def in_a_row(numbers: list[int]) -> bool:
    return sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers)))


def qualifies(rule: Colour, chosen: tuple[Card, ...]) -> bool:
    numbers = [card.number for card in chosen]
    match rule:
        case Colour.RED:
            return len(chosen) == 1
        case Colour.ORANGE:
            return len(set(numbers)) == 1
        case Colour.YELLOW:
            return len({card.colour for card in chosen}) == 1
        case Colour.GREEN:
            return all(number in (2, 4, 6) for number in numbers)
        case Colour.BLUE:
            return len({card.colour for card in chosen}) == len(chosen)
        case Colour.INDIGO:
            return in_a_row(numbers)
        case Colour.VIOLET:
            return all(number < 4 for number in numbers)


@given(PALETTES.filter(lambda palette: len(palette) <= 7), st.sampled_from(COLOURS))
def test_the_largest_then_strongest_of_all_qualifying_sets_is_found(palette: list[Card], rule: Colour) -> None:
    order = sorted(palette, key=lambda card: -card.bit)
    subsets = chain.from_iterable(combinations(order, size) for size in range(1, len(order) + 1))
    fitting = [subset for subset in subsets if qualifies(rule, subset)]
    best = max(fitting, key=lambda subset: (len(subset), [card.bit for card in subset]), default=())
    assert cards_in(QUALIFYING[rule](set_of(palette))) == best


# -- the fast way ----------------------------------------------------------------------------------


@given(PALETTES)
def test_the_ranks_are_those_of_the_qualifying_sets(palette: list[Card]) -> None:
    chosen = set_of(palette)
    assert ranks(chosen)[:7] == tuple(rank_of(QUALIFYING[colour](chosen)) for colour in COLOURS)


def test_an_empty_palette_ranks_nowhere() -> None:
    assert ranks(0)[:7] == (0,) * 7


@settings(max_examples=300)
@given(TABLES)
def test_a_lift_is_a_card_that_brings_the_palette_over_the_bar(palettes: list[list[Card]]) -> None:
    own, *others = sets(palettes)
    bars = best_of(others)
    taken = set_of([card for palette in palettes for card in palette])
    for hue in range(7):
        if ranks(own)[hue] <= bars[hue]:
            lifts = LIFTS[hue](own, ranks(own), bars[hue])
            for card in DECK:
                if not card.bit & taken:
                    assert bool(card.bit & lifts) == (ranks(own | card.bit)[hue] > bars[hue])


@settings(max_examples=300)
@given(TABLES)
def test_a_winning_card_is_one_with_which_the_palette_beats_every_rival(palettes: list[list[Card]]) -> None:
    own, *others = sets(palettes)
    rivals = [ranks(other) for other in others]
    taken = set_of([card for palette in palettes for card in palette])
    for hue in range(7):
        winning = winning_cards(own, ranks(own), rivals, hue)
        assert bool(winning & NO_CARD) == all(ranks(own)[hue] > rival[hue] for rival in rivals)
        for card in DECK:
            if not card.bit & taken:
                assert bool(card.bit & winning) == all(ranks(own | card.bit)[hue] > rival[hue] for rival in rivals)


def test_seven_numbers_make_any_card_a_pair() -> None:
    palette = set_of(cards("V1 V2 V3 V4 V5 V6 V7"))
    assert LIFTS[1](palette, ranks(palette), ranks(Card.R7.bit)[1]) == ALL


# -- properties of the contest ---------------------------------------------------------------------


@given(TABLES)
def test_at_most_one_palette_leads_and_the_order_of_cards_and_seats_does_not_matter(
    palettes: list[list[Card]],
) -> None:
    for rule, found in zip(COLOURS, standings(sets(palettes)), strict=True):
        turned = standing(rule, sets([palette[::-1] for palette in palettes[1:] + palettes[:1]]))
        assert turned.cards == found.cards
        assert turned.leader == (None if found.leader is None else (found.leader - 1) % 4)
        best = max(found.sizes)
        assert found.size == best
        assert (found.leader is None) == (best == 0)


@given(TABLES, st.integers(0, 3))
def test_a_loser_who_leaves_changes_nothing(palettes: list[list[Card]], leaving: int) -> None:
    left = [[] if seat == leaving else palette for seat, palette in enumerate(palettes)]
    for rule, found in zip(COLOURS, standings(sets(palettes)), strict=True):
        if found.leader != leaving:
            assert standing(rule, sets(left)).leader == found.leader


@given(TABLES, st.integers(0, 3), CARDS)
def test_a_card_that_does_not_qualify_changes_nothing(palettes: list[list[Card]], seat: int, card: Card) -> None:
    if any(card in palette for palette in palettes):
        return
    more = [[*palette, card] if at == seat else palette for at, palette in enumerate(palettes)]
    for rule, useless in ((Colour.GREEN, card.number % 2), (Colour.VIOLET, card.number > 3)):
        if useless:
            assert standing(rule, sets(more)) == standing(rule, sets(palettes))
