"""Positions of Red7 as the tests write them: seats are parted by a slash, cards by blanks."""

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import Card, cards
from fairdeal.domain.red7.events import PositionLaid
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.options import Red7Options
from fairdeal.testing import given
from fairdeal.testing.given import Given


def seats(text: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(cards(part) for part in text.split("/"))


def position(
    hands: str,
    palettes: str,
    *,
    canvas: str = "",
    deck: str = "",
    out: tuple[Seat, ...] = (),
    scores: str | None = None,
    turn: Seat = 0,
) -> PositionLaid:
    held = seats(hands)
    scored = ((),) * len(held) if scores is None else seats(scores)
    return PositionLaid(held, seats(palettes), cards(canvas), cards(deck), out, scored, turn)


def table(laid: PositionLaid, options: str | Red7Options = "basic") -> Given:
    """A table with this position, by a preset or by options of one's own."""
    chosen = RED7.presets[options] if isinstance(options, str) else options
    return given(RED7, laid, seats=len(laid.hands), options=chosen)
