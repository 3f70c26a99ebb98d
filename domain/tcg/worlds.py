"""Worlds that fit what a seat sees: the open cards and its own hand are as they are, hands and decks are made up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.book import book_of
from fairdeal.domain.tcg.cards import Card, Mode
from fairdeal.domain.tcg.decks import DEFAULT_DECK, expanded
from fairdeal.domain.tcg.moves import Move, PlayCard
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.state import Minion, Tcg
from fairdeal.domain.tcg.views import TcgView

USUAL = expanded(DEFAULT_DECK, STARTER)
"""What somebody is taken to have brought whose deck one does not know."""


def imagine(view: TcgView, moves: Sequence[Move], rng: Random) -> Tcg:
    assert view.hand is not None
    options = likely_options(view, moves)
    world = Tcg(options, (None, None))
    known = {definition.id: definition for definition in (*STARTER, *(held.printed for held in view.hand))}
    world.book = book_of(options, tuple(known.values()))
    world.turn = view.turn
    world.active = view.active
    world.winner = view.winner
    for seat in range(len(view.sides)):
        _lay_out(world, view, seat, rng)
    return world


def likely_options(view: TcgView, moves: Sequence[Move]) -> TcgOptions:
    """A view does not tell the rule set; what lies on the table and what one may do tell enough of it."""
    modes = {move.mode for move in moves if isinstance(move, PlayCard)}
    has_minions = view.board_limit is not None or Mode.MINION in modes or any(side.board for side in view.sides)
    usual = PRESETS["full" if has_minions else "kata"]
    return replace(
        usual,
        max_health=view.max_health,
        board_limit=view.board_limit,
        hand_limit=max(usual.hand_limit, *[side.hand_size for side in view.sides]),
        max_slots=max(usual.max_slots, *[side.slots for side in view.sides]),
        flex_healing=Mode.HEAL in modes,
    )


def _lay_out(world: Tcg, view: TcgView, seat: Seat, rng: Random) -> None:
    side, seen = world.sides[seat], view.sides[seat]
    side.health = seen.health
    side.slots = seen.slots
    side.mana = seen.mana
    side.board = [Minion(lying.card, lying.attack, lying.health, lying.asleep, lying.attacked) for lying in seen.board]
    side.discard = list(seen.discard)
    hand = [held.card for held in view.hand or ()] if seat == view.seat else []
    came = Counter([card.id for card in (*hand, *seen.discard, *(lying.card for lying in seen.board))])
    hidden = seen.deck_size + seen.hand_size - len(hand)
    names = [*(Counter(USUAL) - came).elements()]
    names += rng.choices(USUAL, k=max(0, hidden - len(names)))
    rng.shuffle(names)
    # Numbers below zero, so that no card is there twice.
    cards = [Card(-1 - 2 * at - seat, name) for at, name in enumerate(names[:hidden])]
    side.deck = tuple(cards[: seen.deck_size])
    side.hand = hand or cards[seen.deck_size :]
