"""Worlds that fit what a seat sees: what lies open and its own hand are as they are, the other cards are dealt anew."""

from random import Random

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.search import deal_unseen
from fairdeal.domain.pardon.cards import as_set
from fairdeal.domain.pardon.state import Pardon
from fairdeal.domain.pardon.views import PardonView, Phase


def imagine(view: PardonView, rng: Random) -> Pardon:
    world = Pardon(len(view.hand_sizes), view.no_progress_limit)
    world.face_up = list(view.face_up)
    world.table = view.table
    world.burned = view.burned
    world.failed = view.failed
    world.choosing = view.phase is Phase.CHOOSE
    world.turn = view.turn or 0
    world.idle = view.idle
    world.over = view.over
    world.winner = view.winner
    _deal_hidden(world, view, rng)
    return world


def _deal_hidden(world: Pardon, view: PardonView, rng: Random) -> None:
    known = [_known_of_hand(view, seat) for seat in range(len(view.hand_sizes))]
    seen = [*view.table, *view.burned, *(card for cards in (*view.face_up, *known) for card in cards)]
    closed = sum(len(slots) for slots in view.face_down)
    hidden = sum(view.hand_sizes) - sum(len(cards) for cards in known) + closed + view.deck_size
    unseen = deal_unseen(DECK, seen, hidden, rng)
    for seat, size in enumerate(view.hand_sizes):
        world.hands[seat] = as_set([*known[seat], *(unseen.pop() for _ in range(size - len(known[seat])))])
        world.face_down[seat] = {slot: unseen.pop() for slot in view.face_down[seat]}
    world.deck = tuple(unseen)


def _known_of_hand(view: PardonView, seat: int) -> tuple[Card, ...]:
    """One's own hand; of another a face-down card that has just failed: its owner was on turn before."""
    if seat == view.seat:
        return view.hand or ()
    if view.failed is not None and view.turn is not None and seat == (view.turn - 1) % len(view.hand_sizes):
        return (view.failed,)
    return ()
