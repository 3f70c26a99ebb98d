"""Worlds that fit what a seat has seen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from fairdeal.domain.tcg.book import book_of
from fairdeal.domain.tcg.cards import Card, Mode, Variation
from fairdeal.domain.tcg.decks import DEFAULT_DECK, expanded
from fairdeal.domain.tcg.moves import Move, PlayCard
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.state import Minion, Tcg
from fairdeal.domain.tcg.views import TcgView

USUAL = expanded(DEFAULT_DECK, STARTER)


def options_of(view: TcgView, moves: Sequence[Move]) -> TcgOptions:
    modes = {move.mode for move in moves if isinstance(move, PlayCard)}
    minions = view.board_limit is not None or Mode.MINION in modes or any(side.board for side in view.sides)
    base = PRESETS["full"] if minions else PRESETS["kata"]
    return replace(base, max_health=view.max_health, start_health=1, board_limit=view.board_limit,
        hand_limit=max(base.hand_limit, *(side.hand_size for side in view.sides)),
        max_slots=max(base.max_slots, *(side.slots for side in view.sides)),
        flex_healing=Mode.HEAL in modes)


def imagine(view: TcgView, moves: Sequence[Move], rng: Random) -> Tcg:
    assert view.hand is not None
    options = options_of(view, moves)
    world = Tcg(options, (None, None))
    printed = {**{c.id: c for c in STARTER}, **{h.printed.id: h.printed for h in view.hand}}
    world.book = book_of(options, tuple(printed.values()))
    world.turn, world.active, world.winner = view.turn, view.active, view.winner
    number = -1
    for seat, (side, seen) in enumerate(zip(world.sides, view.sides, strict=True)):
        side.health, side.slots, side.mana = seen.health, seen.slots, seen.mana
        side.board = [Minion(m.card, m.attack, m.health, m.asleep, m.attacked) for m in seen.board]
        side.discard = list(seen.discard)
        hand = [h.card for h in view.hand] if seat == view.seat else []
        known = Counter(c.id for c in [*hand, *seen.discard, *(m.card for m in seen.board)])
        left = list((Counter(USUAL) - known).elements())
        needed = seen.deck_size + seen.hand_size - len(hand)
        left += rng.choices(USUAL, k=max(0, needed - len(left)))
        rng.shuffle(left)
        cards = [Card(-1 - at - 100 * seat, name) for at, name in enumerate(left[:needed])]
        side.deck = tuple(cards[:seen.deck_size])
        side.hand = hand or cards[seen.deck_size:]
    return world
