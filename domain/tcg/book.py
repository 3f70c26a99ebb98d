"""The book of a game's cards: for each what can be done with it under the game's rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats, Mode, Variation
from fairdeal.domain.tcg.moves import FACE, Move, PlayCard
from fairdeal.domain.tcg.options import TcgOptions


@dataclass(frozen=True, slots=True)
class BookPage:
    """One card: what is printed on it, and the ways to play it that need neither a minion to hit nor a place."""

    definition: CardDefinition
    cost: int
    is_damage: bool
    stats: MinionStats | None
    """As a minion, where the rules know minions."""
    modes: tuple[Mode, ...]
    plays: tuple[Move, ...]
    summon: Move | None


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """The pages by card id; there is one book for each rule set and the same cards."""

    pages: Mapping[str, BookPage]


@lru_cache(maxsize=64)
def book_of(options: TcgOptions, cards: tuple[CardDefinition, ...]) -> Book:
    return Book({definition.id: _page(definition, options) for definition in cards})


def _page(definition: CardDefinition, options: TcgOptions) -> BookPage:
    is_damage = definition.kind is Kind.DAMAGE
    stats = definition.stats if Variation.MINIONS in options.variations else None
    # RULES 5: which ways of playing the card there are at all.
    allowed = {
        Mode.SPELL: True,
        Mode.MINION: stats is not None,
        Mode.HEAL: options.flex_healing and is_damage,
    }
    spell = PlayCard(definition.id, Mode.SPELL, FACE if is_damage else None)
    heal = (PlayCard(definition.id, Mode.HEAL),) if allowed[Mode.HEAL] else ()
    return BookPage(
        definition=definition,
        cost=definition.cost,
        is_damage=is_damage,
        stats=stats,
        modes=tuple(mode for mode in Mode if allowed[mode]),
        plays=(spell, *heal),
        summon=None if stats is None else PlayCard(definition.id, Mode.MINION),
    )
