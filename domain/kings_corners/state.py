"""The table of a game of Kings Corners, and how it follows from what happened."""

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kings_corners.cards import FOUNDATIONS, PILES, Pile
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    CardsDealt,
    NothingDrawn,
    PileMoved,
    PositionLaid,
    TurnPassed,
)

HAND_SIZE = 7


class KingsCorners:
    """Hands, piles (bottom first), the deck with the number of cards gone from its top, and the turn.

    `acted` is whether the player on turn has played or moved. `passes` counts the turns in a row in which nobody
    played, moved or drew (RULES 5); it stays 0 while there are cards to draw.
    """

    __slots__ = ("acted", "deck", "gone", "hands", "over", "passes", "piles", "turn", "winner")

    def __init__(self, seats: int) -> None:
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.piles: dict[Pile, tuple[Card, ...]] = dict.fromkeys(PILES, ())
        self.deck: tuple[Card, ...] = ()
        self.gone = 0
        self.turn: Seat = 0
        self.acted = False
        self.passes = 0
        self.over = False
        self.winner: Seat | None = None

    def copy(self) -> "KingsCorners":
        twin = KingsCorners(0)
        twin.hands = [hand[:] for hand in self.hands]
        twin.piles = self.piles.copy()
        twin.deck = self.deck
        twin.gone = self.gone
        twin.turn = self.turn
        twin.acted = self.acted
        twin.passes = self.passes
        twin.over = self.over
        twin.winner = self.winner
        return twin

    @property
    def deck_size(self) -> int:
        return len(self.deck) - self.gone

    @property
    def next_seat(self) -> Seat:
        return (self.turn + 1) % len(self.hands)


def _known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    """The cards of an event as it is stored; only redacted ones, which no game follows, hold gaps."""
    return tuple(card for card in cards if card is not None)


def _cards_dealt(state: KingsCorners, event: CardsDealt) -> None:
    deck = _known(event.deck)
    for seat, hand in enumerate(state.hands):
        hand.extend(deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])
    state.gone = len(state.hands) * HAND_SIZE
    for pile in FOUNDATIONS:
        state.piles[pile] = (deck[state.gone],)
        state.gone += 1
    state.deck = deck


def _position_laid(state: KingsCorners, event: PositionLaid) -> None:
    state.hands = [list(_known(hand)) for hand in event.hands]
    state.piles = dict(zip(PILES, event.piles, strict=True))
    state.deck = _known(event.deck)
    state.turn = event.turn


def _card_played(state: KingsCorners, event: CardPlayed) -> None:
    state.hands[event.seat].remove(event.card)
    state.piles[event.pile] += (event.card,)
    state.acted = True


def _pile_moved(state: KingsCorners, event: PileMoved) -> None:
    state.piles[event.target] += event.cards
    state.piles[event.source] = ()
    state.acted = True


def _card_drawn(state: KingsCorners, event: CardDrawn) -> None:
    assert event.card is not None
    state.hands[event.seat].append(event.card)
    state.gone += 1


def _nothing_drawn(state: KingsCorners, event: NothingDrawn) -> None:
    state.passes = 0 if state.acted else state.passes + 1


def _turn_passed(state: KingsCorners, event: TurnPassed) -> None:
    state.turn = event.to
    state.acted = False


def _game_finished(state: KingsCorners, event: GameFinished) -> None:
    state.over = True
    if event.winners:
        (state.winner,) = event.winners
    else:
        state.turn = state.next_seat  # RULES 5: the turn passes before a stalemate, but stays with a winner


EVOLVE: Mapping[type, Callable[[KingsCorners, Any], None]] = {
    CardsDealt: _cards_dealt,
    PositionLaid: _position_laid,
    CardPlayed: _card_played,
    PileMoved: _pile_moved,
    CardDrawn: _card_drawn,
    NothingDrawn: _nothing_drawn,
    TurnPassed: _turn_passed,
    GameFinished: _game_finished,
}
