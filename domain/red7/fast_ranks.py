"""The seven rules once more, made for speed: all ranks of a palette at once, and which one card more would win."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fairdeal.domain.red7.cards import ALL, BELOW_FOUR, EVEN, OF_HUE, OF_NUMBER, CardSet
from fairdeal.domain.red7.contest import Rank

Ranks = tuple[Rank, ...]
"""By each of the seven rules, red first."""

# What the rules mean is said in `contest`; property tests hold this module to it.
# Tables over the 128 sets of numbers (1 at bit 0) and of colours (red at bit 6, as within the cards of one number).
_SIZES: Final = tuple(bits.bit_count() << 6 for bits in range(128))
_BY_NUMBER: Final = tuple(tuple(group for at, group in enumerate(OF_NUMBER) if bits >> at & 1) for bits in range(128))
_BY_HUE: Final = tuple(tuple(group for hue, group in enumerate(OF_HUE) if bits >> 6 - hue & 1) for bits in range(128))
_OF_NEW_HUE: Final = tuple(ALL - sum(groups) for groups in _BY_HUE)
_ROWS: Final = tuple((group, 1 << at, 7 * at) for at, group in enumerate(OF_NUMBER))
_ABOVE: Final = tuple(ALL >> at << at for at in range(64))
"""For each place in the order of strength, where V1 is 1 and R7 is 49, the stronger cards."""


def _longest_run(numbers: int) -> tuple[Rank, CardSet]:
    """Of a set of numbers: how many are in a row, as part of a rank, and the cards that can end that row."""
    best = (0, 0)
    length = 0
    for at in range(7):
        length = length + 1 if numbers >> at & 1 else 0
        best = max(best, (length, at))
    return best[0] << 6, OF_NUMBER[best[1]]


_RUNS: Final = tuple(_longest_run(numbers) for numbers in range(128))
_NEXT_RUNS: Final = tuple(
    tuple((group, *_RUNS[numbers | 1 << at]) for at, group in enumerate(OF_NUMBER)) for numbers in range(128)
)
"""For each set of numbers, what one card more of any number makes of its longest run."""


@lru_cache(maxsize=1 << 14)
def ranks(palette: CardSet) -> Ranks:
    """How a palette does by each rule; two more places tell which numbers and which colours it has, as bits."""
    top = palette.bit_length()
    orange = yellow = numbers = colours = 0
    for group, number, shift in _ROWS:
        row = palette & group
        if row:
            numbers |= number
            colours |= row >> shift
            rank = row.bit_count() << 6 | row.bit_length()
            orange = rank if rank > orange else orange
    for group in _BY_HUE[colours]:
        row = palette & group
        rank = row.bit_count() << 6 | row.bit_length()
        yellow = rank if rank > yellow else yellow
    even = palette & EVEN
    run, ends = _RUNS[numbers]
    low = palette & BELOW_FOUR
    return (
        64 | top if top else 0,
        orange,
        yellow,
        even.bit_count() << 6 | even.bit_length(),
        _SIZES[colours] | top,
        run | (palette & ends).bit_length(),
        low.bit_count() << 6 | low.bit_length(),
        numbers,
        colours,
    )


def best_of(palettes: Sequence[CardSet]) -> Ranks:
    """By each rule the best rank among these palettes: the bar that everybody else has to pass."""
    if len(palettes) == 1:
        return ranks(palettes[0])
    return tuple(map(max, *map(ranks, palettes)))


def _higher_card(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    return _ABOVE[bar & 63]


def _one_more_of_a_number(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    return _one_more_of_some(palette, _BY_NUMBER[own[7]], bar)


def _one_more_of_a_colour(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    return _one_more_of_some(palette, _BY_HUE[own[8]], bar)


def _one_more_of_some(palette: CardSet, groups: Sequence[CardSet], bar: Rank) -> CardSet:
    wanted = bar >> 6
    top = bar & 63
    # A card of a group that the palette lacks stands alone: it wins only against a single, weaker card.
    found = _ABOVE[top] if wanted < 2 else 0
    for group in groups:
        own = palette & group
        size = own.bit_count() + 1
        if size > wanted or (size == wanted and own.bit_length() > top):
            found |= group
        elif size == wanted:
            found |= group & _ABOVE[top]
    return found


def _one_more_even(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    return _one_more(palette, EVEN, bar)


def _one_more_below_four(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    return _one_more(palette, BELOW_FOUR, bar)


def _one_more(palette: CardSet, group: CardSet, bar: Rank) -> CardSet:
    own = palette & group
    size = own.bit_count() + 1
    wanted = bar >> 6
    if size < wanted:
        return 0
    return group if size > wanted or own.bit_length() > bar & 63 else group & _ABOVE[bar & 63]


def _new_colour(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    new = _OF_NEW_HUE[own[8]]
    top = bar & 63
    missing = (bar >> 6) - (own[4] >> 6)
    if missing > 1:
        return 0
    if missing == 0:
        return new | _ABOVE[top]
    return new if palette.bit_length() > top else new & _ABOVE[top]


def _longer_run(palette: CardSet, own: Ranks, bar: Rank) -> CardSet:
    found = 0
    top = bar & 63
    wanted = bar - top
    for group, run, ends in _NEXT_RUNS[own[7]]:
        if run > wanted or (run == wanted and (palette & ends).bit_length() > top):
            found |= group
        elif run == wanted and group == ends:
            found |= group & _ABOVE[top]
    return found


LIFTS: Final = (
    _higher_card,
    _one_more_of_a_number,
    _one_more_of_a_colour,
    _one_more_even,
    _new_colour,
    _longer_run,
    _one_more_below_four,
)
"""By each rule: the cards of which any one, added to a palette that is not over the bar, lifts it over."""

NO_CARD: Final[CardSet] = ALL + 1
"""In a set of cards that would help: none is needed."""


def winning_cards(palette: CardSet, own: Ranks, rivals: list[Ranks], hue: int) -> CardSet:
    """The cards of which any one, added to the palette, beats the rivals by this rule; all and `NO_CARD` if it does so
    as it is."""
    bar = 0
    for rival in rivals:
        rank = rival[hue]
        bar = rank if rank > bar else bar
    return ALL | NO_CARD if own[hue] > bar else LIFTS[hue](palette, own, bar)
