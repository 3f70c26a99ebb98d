"""Worlds that fit what a seat has seen: who holds the other cards is made up."""

from random import Random

from fairdeal.domain.reviiyot.cards import SHAPES, pack_of
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions
from fairdeal.domain.reviiyot.state import Reviiyot
from fairdeal.domain.reviiyot.views import ReviiyotView


def imagine(view: ReviiyotView, rng: Random) -> Reviiyot:
    """The table as it is seen, with the unseen cards dealt anew."""
    assert view.hand is not None
    assert view.seat is not None
    seats = len(view.hand_sizes)
    brought = [None] * seats
    if view.strategy is not None: brought[view.seat] = PlaysBy(view.strategy)
    world = Reviiyot(seats, ReviiyotOptions(view.n), tuple(brought))
    world.pack = pack_of(view.n)
    world.sizes = list(view.hand_sizes)
    world.discarded, world.turns, world.turn, world.over = view.discarded, view.turns, view.turn, view.over
    world.last_asked[view.seat] = view.last_asked
    seen = {*view.hand, *(value + shape for value in view.discarded for shape in SHAPES)}
    unseen = [card for card in world.pack.cards if card not in seen]
    rng.shuffle(unseen)
    places = world.pack.places
    for seat, size in enumerate(view.hand_sizes):
        cards = view.hand if seat == view.seat else [unseen.pop() for _ in range(size)]
        world.hands[seat] = sorted(places[card] for card in cards)
    world.deck = tuple(unseen[:view.deck_size])
    return world
