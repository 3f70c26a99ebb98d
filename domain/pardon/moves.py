"""What a player can do in Pardon."""

from dataclasses import dataclass
from itertools import combinations

from fairdeal.domain.pardon.cards import OF_RANK, RANKS, CardSet, as_cards, as_set


@dataclass(frozen=True, slots=True)
class ChooseFaceUp:
    """The cards are what the player named; whether there are such cards, the rules say."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayCards:
    """They come to lie on the table in the order in which they are named; no rule depends on that order."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeTable:
    pass


@dataclass(frozen=True, slots=True)
class TurnFaceDown:
    slot: int


Move = ChooseFaceUp | PlayCards | TakeTable | TurnFaceDown

MOVES: dict[str, type[Move]] = {
    "choose": ChooseFaceUp,
    "play": PlayCards,
    "take": TakeTable,
    "face_down": TurnFaceDown,
}

SLOTS = (1, 2, 3)

# Every move of the play phase there can ever be, made once: building them for each list would cost most of its time.
TAKE = TakeTable()
TURNS: dict[int, TurnFaceDown] = {slot: TurnFaceDown(slot) for slot in SLOTS}
_ONE_RANK: tuple[tuple[CardSet, PlayCards], ...] = tuple(
    (as_set(cards), PlayCards(cards))
    for rank in RANKS
    for count in (1, 2, 3, 4)
    for cards in combinations(as_cards(OF_RANK[rank]), count)
)
PLAYS: dict[CardSet, tuple[PlayCards, ...]] = {
    held: tuple(play for cards, play in _ONE_RANK if cards & held == cards) for held, _ in _ONE_RANK
}
"""For the cards of one rank that a hand holds, all sets that can be played of them, each in one order."""
