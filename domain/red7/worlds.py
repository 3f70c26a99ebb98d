"""Worlds that fit what a seat sees: the table and its own hand are as they are, the other cards are dealt anew."""

from random import Random

from fairdeal.domain.kernel.search import deal_unseen
from fairdeal.domain.red7.cards import DECK, Card, set_of
from fairdeal.domain.red7.state import Red7
from fairdeal.domain.red7.views import Red7View


def imagine(view: Red7View, rng: Random) -> Red7:
    world = Red7(len(view.players), view.options)
    world.palettes = [list(player.palette) for player in view.players]
    world.palette_sets = [set_of(palette) for palette in world.palettes]
    world.canvas = view.canvas
    world.scores = [player.score for player in view.players]
    world.playing = tuple(seat for seat, player in enumerate(view.players) if not player.out)
    world.turn = view.turn
    world.last_played = view.last_played
    world.round = view.round
    world.over = view.over
    world.known = set_of([*view.deck_top, *(card for player in view.players for card in player.known)])
    _deal_hidden(world, view, rng)
    return world


def _deal_hidden(world: Red7, view: Red7View, rng: Random) -> None:
    """Hands and deck get their cards; what is left over must be out of the round, though not all of it is unseen."""
    known = [_known_of_hand(view, seat) for seat in range(len(view.players))]
    seen = [*view.canvas, *view.deck_top]
    for places in (known, world.palettes, world.scores):
        seen += [card for place in places for card in place]
    below = view.deck_size - len(view.deck_top)
    missing = [player.hand_size - len(cards) for player, cards in zip(view.players, known, strict=True)]
    unseen = deal_unseen(DECK, seen, below + sum(missing), rng)
    for seat, cards in enumerate(known):
        world.hands[seat] = [*cards, *(unseen.pop() for _ in range(missing[seat]))]
    world.deck = (*view.deck_top, *unseen)
    there = {*seen, *world.deck, *(card for hand in world.hands for card in hand)}
    world.removed = tuple(card for card in DECK if card not in there)


def _known_of_hand(view: Red7View, seat: int) -> tuple[Card, ...]:
    return view.players[seat].known if seat != view.seat or view.hand is None else view.hand
