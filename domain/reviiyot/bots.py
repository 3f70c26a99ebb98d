"""The four types of players of Reviiyot, with their exact ties and pointers, and a random one."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.reviiyot.cards import value_of
from fairdeal.domain.reviiyot.moves import Ask, Move, ask
from fairdeal.domain.reviiyot.options import Strategy
from fairdeal.domain.reviiyot.views import ReviiyotView


def random(view: ReviiyotView, moves: Sequence[Move], rng: Random) -> Move:
    """Any seat, any value."""
    return rng.choice(moves)


def brought(view: ReviiyotView, moves: Sequence[Move], rng: Random) -> Move:
    """The strategy that the seat brought to the table; at random without one."""
    return random(view, moves, rng) if view.strategy is None else choose(view, view.strategy)


def by(strategy: Strategy) -> Callable[[ReviiyotView, Sequence[Move], Random], Move]:
    """The bot that plays by a strategy, whatever the seat brought."""

    def bot(view: ReviiyotView, moves: Sequence[Move], rng: Random) -> Move:
        return choose(view, strategy)

    return bot


def choose(view: ReviiyotView, strategy: Strategy) -> Ask:
    """What a strategy asks in this view: it leaves nothing to chance (RULES 5)."""
    wanted, asked = _TYPES[strategy]
    assert view.hand is not None
    return ask(asked(view), wanted(view.hand))


# -- which value; hands are in ascending order ----------------------------------------------------


def most_held(hand: tuple[str, ...]) -> str:
    """The largest number of cards; among equals the higher value."""
    held = Counter([card[:-1] for card in hand])
    return max(reversed(held), key=held.__getitem__)


def least_held(hand: tuple[str, ...]) -> str:
    """The smallest number of cards; among equals the lower value."""
    held = Counter([card[:-1] for card in hand])
    return min(held, key=held.__getitem__)


def highest(hand: tuple[str, ...]) -> str:
    return value_of(hand[-1])


def lowest(hand: tuple[str, ...]) -> str:
    return value_of(hand[0])


# -- which seat -------------------------------------------------------------------------------------


def most_cards(view: ReviiyotView) -> Seat:
    """Whoever else holds most cards; among equals the higher position."""
    first, second = _fullest_two(view.hand_sizes)
    return second if first == view.seat else first


@lru_cache(maxsize=16)
def _fullest_two(sizes: tuple[int, ...]) -> tuple[Seat, Seat]:
    """Remembered, because with a thousand seats hundreds ask before a card moves."""
    first = _last_of_most(sizes)
    return first, _last_of_most((*sizes[:first], -1, *sizes[first + 1 :]))


def _last_of_most(sizes: tuple[int, ...]) -> Seat:
    return len(sizes) - 1 - sizes[::-1].index(max(sizes))


def next_around(view: ReviiyotView) -> Seat:
    """The seat after the one asked last, at first seat 0; oneself is passed over."""
    seats = len(view.hand_sizes)
    after = 0 if view.last_asked is None else (view.last_asked + 1) % seats
    return (after + 1) % seats if after == view.seat else after


_TYPES: Mapping[Strategy, tuple[Callable[[tuple[str, ...]], str], Callable[[ReviiyotView], Seat]]] = {
    Strategy.MOST_HELD: (most_held, most_cards),
    Strategy.LEAST_HELD: (least_held, most_cards),
    Strategy.HIGHEST: (highest, next_around),
    Strategy.LOWEST: (lowest, next_around),
}
