"""Worlds that fit what a seat sees: its hand and what is discarded are as they are, the other cards are dealt anew."""

from random import Random

from fairdeal.domain.kernel.search import deal_unseen
from fairdeal.domain.reviiyot.cards import SHAPES, pack_of
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions
from fairdeal.domain.reviiyot.state import Reviiyot
from fairdeal.domain.reviiyot.views import ReviiyotView


def imagine(view: ReviiyotView, rng: Random) -> Reviiyot:
    """What the others have brought, whom they asked, and how many asks were in vain, is not in a view."""
    assert view.seat is not None
    assert view.hand is not None
    brought: list[PlaysBy | None] = [None] * len(view.hand_sizes)
    if view.strategy is not None:
        brought[view.seat] = PlaysBy(view.strategy)
    world = Reviiyot(len(brought), ReviiyotOptions(view.n), tuple(brought))
    world.pack = pack_of(view.n)
    world.sizes = list(view.hand_sizes)
    world.discarded = view.discarded
    world.turns = view.turns
    world.turn = view.turn
    world.last_asked[view.seat] = view.last_asked
    world.over = view.over
    seen = [*view.hand, *(value + shape for value in view.discarded for shape in SHAPES)]
    hidden = sum(view.hand_sizes) - len(view.hand) + view.deck_size
    unseen = deal_unseen(world.pack.cards, seen, hidden, rng)
    for seat, size in enumerate(view.hand_sizes):
        cards = view.hand if seat == view.seat else [unseen.pop() for _ in range(size)]
        world.hands[seat] = sorted([world.pack.places[card] for card in cards])
    world.deck = tuple(unseen)
    return world
