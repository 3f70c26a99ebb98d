"""Pardon in words and as a drawing of the table."""

from typing import Any, assert_never

from fairdeal.domain.kernel.french_deck import RANKS
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.pardon.cards import effective_top
from fairdeal.domain.pardon.events import (
    Burn,
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
from fairdeal.domain.pardon.views import PardonView, Phase

SHOWN = 10
"""Cards of the table that a drawing shows, from the top."""


Deed = FaceUpChosen | CardsPlayed | FaceDownFailed | PileTaken | CardsDrawn | FaceUpTaken


def tell(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardsDealt():
            return "Seven cards each are dealt, and three more face down; everybody chooses three to lie face up."
        case PositionLaid():
            return f"A position is laid out; {names[event.turn]} begins."
        case PlayStarted():
            return f"Everybody has chosen; {names[event.first]} begins."
        case FaceUpChosen() | CardsPlayed() | FaceDownFailed() | PileTaken() | CardsDrawn() | FaceUpTaken():
            return f"{names[event.seat]} {_deed(event)}."
        case PileBurned():
            cause = "A ten" if event.reason is Burn.TEN else "Four of a kind"
            return f"{cause} burns the table ({_count(event.cards)})."
        case PlayersSkipped():
            return f"{' and '.join(names[seat] for seat in event.seats)} must sit out."
        case TurnPassed():
            return f"It is {names[event.to]}'s turn."
        case _:
            raise TypeError(f"Pardon does not know the event {type(event).__name__}.")


def about(event: Any) -> Seat | None:
    """Whose line it is: the seat that acts in it."""
    match event:
        case FaceUpChosen() | CardsPlayed() | FaceDownFailed() | PileTaken() | CardsDrawn() | FaceUpTaken():
            return event.seat
        case _:
            return None


def _deed(event: Deed) -> str:
    """What a player did, without their name."""
    match event:
        case FaceUpChosen():
            return f"puts {' '.join(event.cards)} face up"
        case CardsPlayed(slot=None):
            return f"plays {' '.join(event.cards)}"
        case CardsPlayed():
            return f"turns face-down card {event.slot} and plays it: {event.cards[0]}"
        case FaceDownFailed():
            return f"turns face-down card {event.slot}: {event.card} fails and is taken with the table"
        case PileTaken():
            return f"takes the table ({_count(event.cards)}): {' '.join(event.cards)}"
        case CardsDrawn():
            known = " ".join(card for card in event.cards if card)
            return f"draws {_count(event.cards)}: {known}" if known else f"draws {_count(event.cards)}"
        case FaceUpTaken():
            return "picks up the face-up cards"
        case _:
            assert_never(event)


def _count(cards: tuple[object, ...]) -> str:
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


def render(view: PardonView, names: tuple[str, ...]) -> str:
    """The top of the table with what has to be beaten, and a line for everybody; # is a card face down."""
    width = max(len(name) for name in names)
    seats = [f"{_mark(view, at)} {name:<{width}}  {_row(view, at)}" for at, name in enumerate(names)]
    return "\n".join([f"deck {view.deck_size}   burned {len(view.burned)}", _table(view), *seats])


def _table(view: PardonView) -> str:
    if not view.table:
        return "table empty" if view.failed is None else f"table empty   {view.failed} failed"
    more = "… " if len(view.table) > SHOWN else ""
    return f"table ({len(view.table)})  {more}{' '.join(view.table[-SHOWN:])}   {_wanted(view)}"


def _wanted(view: PardonView) -> str:
    match effective_top(view.table):
        case None | 2:
            return "anything goes"
        case 7:
            return "below 7"
        case rank:
            return f"above {RANKS[rank - 1]}"


def _mark(view: PardonView, seat: Seat) -> str:
    if view.over:
        return "*" if seat == view.winner else " "
    to_act = seat == view.turn if view.phase is Phase.PLAY else not view.chosen[seat]
    return "→" if to_act else " "


def _row(view: PardonView, seat: Seat) -> str:
    face_down = " ".join("#" if slot in view.face_down[seat] else "-" for slot in SLOTS)
    face_up = " ".join(f"{card:>3}" for card in view.face_up[seat]) or "-"
    own = view.hand is not None and seat == view.seat
    hand = " ".join(view.hand or ()) or "empty" if own else f"{view.hand_sizes[seat]} in hand"
    return f"[{face_down}]  [{face_up:^11}]  {hand}"
