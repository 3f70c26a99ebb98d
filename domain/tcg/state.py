"""The table of a trading card game, and how it follows from what happened."""

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.tcg.book import Book, book_of
from fairdeal.domain.tcg.cards import Card, Mode
from fairdeal.domain.tcg.decks import DeckList
from fairdeal.domain.tcg.events import (
    BledOut,
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    CardsDefined,
    DamageDealt,
    DeckShuffled,
    HandDealt,
    ManaRefilled,
    ManaSlotGained,
    MinionAttacked,
    MinionDamaged,
    MinionDied,
    MinionPlaced,
    PlayerHealed,
    PositionLaid,
    StartingPlayerChosen,
    TurnStarted,
)
from fairdeal.domain.tcg.options import TcgOptions

NO_BOOK = Book({})
"""Before the first event nobody knows what the cards do."""


class Minion:
    """A card on the board, with the health it has left."""

    __slots__ = ("asleep", "attack", "attacked", "card", "health")

    def __init__(self, card: Card, attack: int, health: int, asleep: bool = True, attacked: bool = False) -> None:
        self.card = card
        self.attack = attack
        self.health = health
        self.asleep = asleep
        self.attacked = attacked

    def copy(self) -> "Minion":
        return Minion(self.card, self.attack, self.health, self.asleep, self.attacked)


class Side:
    """One player: health, mana, and their cards in five places; `drawn` counts those gone from the deck's top."""

    __slots__ = ("being_played", "board", "deck", "discard", "drawn", "hand", "health", "mana", "slots")

    def __init__(self, health: int) -> None:
        self.health = health
        self.slots = 0
        self.mana = 0
        self.deck: tuple[Card, ...] = ()
        self.drawn = 0
        self.hand: list[Card] = []
        self.being_played: list[Card] = []
        self.board: list[Minion] = []
        self.discard: list[Card] = []

    def copy(self) -> "Side":
        twin = Side(self.health)
        twin.slots = self.slots
        twin.mana = self.mana
        twin.deck = self.deck
        twin.drawn = self.drawn
        twin.hand = self.hand[:]
        twin.being_played = self.being_played[:]
        twin.board = [minion.copy() for minion in self.board]
        twin.discard = self.discard[:]
        return twin

    @property
    def deck_size(self) -> int:
        return len(self.deck) - self.drawn

    @property
    def left(self) -> tuple[Card, ...]:
        """The deck as it lies there now, from its top."""
        return self.deck[self.drawn :]

    def minion(self, card: Card) -> Minion:
        return next(minion for minion in self.board if minion.card == card)


class Tcg:
    """Two sides of a table, whose turn it is and which, and who has won."""

    __slots__ = ("active", "book", "brought", "options", "sides", "turn", "winner")

    def __init__(
        self, options: TcgOptions, brought: tuple[DeckList | None, ...], sides: list[Side] | None = None
    ) -> None:
        self.options = options
        self.book: Book = NO_BOOK
        self.brought = brought
        self.sides = sides or [Side(options.start_health), Side(options.start_health)]
        self.turn = 0
        self.active: Seat = 0
        self.winner: Seat | None = None

    def copy(self) -> "Tcg":
        twin = Tcg(self.options, self.brought, [side.copy() for side in self.sides])
        twin.book = self.book
        twin.turn = self.turn
        twin.active = self.active
        twin.winner = self.winner
        return twin


def _known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    """The cards of a stored event; only redacted ones, which are never replayed, hold gaps."""
    return tuple(card for card in cards if card is not None)


def _cards_defined(state: Tcg, event: CardsDefined) -> None:
    state.book = book_of(state.options, event.cards)


def _deck_shuffled(state: Tcg, event: DeckShuffled) -> None:
    state.sides[event.seat].deck = _known(event.deck)


def _starting_player_chosen(state: Tcg, event: StartingPlayerChosen) -> None:
    state.active = event.seat


def _hand_dealt(state: Tcg, event: HandDealt) -> None:
    side = state.sides[event.seat]
    side.hand = list(_known(event.cards))
    side.drawn = len(side.hand)


def _position_laid(state: Tcg, event: PositionLaid) -> None:
    state.book = book_of(state.options, event.cards)
    state.turn = event.turn
    state.active = event.active
    for side, laid in zip(state.sides, event.sides, strict=True):
        side.health = laid.health
        side.slots = laid.slots
        side.mana = laid.mana
        side.hand = list(_known(laid.hand))
        side.deck = _known(laid.deck)
        side.discard = list(laid.discard)
        side.board = [Minion(m.card, m.attack, m.health, m.asleep, m.attacked) for m in laid.board]


def _turn_started(state: Tcg, event: TurnStarted) -> None:
    state.active = event.seat
    state.turn = event.turn
    for minion in state.sides[event.seat].board:
        minion.asleep = False
        minion.attacked = False


def _mana_slot_gained(state: Tcg, event: ManaSlotGained) -> None:
    state.sides[event.seat].slots = event.slots


def _mana_refilled(state: Tcg, event: ManaRefilled) -> None:
    state.sides[event.seat].mana = event.mana


def _card_drawn(state: Tcg, event: CardDrawn) -> None:
    assert event.card is not None  # Only redacted events, which are never replayed, hide it.
    side = state.sides[event.seat]
    side.drawn += 1
    side.hand.append(event.card)


def _card_overloaded(state: Tcg, event: CardOverloaded) -> None:
    side = state.sides[event.seat]
    side.drawn += 1
    side.discard.append(event.card)


def _bled_out(state: Tcg, event: BledOut) -> None:
    state.sides[event.seat].health -= event.amount


def _card_played(state: Tcg, event: CardPlayed) -> None:
    side = state.sides[event.seat]
    side.mana -= event.cost
    side.hand.remove(event.card)
    goes_to = side.being_played if event.mode is Mode.MINION else side.discard
    goes_to.append(event.card)


def _damage_dealt(state: Tcg, event: DamageDealt) -> None:
    state.sides[event.to].health -= event.amount


def _player_healed(state: Tcg, event: PlayerHealed) -> None:
    state.sides[event.seat].health += event.amount


def _minion_placed(state: Tcg, event: MinionPlaced) -> None:
    side = state.sides[event.seat]
    side.being_played.clear()
    side.board.append(Minion(event.card, event.attack, event.health))


def _minion_attacked(state: Tcg, event: MinionAttacked) -> None:
    state.sides[event.seat].minion(event.minion).attacked = True


def _minion_damaged(state: Tcg, event: MinionDamaged) -> None:
    state.sides[event.seat].minion(event.minion).health -= event.amount


def _minion_died(state: Tcg, event: MinionDied) -> None:
    side = state.sides[event.seat]
    side.board.remove(side.minion(event.minion))
    side.discard.append(event.minion)


def _game_finished(state: Tcg, event: GameFinished) -> None:
    state.winner = event.winners[0]


EVOLVE: Mapping[type, Callable[[Tcg, Any], None]] = {
    CardsDefined: _cards_defined,
    DeckShuffled: _deck_shuffled,
    StartingPlayerChosen: _starting_player_chosen,
    HandDealt: _hand_dealt,
    PositionLaid: _position_laid,
    TurnStarted: _turn_started,
    ManaSlotGained: _mana_slot_gained,
    ManaRefilled: _mana_refilled,
    CardDrawn: _card_drawn,
    CardOverloaded: _card_overloaded,
    BledOut: _bled_out,
    CardPlayed: _card_played,
    DamageDealt: _damage_dealt,
    PlayerHealed: _player_healed,
    MinionPlaced: _minion_placed,
    MinionAttacked: _minion_attacked,
    MinionDamaged: _minion_damaged,
    MinionDied: _minion_died,
    GameFinished: _game_finished,
}
