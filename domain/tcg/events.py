"""What can happen in the trading card game."""

from dataclasses import dataclass
from functools import cache

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.cards import Card, CardDefinition, Mode


@dataclass(frozen=True, slots=True)
class CardsDefined:
    """What is printed on every card that a deck of this game may hold, in pool order: whoever changes a pool later
    alters no game that has begun."""

    cards: tuple[CardDefinition, ...]


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A seat's whole deck from its top, shuffled from pool order (or as given). Nobody sees it before the end."""

    seat: Seat
    shuffle: int
    deck: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class StartingPlayerChosen:
    """By lot, with the number of the draw, or named beforehand (None)."""

    seat: Seat
    pick: int | None


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The top cards of a deck are its owner's first hand, and their secret."""

    seat: Seat
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class MinionLaid:
    """A minion in a position set up by hand."""

    card: Card
    attack: int
    health: int
    asleep: bool
    attacked: bool


@dataclass(frozen=True, slots=True)
class SideLaid:
    """One player in a position set up by hand; the deck from its top, the board from the left."""

    health: int
    slots: int
    mana: int
    hand: tuple[Card | None, ...]
    board: tuple[MinionLaid, ...]
    deck: tuple[Card | None, ...]
    discard: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PositionLaid:
    """A position set up by hand: what is printed on its cards, and both sides by seats."""

    cards: tuple[CardDefinition, ...]
    turn: int
    active: Seat
    sides: tuple[SideLaid, ...]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Turns of both players are counted together; the active player's minions wake."""

    seat: Seat
    turn: int


@dataclass(frozen=True, slots=True)
class ManaSlotGained:
    seat: Seat
    slots: int


@dataclass(frozen=True, slots=True)
class ManaRefilled:
    seat: Seat
    mana: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The card is its owner's secret."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardOverloaded:
    """The hand was full: the card went to the discard pile, for everybody to see."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class BledOut:
    """The deck was empty: the draw cost health instead."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """The cost is paid and the card has left the hand; a damage spell without a target goes at the face."""

    seat: Seat
    card: Card
    mode: Mode
    cost: int
    target: Card | None


@dataclass(frozen=True, slots=True)
class DamageDealt:
    """A player lost health to a spell or a minion."""

    to: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class PlayerHealed:
    """The real gain, which may be 0."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class MinionPlaced:
    """At the right end of its owner's board, asleep."""

    seat: Seat
    card: Card
    attack: int
    health: int


@dataclass(frozen=True, slots=True)
class MinionAttacked:
    """Against the face (None) or an enemy minion; it may not attack again before its owner's next turn."""

    seat: Seat
    minion: Card
    target: Card | None


@dataclass(frozen=True, slots=True)
class MinionDamaged:
    seat: Seat
    minion: Card
    amount: int


@dataclass(frozen=True, slots=True)
class MinionDied:
    """Its card went to its owner's discard pile."""

    seat: Seat
    minion: Card


# Events of small numbers come up again and again: each is made once.
turn_started = cache(TurnStarted)
mana_slot_gained = cache(ManaSlotGained)
mana_refilled = cache(ManaRefilled)
bled_out = cache(BledOut)
damage_dealt = cache(DamageDealt)
player_healed = cache(PlayerHealed)

EVENTS: dict[str, type] = {
    "cards_defined.v1": CardsDefined,
    "deck_shuffled.v1": DeckShuffled,
    "starting_player_chosen.v1": StartingPlayerChosen,
    "hand_dealt.v1": HandDealt,
    "position_laid.v1": PositionLaid,
    "turn_started.v1": TurnStarted,
    "mana_slot_gained.v1": ManaSlotGained,
    "mana_refilled.v1": ManaRefilled,
    "card_drawn.v1": CardDrawn,
    "card_overloaded.v1": CardOverloaded,
    "bled_out.v1": BledOut,
    "card_played.v1": CardPlayed,
    "damage_dealt.v1": DamageDealt,
    "player_healed.v1": PlayerHealed,
    "minion_placed.v1": MinionPlaced,
    "minion_attacked.v1": MinionAttacked,
    "minion_damaged.v1": MinionDamaged,
    "minion_died.v1": MinionDied,
}
