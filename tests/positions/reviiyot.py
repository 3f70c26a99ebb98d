"""Tables of Reviiyot, written as players write cards."""

from fairdeal.domain.reviiyot.options import Strategy
from fairdeal.domain.reviiyot.views import ReviiyotView
from fairdeal.infrastructure.games.reviiyot.config import Config, ConfiguredPlayer
from fairdeal.testing.positions import reviiyot as position

__all__ = ["config_of", "position", "view_of"]


def view_of(hand: str, *, seat: int, sizes: tuple[int, ...], last_asked: int | None = None) -> ReviiyotView:
    """What a seat sees whose turn it is."""
    return ReviiyotView(
        seat=seat,
        hand=tuple(hand.split()),
        hand_sizes=sizes,
        deck_size=0,
        discarded=(),
        turns=seat,
        turn=seat,
        last_asked=last_asked,
        strategy=None,
        n=10,
        over=False,
    )


def config_of(deck: str, strategies: str, *, n: int, verbal: bool = False) -> Config:
    """Players called A, B, C … with the strategies in their order."""
    players = (ConfiguredPlayer(chr(ord("A") + at), Strategy(one)) for at, one in enumerate(strategies))
    return Config(verbal, n, tuple(deck.split()), tuple(players))
