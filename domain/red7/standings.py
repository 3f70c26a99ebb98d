"""Who is winning by each of the seven rules, with which cards, and why (RULES 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import COLOURS, Card, CardSet, Colour, cards_in
from fairdeal.domain.red7.contest import QUALIFYING, Rank
from fairdeal.domain.red7.fast_ranks import ranks


class DecidedBy(StrEnum):
    """What puts the leader before the next best."""

    COUNT = "count"
    NUMBER = "number"
    COLOUR = "colour"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Standing:
    """Who leads by one rule; with no qualifying card nobody does (RULES 2.2)."""

    colour: Colour
    leader: Seat | None
    cards: tuple[Card, ...]
    """The leader's qualifying set, the strongest card first."""
    size: int
    decided_by: DecidedBy
    card: Card | None
    """The leader's strongest qualifying card: the one that breaks ties."""
    sizes: tuple[int, ...]
    """The size of every seat's qualifying set."""


def standing(colour: Colour, palettes: Sequence[CardSet]) -> Standing:
    """Who leads among these palettes, which lie in the order of seats; that of a player who is out is empty."""
    hue = COLOURS.index(colour)
    found = [ranks(palette)[hue] for palette in palettes]
    sizes = tuple(rank >> 6 for rank in found)
    *_, next_best, best = (0, 0, *sorted(found))
    if not best:
        return Standing(colour, None, (), 0, DecidedBy.NOBODY, None, sizes)
    leader = found.index(best)
    chosen = cards_in(QUALIFYING[colour](palettes[leader]))
    return Standing(colour, leader, chosen, len(chosen), _decided_by(best, next_best), chosen[0], sizes)


def standings(palettes: Sequence[CardSet]) -> tuple[Standing, ...]:
    """Who leads by each of the seven rules, red first."""
    return _standings(tuple(palettes))


@lru_cache(maxsize=256)
def _standings(palettes: tuple[CardSet, ...]) -> tuple[Standing, ...]:
    """Remembered for a while: all who look at a table see the same."""
    return tuple([standing(colour, palettes) for colour in COLOURS])


def _decided_by(best: Rank, next_best: Rank) -> DecidedBy:
    if best >> 6 != next_best >> 6:
        return DecidedBy.COUNT
    same_number = ((best & 63) - 1) // 7 == ((next_best & 63) - 1) // 7
    return DecidedBy.COLOUR if same_number else DecidedBy.NUMBER
