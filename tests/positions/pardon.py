"""Positions of Pardon written as text, for the tests of its rules."""

from fairdeal.domain.kernel.french_deck import Card, cards
from fairdeal.domain.pardon.events import FaceDown, PositionLaid


def position(
    hands: str, *, table: str = "", face_up: str = "", face_down: str = "", deck: str = "", turn: int = 0
) -> PositionLaid:
    """Seats are parted by `/`, slots that were turned already are written `-`: `face_down="JC - KC / QD QH QS"`."""
    seats = len(hands.split("/"))
    return PositionLaid(
        hands=by_seat(hands, seats),
        face_up=by_seat(face_up, seats),
        face_down=tuple(slots(text) for text in parts(face_down, seats)),
        table=cards(table),
        deck=cards(deck),
        turn=turn,
    )


def by_seat(text: str, seats: int) -> tuple[tuple[Card, ...], ...]:
    return tuple(cards(part) for part in parts(text, seats))


def parts(text: str, seats: int) -> list[str]:
    found = text.split("/") if text else [""] * seats
    assert len(found) == seats
    return found


def slots(text: str) -> tuple[FaceDown, ...]:
    return tuple(FaceDown(slot, Card(name)) for slot, name in enumerate(text.split(), 1) if name != "-")
