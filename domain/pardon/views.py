"""What a seat or a spectator may see of a game of Pardon."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.pardon.cards import as_cards
from fairdeal.domain.pardon.events import CardsDealt, CardsDrawn, FaceDown, PositionLaid
from fairdeal.domain.pardon.state import DEALT, Pardon


class Phase(StrEnum):
    """Everybody chooses three face-up cards, then they play in turn."""

    CHOOSE = "choose"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class PardonView:
    """Everything that lies open, everybody's number of cards, and one's own hand (None for a spectator)."""

    seat: Seat | None
    phase: Phase
    hand: tuple[Card, ...] | None
    hand_sizes: tuple[int, ...]
    chosen: tuple[bool, ...]
    face_up: tuple[tuple[Card, ...], ...]
    face_down: tuple[tuple[int, ...], ...]
    """For each seat the slots that are still closed; what lies there nobody knows."""
    table: tuple[Card, ...]
    failed: Card | None
    """The face-down card that failed in the last action: everybody has seen which hand it went to."""
    burned: tuple[Card, ...]
    deck_size: int
    turn: Seat | None
    """Nobody's while everybody chooses; after the end, whose it was."""
    idle: int
    """How many actions have brought no progress, and how many of them make a draw (None: no number does)."""
    no_progress_limit: int | None
    over: bool
    winner: Seat | None


def view(state: Pardon, seat: Seat | None) -> PardonView:
    return PardonView(
        seat=seat,
        phase=Phase.CHOOSE if state.choosing else Phase.PLAY,
        hand=None if seat is None else as_cards(state.hands[seat]),
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        chosen=tuple(state.has_chosen(at) for at in range(len(state.hands))),
        face_up=tuple(state.face_up),
        face_down=tuple(tuple(slots) for slots in state.face_down),
        table=state.table,
        failed=state.failed,
        burned=state.burned,
        deck_size=state.deck_size,
        turn=state.current,
        idle=state.idle,
        no_progress_limit=state.limit,
        over=state.over,
        winner=state.winner,
    )


def redact(event: Any, seat: Seat | None) -> Any:
    match event:
        case CardsDealt():
            return replace(event, deck=_seen_of_deal(event, seat))
        case PositionLaid():
            hands = tuple(hand if at == seat else (None,) * len(hand) for at, hand in enumerate(event.hands))
            face_down = tuple(tuple(FaceDown(lies.slot, None) for lies in slots) for slots in event.face_down)
            return replace(event, hands=hands, face_down=face_down, deck=(None,) * len(event.deck))
        case CardsDrawn() if event.seat != seat:
            return CardsDrawn(event.seat, (None,) * len(event.cards))
        case _:
            return event


def _seen_of_deal(event: CardsDealt, seat: Seat | None) -> tuple[Card | None, ...]:
    """Of a deal one sees one's own seven cards, not the three that lie face down."""
    own = range(0) if seat is None else range(seat * DEALT, (seat + 1) * DEALT)
    return tuple(card if at in own else None for at, card in enumerate(event.deck))


def hidden(state: Pardon, seat: Seat | None) -> list[Card]:
    """The other hands, the deck, and everything face down: nobody knows even their own."""
    others = [card for at, hand in enumerate(state.hands) if at != seat for card in as_cards(hand)]
    return [card for card in others if card is not state.failed] + _face_down(state) + list(state.deck[state.gone :])


def places(state: Pardon) -> list[Place]:
    of_seats = [place for seat in range(len(state.hands)) for place in _places_of(state, seat)]
    table = Place("table", None, state.table)
    return [*of_seats, table, Place("burned cards", None, state.burned), Place("deck", None, state.deck[state.gone :])]


def _places_of(state: Pardon, seat: Seat) -> list[Place]:
    return [
        Place("hand", seat, as_cards(state.hands[seat])),
        Place("face-up row", seat, state.face_up[seat]),
        Place("face-down cards", seat, tuple(state.face_down[seat].values())),
    ]


def _face_down(state: Pardon) -> list[Card]:
    return [card for slots in state.face_down for card in slots.values()]
