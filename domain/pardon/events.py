"""What can happen in Pardon."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat


class Burn(StrEnum):
    """Why a table burns."""

    TEN = "ten"
    FOUR = "four"


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A card in one of the slots 1 to 3, a secret even to its owner."""

    slot: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in its order: seven cards per seat, three face down per seat, the rest to draw from."""

    shuffle: int
    seats: int
    deck: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class PositionLaid:
    """A position in the middle of play, set up by hand; the table with its bottom card first."""

    hands: tuple[tuple[Card | None, ...], ...]
    face_up: tuple[tuple[Card, ...], ...]
    face_down: tuple[tuple[FaceDown, ...], ...]
    table: tuple[Card, ...]
    deck: tuple[Card | None, ...]
    turn: Seat


@dataclass(frozen=True, slots=True)
class FaceUpChosen:
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayStarted:
    """Everybody has chosen."""

    first: Seat


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    """From the hand, or (one card) from a face-down slot."""

    seat: Seat
    cards: tuple[Card, ...]
    slot: int | None


@dataclass(frozen=True, slots=True)
class FaceDownFailed:
    """A card was turned that may not be played: it goes to the hand with the whole table."""

    seat: Seat
    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class PileBurned:
    reason: Burn
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """The cards are their owner's secret; how many they are is not."""

    seat: Seat
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class FaceUpTaken:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PileTaken:
    """By choice or for want of a card to play: the event must not tell which."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayersSkipped:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TurnPassed:
    to: Seat


# Turns say the same as many before: nearly all plays from a hand are made once.
cards_played = lru_cache(maxsize=2**12)(CardsPlayed)

EVENTS: dict[str, type] = {
    "cards_dealt.v1": CardsDealt,
    "position_laid.v1": PositionLaid,
    "face_up_chosen.v1": FaceUpChosen,
    "play_started.v1": PlayStarted,
    "cards_played.v1": CardsPlayed,
    "face_down_failed.v1": FaceDownFailed,
    "pile_burned.v1": PileBurned,
    "cards_drawn.v1": CardsDrawn,
    "face_up_taken.v1": FaceUpTaken,
    "pile_taken.v1": PileTaken,
    "players_skipped.v1": PlayersSkipped,
    "turn_passed.v1": TurnPassed,
}
