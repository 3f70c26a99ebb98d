"""The table of a game of Reviiyot, and how it follows from what happened."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.reviiyot.cards import HAND_SIZE, HIGHEST_HOUSE_N, NO_PACK, SET_SIZE, Pack, deck_size, pack_of
from fairdeal.domain.reviiyot.events import (
    CardsAsked,
    CardsDealt,
    CardsDrawn,
    CardsGiven,
    PositionLaid,
    SetDiscarded,
)
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy

STUBBORN = (Strategy.MOST_HELD, Strategy.LEAST_HELD)
"""Types that ask the same again as long as no card moves."""


Hand = list[int]
"""The places of the cards in the pack, ascending: so the cards of a value lie side by side.

A hand is never changed, a new one takes its place: so a copy of a table with a thousand seats shares them all.
"""


class Reviiyot:
    """Hands, the deck with the number of cards gone from its top, the turns taken, and whom everybody asked last."""

    __slots__ = (
        "deck",
        "discarded",
        "failures",
        "gone",
        "hands",
        "last_asked",
        "n",
        "over",
        "pack",
        "patience",
        "sizes",
        "strategies",
        "turn",
        "turns",
    )

    def __init__(self, seats: int, options: ReviiyotOptions, brought: tuple[PlaysBy | None, ...]) -> None:
        self.n = options.n
        self.pack: Pack = NO_PACK
        self.hands: list[Hand] = [[] for _ in range(seats)]
        self.sizes = [0] * seats
        self.deck: tuple[str, ...] = ()
        self.gone = 0
        self.discarded: tuple[str, ...] = ()
        self.turns = 0
        self.turn: Seat = 0
        self.last_asked: list[Seat | None] = [None] * seats
        self.failures = 0
        self.strategies = tuple(None if thing is None else thing.strategy for thing in brought)
        # RULES 7: so many asks in a row that move no card end the game.
        self.patience = seats if all(one in STUBBORN for one in self.strategies) else seats * (seats - 1)
        self.over = False

    def copy(self) -> "Reviiyot":
        twin = Reviiyot(0, ReviiyotOptions(self.n), ())
        twin.pack = self.pack
        twin.hands = self.hands[:]
        twin.sizes = self.sizes[:]
        twin.deck = self.deck
        twin.gone = self.gone
        twin.discarded = self.discarded
        twin.turns = self.turns
        twin.turn = self.turn
        twin.last_asked = self.last_asked[:]
        twin.failures = self.failures
        twin.strategies = self.strategies
        twin.patience = self.patience
        twin.over = self.over
        return twin

    @property
    def deck_size(self) -> int:
        return len(self.deck) - self.gone

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """The cards that a seat holds, in ascending order."""
        cards = self.pack.cards
        return tuple([cards[place] for place in self.hands[seat]])

    def values(self, seat: Seat) -> Iterable[str]:
        """The values that a seat holds, in ascending order."""
        values = self.pack.values
        return dict.fromkeys([values[place // SET_SIZE] for place in self.hands[seat]])

    def count(self, seat: Seat, value: str) -> int:
        """How many cards of a value a seat holds."""
        hand, place = self.hands[seat], self.pack.places[value + "C"]
        return bisect_left(hand, place + SET_SIZE) - bisect_left(hand, place)

    def cards_of(self, seat: Seat, value: str) -> tuple[str, ...]:
        """The cards of a value that a seat holds, in ascending order."""
        hand, pack = self.hands[seat], self.pack
        place = pack.places[value + "C"]
        first, end = bisect_left(hand, place), bisect_left(hand, place + SET_SIZE)
        return tuple([pack.cards[held] for held in hand[first:end]]) if first < end else ()

    def sets_with(self, seat: Seat, cards: tuple[str, ...]) -> list[str]:
        """The values of these cards of which a seat holds all four, in ascending order."""
        hand, pack = self.hands[seat], self.pack
        full: list[int] = []
        for card in cards:
            value = pack.places[card] // SET_SIZE
            last = bisect_left(hand, value * SET_SIZE) + SET_SIZE - 1
            if last < len(hand) and hand[last] // SET_SIZE == value:
                full.append(value)
        return [pack.values[value] for value in sorted(set(full))] if full else []

    def top(self, count: int) -> tuple[str, ...]:
        """The next cards to be drawn, or as many as there are."""
        return self.deck[self.gone : self.gone + count]


# Cards of a stored event are all known; only redacted ones, which are never replayed, hold gaps to pass over.


def _put(state: Reviiyot, seat: Seat, cards: tuple[str | None, ...]) -> None:
    hand, places = state.hands[seat][:], state.pack.places
    for card in filter(None, cards):
        insort(hand, places[card])
    state.hands[seat] = hand
    state.sizes[seat] = len(hand)


def _take(state: Reviiyot, seat: Seat, cards: tuple[str | None, ...]) -> None:
    hand, places = state.hands[seat][:], state.pack.places
    for card in filter(None, cards):
        del hand[bisect_left(hand, places[card])]
    state.hands[seat] = hand
    state.sizes[seat] = len(hand)


def _cards_dealt(state: Reviiyot, event: CardsDealt) -> None:
    if len(event.deck) != deck_size(state.n):
        raise ValueError("not the whole deck")  # a log may be forged: nobody counts to a billion for that
    state.pack = pack_of(state.n)
    state.deck = tuple(filter(None, event.deck))
    for seat in range(len(state.hands)):
        _put(state, seat, state.top(HAND_SIZE))
        state.gone += HAND_SIZE


def _position_laid(state: Reviiyot, event: PositionLaid) -> None:
    state.n = min(event.n, HIGHEST_HOUSE_N)
    state.pack = pack_of(state.n)
    for seat, hand in enumerate(event.hands):
        _put(state, seat, hand)
    state.deck = tuple(filter(None, event.deck))
    state.turns = event.turns
    state.turn = event.turns % len(state.hands)


def _cards_asked(state: Reviiyot, event: CardsAsked) -> None:
    state.turns += 1
    state.turn = (event.seat + 1) % len(state.hands)
    state.last_asked[event.seat] = event.asked
    state.failures += 1


def _cards_given(state: Reviiyot, event: CardsGiven) -> None:
    _take(state, event.seat, event.cards)
    _put(state, event.to, event.cards)
    state.failures = 0


def _cards_drawn(state: Reviiyot, event: CardsDrawn) -> None:
    _put(state, event.seat, event.cards)
    state.gone += len(event.cards)
    state.failures = 0


def _set_discarded(state: Reviiyot, event: SetDiscarded) -> None:
    hand, place = state.hands[event.seat][:], state.pack.places[event.value + "C"]
    del hand[bisect_left(hand, place) : bisect_left(hand, place + SET_SIZE)]
    state.hands[event.seat] = hand
    state.sizes[event.seat] = len(hand)
    state.discarded += (event.value,)


def _game_finished(state: Reviiyot, event: GameFinished) -> None:
    state.over = True


EVOLVE: Mapping[type, Callable[[Reviiyot, Any], None]] = {
    CardsDealt: _cards_dealt,
    PositionLaid: _position_laid,
    CardsAsked: _cards_asked,
    CardsGiven: _cards_given,
    CardsDrawn: _cards_drawn,
    SetDiscarded: _set_discarded,
    GameFinished: _game_finished,
}
