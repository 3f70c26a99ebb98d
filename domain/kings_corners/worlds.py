"""Worlds that fit what a seat has seen: who holds the other cards is made up."""

from random import Random

from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.domain.kings_corners.views import KingsCornersView


def imagine(view: KingsCornersView, rng: Random) -> KingsCorners:
    """The table as it is seen, with the unseen cards dealt anew."""
    assert view.hand is not None
    world = KingsCorners(len(view.hand_sizes))
    world.piles = {lying.pile: lying.cards for lying in view.piles}
    seen = {*view.hand, *(card for lying in view.piles for card in lying.cards)}
    unseen = [card for card in DECK if card not in seen]
    rng.shuffle(unseen)
    for seat, size in enumerate(view.hand_sizes):
        world.hands[seat] = list(view.hand) if seat == view.seat else [unseen.pop() for _ in range(size)]
    world.deck = tuple(unseen)
    world.turn = view.turn
    world.over = view.over
    world.winner = view.winner
    return world
