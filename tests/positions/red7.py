"""Positions of Red7 as the tests write them: seats are parted by a slash, cards by spaces."""

from fairdeal.domain.red7.events import PositionLaid
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.options import Red7Options
from fairdeal.testing import given
from fairdeal.testing.given import Given
from fairdeal.testing.positions import red7 as position

__all__ = ["position", "table"]


def table(laid: PositionLaid, options: str | Red7Options = "basic") -> Given:
    """A table with this position, by a preset or by options of one's own."""
    chosen = RED7.setup.presets[options] if isinstance(options, str) else options
    return given(RED7, laid, seats=len(laid.hands), options=chosen)
