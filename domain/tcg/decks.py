"""Decks: built from a pool, put into their canonical order, and checked with every fault named."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.cards import Variation
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import Pool
from fairdeal.domain.tcg.refusals import DeckFault, FaultCode, InvalidDeck

# RULES 9.4; fullmatch, because `$` would let a line end through.
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """So many copies of one card."""

    id: str
    count: int


@dataclass(frozen=True, slots=True)
class DeckList:
    """What a player brings: the name of a deck and its cards. What the cards do stands in the game's pool."""

    name: str
    cards: tuple[DeckEntry, ...]

    @property
    def size(self) -> int:
        return sum(entry.count for entry in self.cards)


DEFAULT_DECK = DeckList(
    "Kata", tuple(DeckEntry(f"d{cost}", count) for cost, count in enumerate((2, 2, 3, 4, 3, 2, 2, 1, 1)))
)
"""What everybody plays who brings nothing: the kata's twenty cards."""


SAMPLES = (
    DEFAULT_DECK,
    DeckList("Healer", tuple(DeckEntry(name, 4) for name in ("d1", "d2", "mend", "study", "wall"))),
    DeckList("Scholar", tuple(DeckEntry(name, 4) for name in ("d1", "d3", "mend", "study", "wall"))),
)
"""Decks from the starter pool that one may try."""


def build_deck(name: str, ids: Iterable[str], pool: Pool) -> DeckList:
    """A deck of these cards, in pool order; cards that the pool lacks come last, for the check to name them."""
    return ordered(DeckList(name, tuple(DeckEntry(*counted) for counted in Counter(ids).items())), pool)


def ordered(deck: DeckList, pool: Pool) -> DeckList:
    """The deck in the order of the pool; cards that the pool lacks come last."""
    place = {definition.id: at for at, definition in enumerate(pool)}
    return DeckList(deck.name, tuple(sorted(deck.cards, key=lambda entry: (place.get(entry.id, len(place)), entry.id))))


def expanded(deck: DeckList, pool: Pool) -> tuple[str, ...]:
    """Every single card in the canonical order."""
    return tuple(entry.id for entry in ordered(deck, pool).cards for _ in range(entry.count))


def is_name(name: str) -> bool:
    """Whether a deck may be called so; such a name cannot leave its folder (RULES 9.4)."""
    return NAME.fullmatch(name) is not None


def fault_in_shape(deck: DeckList) -> DeckFault | None:
    """What makes this not a deck at all, whatever the game allows: then nothing else is worth checking."""
    if any(type(entry.count) is not int or entry.count < 1 for entry in deck.cards):
        return DeckFault(FaultCode.MALFORMED, "the number of copies must be a whole number of at least 1")
    if len({entry.id for entry in deck.cards}) != len(deck.cards):
        return DeckFault(FaultCode.MALFORMED, "a card is listed twice")
    return None


def faults_in_deck(deck: DeckList, options: TcgOptions) -> tuple[DeckFault, ...]:
    """Everything that is wrong with a deck, in a stable order; nothing if it can be played (RULES 9.3)."""
    shape = fault_in_shape(deck)
    if shape is not None:
        return (shape,)
    faults: list[DeckFault] = []
    if not is_name(deck.name):
        faults.append(_bad_name(deck.name))
    if deck.size != options.deck_size:
        faults.append(DeckFault(FaultCode.WRONG_SIZE, f"{_counted(deck.size)} instead of {options.deck_size}"))
    return (*faults, *(fault for entry in deck.cards for fault in _faults_in_entry(entry, options)))


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def must_be_playable(deck: DeckList, options: TcgOptions, whose: str) -> None:
    faults = faults_in_deck(deck, options)
    if faults:
        raise InvalidDeck(whose, faults)


def must_be_allowed(deck: DeckList, options: TcgOptions, whose: str) -> None:
    """A deck brought to a game: without the variation everybody plays the default deck (RULES 7)."""
    if Variation.DECKS not in options.variations and Counter(deck.cards) != Counter(DEFAULT_DECK.cards):
        raise InvalidDeck(whose, [DeckFault(FaultCode.DECKS_OFF, "this game is played with the default deck")])
    must_be_playable(deck, options, whose)


@lru_cache(maxsize=64)
def cards_to_shuffle(brought: DeckList | None, options: TcgOptions, seat: Seat) -> tuple[str, ...]:
    """What a seat plays (what it brought, else the default deck), in the canonical order from which it is shuffled."""
    deck = brought or DEFAULT_DECK
    must_be_allowed(deck, options, f"The deck of seat {seat}")
    return expanded(deck, options.cards)


def check_brought(options: TcgOptions, brought: DeckList | None) -> None:
    """Refuses to seat somebody with a deck that the game does not allow."""
    if brought is not None:
        must_be_allowed(brought, options, "The deck you bring")


def brought_such_as(options: TcgOptions) -> tuple[DeckList, ...]:
    """Those of the samples that the game allows."""
    return tuple(deck for deck in SAMPLES if _is_allowed(deck, options))


def _is_allowed(deck: DeckList, options: TcgOptions) -> bool:
    try:
        check_brought(options, deck)
    except InvalidDeck:
        return False
    return True


def _faults_in_entry(entry: DeckEntry, options: TcgOptions) -> list[DeckFault]:
    faults: list[DeckFault] = []
    if options.max_copies is not None and entry.count > options.max_copies:
        message = f"{entry.count} copies of {entry.id!r}, at most {options.max_copies} are allowed"
        faults.append(DeckFault(FaultCode.TOO_MANY_COPIES, message))
    definition = next((card for card in options.cards if card.id == entry.id), None)
    if definition is None:
        faults.append(DeckFault(FaultCode.UNKNOWN_CARD, f"the pool has no card {entry.id!r}"))
    elif definition.needs is not None and definition.needs not in options.variations:
        message = f"{entry.id!r} needs the variation {definition.needs}, which is off"
        faults.append(DeckFault(FaultCode.CARD_NOT_ALLOWED, message))
    return faults


def _bad_name(name: str) -> DeckFault:
    rule = "1 to 40 letters, digits, spaces, - and _, with a letter or digit at both ends"
    return DeckFault(FaultCode.BAD_NAME, f"the name of a deck is {rule}, not {name!r}")
