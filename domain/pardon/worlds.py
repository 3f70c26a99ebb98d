"""Worlds that fit what a seat has seen: who holds the other cards, and what lies face down, is made up."""

from random import Random

from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.pardon.cards import as_set
from fairdeal.domain.pardon.state import Pardon
from fairdeal.domain.pardon.views import PardonView, Phase


def imagine(view: PardonView, rng: Random) -> Pardon:
    """The table as it is seen, with the unseen cards dealt anew."""
    assert view.hand is not None
    seats = len(view.hand_sizes)
    world = Pardon(seats, view.no_progress_limit)
    world.face_up = list(view.face_up)
    world.table, world.burned, world.failed = view.table, view.burned, view.failed
    world.choosing = view.phase is Phase.CHOOSE
    world.turn = view.turn or 0
    world.idle = view.idle
    world.over, world.winner = view.over, view.winner
    seen = {*view.hand, *view.table, *view.burned, *(card for row in view.face_up for card in row)}
    if view.failed is not None: seen.add(view.failed)
    unseen = [card for card in DECK if card not in seen]
    rng.shuffle(unseen)
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            world.hands[seat] = as_set(view.hand)
        else:
            known = [view.failed] if view.failed is not None and seat == (world.turn - 1) % seats else []
            world.hands[seat] = as_set([*known, *(unseen.pop() for _ in range(size - len(known)))])
        world.face_down[seat] = {slot: unseen.pop() for slot in view.face_down[seat]}
    world.deck = tuple(unseen)
    return world
