"""Worlds that fit what a seat has seen: who holds the other cards is made up."""
from random import Random

from fairdeal.domain.red7.cards import DECK, set_of
from fairdeal.domain.red7.state import Red7
from fairdeal.domain.red7.views import Red7View


def imagine(view: Red7View, rng: Random) -> Red7:
    assert view.hand is not None
    world = Red7(len(view.players), view.options)
    world.palettes = [list(p.palette) for p in view.players]
    world.palette_sets = [set_of(p) for p in world.palettes]
    world.canvas = view.canvas
    world.scores = [p.score for p in view.players]
    world.playing = tuple(at for at, p in enumerate(view.players) if not p.out)
    world.turn, world.last_played, world.round, world.over = view.turn, view.last_played, view.round, view.over
    seen = {*view.hand, *view.canvas, *view.deck_top}
    for p in view.players:
        seen |= {*p.palette, *p.score, *p.known}
        world.known |= set_of(p.known)
    world.known |= set_of(view.deck_top)
    unseen = [card for card in DECK if card not in seen]
    rng.shuffle(unseen)
    for seat, p in enumerate(view.players):
        if seat == view.seat:
            world.hands[seat] = list(view.hand)
        else:
            world.hands[seat] = [*p.known, *(unseen.pop() for _ in range(p.hand_size - len(p.known)))]
    rest = view.deck_size - len(view.deck_top)
    world.deck = (*view.deck_top, *unseen[:rest])
    world.removed = tuple(unseen[rest:])
    return world
