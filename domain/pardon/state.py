"""The table of a game of Pardon, and how it follows from what happened."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.pardon.cards import BIT, CardSet, as_set
from fairdeal.domain.pardon.events import (
    CardsDealt,
    CardsDrawn,
    CardsPlayed,
    FaceDownFailed,
    FaceUpChosen,
    FaceUpTaken,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    PlayStarted,
    PositionLaid,
    TurnPassed,
)
from fairdeal.domain.pardon.moves import SLOTS

DEALT = 7
"""Cards of a hand before three of them are put face up."""


class Pardon:
    """Hands, rows and slots by seat, the table (bottom first), the deck with the number of cards gone, the turn."""

    __slots__ = (
        "burned",
        "choosing",
        "deck",
        "face_down",
        "face_up",
        "failed",
        "gone",
        "hands",
        "idle",
        "limit",
        "over",
        "table",
        "turn",
        "winner",
    )

    def __init__(self, seats: int, limit: int | None) -> None:
        self.hands: list[CardSet] = [0] * seats
        self.face_up: list[tuple[Card, ...]] = [()] * seats
        self.face_down: list[dict[int, Card]] = [{} for _ in range(seats)]
        self.table: tuple[Card, ...] = ()
        self.burned: tuple[Card, ...] = ()
        self.deck: tuple[Card, ...] = ()
        self.gone = 0
        self.failed: Card | None = None
        self.choosing = True
        self.turn: Seat = 0
        self.idle = 0
        self.limit = limit
        self.over = False
        self.winner: Seat | None = None

    def copy(self) -> "Pardon":
        twin = Pardon(0, self.limit)
        twin.hands = self.hands[:]
        twin.face_up = self.face_up[:]
        twin.face_down = [slots.copy() for slots in self.face_down]
        twin.table = self.table
        twin.burned = self.burned
        twin.deck = self.deck
        twin.gone = self.gone
        twin.failed = self.failed
        twin.choosing = self.choosing
        twin.turn = self.turn
        twin.idle = self.idle
        twin.over = self.over
        twin.winner = self.winner
        return twin

    @property
    def deck_size(self) -> int:
        return len(self.deck) - self.gone

    @property
    def current(self) -> Seat | None:
        """Whose turn it is; while everybody chooses, nobody's (RULES 9)."""
        return None if self.choosing else self.turn

    def has_chosen(self, seat: Seat) -> bool:
        return not self.choosing or bool(self.face_up[seat])


def _known(cards: Iterable[Card | None]) -> tuple[Card, ...]:
    """The cards of a stored event; only redacted ones, which are never replayed, hold gaps."""
    return tuple(card for card in cards if card is not None)


def _cards_dealt(state: Pardon, event: CardsDealt) -> None:
    deck = _known(event.deck)
    for seat in range(event.seats):
        state.hands[seat] = as_set(deck[seat * DEALT : (seat + 1) * DEALT])
        first = event.seats * DEALT + seat * len(SLOTS)
        state.face_down[seat] = dict(zip(SLOTS, deck[first : first + len(SLOTS)], strict=True))
    state.deck = deck
    state.gone = event.seats * (DEALT + len(SLOTS))


def _position_laid(state: Pardon, event: PositionLaid) -> None:
    state.hands = [as_set(_known(hand)) for hand in event.hands]
    state.face_up = list(event.face_up)
    state.face_down = [{lies.slot: lies.card for lies in slots if lies.card is not None} for slots in event.face_down]
    state.table = event.table
    state.deck = _known(event.deck)
    state.turn = event.turn
    state.choosing = False


def _face_up_chosen(state: Pardon, event: FaceUpChosen) -> None:
    state.hands[event.seat] &= ~as_set(event.cards)
    state.face_up[event.seat] = event.cards


def _play_started(state: Pardon, event: PlayStarted) -> None:
    state.choosing = False
    state.turn = event.first


# RULES 7: every action counts one until something moves on: a card drawn, burned or turned, a row picked up.


def _cards_played(state: Pardon, event: CardsPlayed) -> None:
    if event.slot is None:
        state.hands[event.seat] &= ~as_set(event.cards)
        state.idle += 1
    else:
        del state.face_down[event.seat][event.slot]
        state.idle = 0
    state.table += event.cards
    state.failed = None


def _face_down_failed(state: Pardon, event: FaceDownFailed) -> None:
    del state.face_down[event.seat][event.slot]
    state.hands[event.seat] |= as_set(state.table) | BIT[event.card]
    state.table = ()
    state.failed = event.card  # everybody sees it until somebody acts
    state.idle = 0


def _pile_burned(state: Pardon, event: PileBurned) -> None:
    state.burned += event.cards
    state.table = ()
    state.idle = 0


def _cards_drawn(state: Pardon, event: CardsDrawn) -> None:
    state.hands[event.seat] |= as_set(_known(event.cards))
    state.gone += len(event.cards)
    state.idle = 0


def _face_up_taken(state: Pardon, event: FaceUpTaken) -> None:
    state.hands[event.seat] |= as_set(state.face_up[event.seat])
    state.face_up[event.seat] = ()
    state.idle = 0


def _pile_taken(state: Pardon, event: PileTaken) -> None:
    state.hands[event.seat] |= as_set(event.cards)
    state.table = ()
    state.failed = None
    state.idle += 1


def _players_skipped(state: Pardon, event: PlayersSkipped) -> None:
    """Nothing but the turn changes, and `TurnPassed` says so if it does."""


def _turn_passed(state: Pardon, event: TurnPassed) -> None:
    state.turn = event.to


def _game_finished(state: Pardon, event: GameFinished) -> None:
    state.over = True
    state.winner = event.winners[0] if event.winners else None


EVOLVE: Mapping[type, Callable[[Pardon, Any], None]] = {
    CardsDealt: _cards_dealt,
    PositionLaid: _position_laid,
    FaceUpChosen: _face_up_chosen,
    PlayStarted: _play_started,
    CardsPlayed: _cards_played,
    FaceDownFailed: _face_down_failed,
    PileBurned: _pile_burned,
    CardsDrawn: _cards_drawn,
    FaceUpTaken: _face_up_taken,
    PileTaken: _pile_taken,
    PlayersSkipped: _players_skipped,
    TurnPassed: _turn_passed,
    GameFinished: _game_finished,
}
