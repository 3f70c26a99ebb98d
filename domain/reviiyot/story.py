"""Reviiyot in words and as a drawing of the table."""

from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.reviiyot.events import (
    CardsAsked,
    CardsDealt,
    CardsDrawn,
    CardsGiven,
    PositionLaid,
    SetDiscarded,
)
from fairdeal.domain.reviiyot.views import ReviiyotView


def tell(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardsDealt():
            return "Seven cards each are dealt."
        case PositionLaid():
            return f"A position is laid out; it is {names[event.turns % len(names)]}'s turn."
        case CardsAsked():
            return f"{names[event.seat]} asks {names[event.asked]} for the value {event.value}."
        case CardsGiven():
            gift = f"{_count(len(event.cards))} of the value {event.value}"
            return f"{names[event.seat]} gives {names[event.to]} {gift}{_if_seen(event.cards)}."
        case CardsDrawn():
            return f"{names[event.seat]} draws {_count(len(event.cards))}{_if_seen(event.cards)}."
        case SetDiscarded():
            return f"{names[event.seat]} discards all four cards of the value {event.value}."
        case _:
            raise TypeError(f"Reviiyot does not know the event {type(event).__name__}.")


def about(event: Any) -> Seat | None:
    """Whose line it is: the seat that acts in it."""
    match event:
        case CardsAsked() | CardsGiven() | CardsDrawn() | SetDiscarded():
            return event.seat
        case _:
            return None


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _if_seen(cards: tuple[str | None, ...]) -> str:
    seen = [card for card in cards if card is not None]
    return f": {' '.join(seen)}" if seen else ""


def render(view: ReviiyotView, names: tuple[str, ...]) -> str:
    """The deck, the values that are out of the game, and everybody's cards."""
    turn = f"after turn {view.turns}" if view.over else f"turn {view.turns + 1}"
    head = f"deck {view.deck_size}   {turn}   discarded: {' '.join(view.discarded) or '–'}"
    return "\n".join([head, *(_seat(view, at, name) for at, name in enumerate(names))])


def _seat(view: ReviiyotView, seat: int, name: str) -> str:
    mark = "→" if seat == view.turn and not view.over else " "
    hand = " ".join(view.hand) if view.hand is not None and seat == view.seat else _count(view.hand_sizes[seat])
    return f"{mark} {name}: {hand}"
