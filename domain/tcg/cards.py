"""What is printed on a card, and the card as a thing of its own."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

LONGEST_ID = 40


class Kind(StrEnum):
    """What a card does when it is played as a spell."""

    DAMAGE = "damage"
    HEALING = "healing"
    DRAWER = "drawer"


class Mode(StrEnum):
    """How a card can be played."""

    SPELL = "spell"
    MINION = "minion"
    HEAL = "heal"


class Variation(StrEnum):
    """The five ways in which a game can go beyond the basic one, alone or together."""

    FREE_DAMAGE = "free_damage"
    HEALING = "healing"
    DRAWERS = "drawers"
    MINIONS = "minions"
    DECKS = "decks"


@dataclass(frozen=True, slots=True)
class MinionStats:
    """What a card is worth on the board."""

    attack: int
    health: int


@dataclass(frozen=True, slots=True)
class CardDefinition:
    """What is printed on a card: damage, healing or cards to draw for its mana."""

    id: str
    kind: Kind
    cost: int
    amount: int
    minion: MinionStats | None = None

    @property
    def stats(self) -> MinionStats | None:
        """As a minion: what is printed, else a damage card is worth its cost (RULES 2)."""
        if self.minion is None and self.kind is Kind.DAMAGE:
            return MinionStats(self.cost, max(1, self.cost))
        return self.minion

    @property
    def needs(self) -> Variation | None:
        """The variation without which no deck may hold this card (RULES 2)."""
        if self.kind is Kind.HEALING:
            return Variation.HEALING
        if self.kind is Kind.DRAWER:
            return Variation.DRAWERS
        return None if self.amount == self.cost else Variation.FREE_DAMAGE


@dataclass(frozen=True, slots=True)
class Card:
    """One physical card. Its number, unique in the game, is its place in the shuffled deck and tells nothing else."""

    number: int
    id: str

    def __str__(self) -> str:
        return self.id


@lru_cache(maxsize=10_000)
def numbered_card(number: int, name: str) -> Card:
    """The same card for the same number and name: decks are dealt faster with cards that are there already."""
    return Card(number, name)


def is_whole(value: object, low: int, high: int) -> bool:
    """Whether this is a whole number in the range; True and 1.0 are not."""
    return type(value) is int and low <= value <= high


def fault_in(definition: CardDefinition) -> str | None:
    """What is wrong with a definition, in words, or None (RULES 2)."""
    name = definition.id
    if not _is_id(name):
        return (
            f"a card's id is 1 to {LONGEST_ID} printable characters, without leading or trailing spaces, not {name!r}"
        )
    if type(definition.kind) is not Kind:
        return f"{name}: the kind is damage, healing or drawer, not {definition.kind!r}"
    if not is_whole(definition.cost, 0, 10):
        return f"{name}: the cost is a whole number from 0 to 10, not {definition.cost!r}"
    low, high = (1, 20) if definition.kind is Kind.DRAWER else (0, 30)
    if not is_whole(definition.amount, low, high):
        return f"{name}: the amount is a whole number from {low} to {high}, not {definition.amount!r}"
    minion = definition.minion
    if minion is not None and not (is_whole(minion.attack, 0, 30) and is_whole(minion.health, 1, 30)):
        return f"{name}: a minion's attack is 0 to 30 and its health 1 to 30, not {minion.attack!r}/{minion.health!r}"
    return None


def _is_id(name: object) -> bool:
    return isinstance(name, str) and 1 <= len(name) <= LONGEST_ID and name.isprintable() and name == name.strip()
