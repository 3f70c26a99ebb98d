"""Kings Corners in words and as a drawing of the table."""

from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    CardsDealt,
    NothingDrawn,
    PileMoved,
    PositionLaid,
    TurnPassed,
)
from fairdeal.domain.kings_corners.views import KingsCornersView

CELL = 13


def tell(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardsDealt():
            return "Seven cards each are dealt, and one onto each foundation."
        case PositionLaid():
            return f"A position is laid out; {names[event.turn]} begins."
        case CardPlayed():
            return f"{names[event.seat]} plays {event.card} on {event.pile}."
        case PileMoved():
            return f"{names[event.seat]} moves {event.source} ({' '.join(event.cards)}) onto {event.target}."
        case CardDrawn(card=None):
            return f"{names[event.seat]} draws a card."
        case CardDrawn():
            return f"{names[event.seat]} draws {event.card}."
        case NothingDrawn():
            return f"{names[event.seat]} draws nothing: the deck is empty."
        case TurnPassed():
            return f"It is {names[event.to]}'s turn."
        case _:
            raise TypeError(f"Kings Corners does not know the event {type(event).__name__}.")


def about(event: Any) -> Seat | None:
    """Whose line it is: the seat that acts in it."""
    match event:
        case CardPlayed() | PileMoved() | CardDrawn() | NothingDrawn():
            return event.seat
        case _:
            return None


def render(view: KingsCornersView, names: tuple[str, ...]) -> str:
    """The cross of piles with its corners; of each pile the bottom and the top card."""
    deck = f"deck {view.deck_size}"
    rows = [
        (_pile(view, Pile.NW), _pile(view, Pile.N), _pile(view, Pile.NE)),
        (_pile(view, Pile.W), deck, _pile(view, Pile.E)),
        (_pile(view, Pile.SW), _pile(view, Pile.S), _pile(view, Pile.SE)),
    ]
    table = ["".join(f"[{cell:^{CELL}}]" for cell in row) for row in rows]
    seats = [_seat(view, at, name) for at, name in enumerate(names)]
    return "\n".join([*table, *seats, *_result(view, names)])


def _pile(view: KingsCornersView, pile: Pile) -> str:
    cards = view.pile(pile)
    match cards:
        case ():
            return f"{pile} –"
        case (only,):
            return f"{pile} {only}"
        case _:
            return f"{pile} {cards[0]}…{cards[-1]}"


def _seat(view: KingsCornersView, seat: int, name: str) -> str:
    mark = "→" if seat == view.turn and not view.over else " "
    hand = " ".join(view.hand or ()) if seat == view.seat else _count(view.hand_sizes[seat])
    return f"{mark} {name}: {hand}".rstrip()


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _result(view: KingsCornersView, names: tuple[str, ...]) -> list[str]:
    if not view.over:
        return []
    return ["Stalemate: nobody wins." if view.winner is None else f"{names[view.winner]} has won."]
