"""Players of Reviiyot: the four types with their exact ties and pointers, one random, one who looks ahead."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from random import Random

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import Lookahead
from fairdeal.domain.reviiyot.cards import SET_SIZE, value_of
from fairdeal.domain.reviiyot.legal import active, legal
from fairdeal.domain.reviiyot.moves import Ask, Move, ask
from fairdeal.domain.reviiyot.options import Strategy
from fairdeal.domain.reviiyot.rules import decide
from fairdeal.domain.reviiyot.state import EVOLVE, Reviiyot
from fairdeal.domain.reviiyot.views import ReviiyotView
from fairdeal.domain.reviiyot.worlds import imagine


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


careful = by(Strategy.MOST_HELD)
"""The type that loses least often."""


# -- looking ahead ----------------------------------------------------------------------------------


def strong(view: ReviiyotView, moves: Sequence[Move], rng: Random) -> Move:
    """Looks ahead over deals that fit what it sees, with everybody asking for what they hold most of from there on."""
    assert view.seat is not None
    ahead = _DUEL if len(view.hand_sizes) == 2 else AHEAD
    return ahead.best(view.seat, moves, careful(view, moves, rng), partial(imagine, view), rng)


def _carefully(state: Reviiyot, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
    """As the first type does, from the state: a view for each ask would take too long."""
    held = Counter([place // SET_SIZE for place in state.hands[seat]])
    value = max(reversed(held), key=held.__getitem__)
    sizes = state.sizes
    fullest = max([other for other in range(len(sizes)) if other != seat], key=lambda other: (sizes[other], other))
    return ask(fullest, state.pack.values[value])


def _fewest_values(state: Reviiyot, seat: Seat) -> float:
    """Who holds few values while there is a deck may be rid of them before the others; a shared win is half of one."""
    own = _values(state, seat)
    other = min([_values(state, at) for at in range(len(state.hands)) if at != seat])
    return other / (own + other) if own or other else 0.5


def _values(state: Reviiyot, seat: Seat) -> int:
    return len({place // SET_SIZE for place in state.hands[seat]})


AHEAD = Lookahead(
    decide=decide,
    evolve=EVOLVE,
    active=active,
    legal=legal,
    policy=_carefully,
    judge=_fewest_values,
    budget=400,
    horizon=8,
    doubt=0,
)
_DUEL = replace(AHEAD, doubt=2)
"""For two, who win together once the deck is empty: both hold the same values then, and every ask completes one."""
