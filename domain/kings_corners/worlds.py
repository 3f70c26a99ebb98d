"""Worlds that fit what a seat sees: its own cards and the piles are as they are, the other cards are dealt anew."""

from random import Random

from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.search import deal_unseen
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.domain.kings_corners.views import KingsCornersView


def imagine(view: KingsCornersView, rng: Random) -> KingsCorners:
    """Who has passed is not in a view: here nobody has."""
    assert view.hand is not None
    world = KingsCorners(len(view.hand_sizes))
    world.piles = {lying.pile: lying.cards for lying in view.piles}
    world.turn = view.turn
    world.over = view.over
    world.winner = view.winner
    seen = [*view.hand, *(card for lying in view.piles for card in lying.cards)]
    unseen = deal_unseen(DECK, seen, sum(view.hand_sizes) - len(view.hand) + view.deck_size, rng)
    for seat, size in enumerate(view.hand_sizes):
        world.hands[seat] = list(view.hand) if seat == view.seat else [unseen.pop() for _ in range(size)]
    world.deck = tuple(unseen)
    return world
