"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Sequence
from itertools import combinations

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.pardon.cards import BEATING, CardSet, as_cards, effective_top
from fairdeal.domain.pardon.moves import PLAYS, TAKE, TURNS, ChooseFaceUp, Move
from fairdeal.domain.pardon.state import Pardon


def active(state: Pardon) -> tuple[Seat, ...]:
    if state.over:
        return ()
    if not state.choosing:
        return (state.turn,)
    return tuple(seat for seat in range(len(state.hands)) if not state.has_chosen(seat))


def legal(state: Pardon, seat: Seat) -> list[Move]:
    """Sets of cards are listed in one order each; `decide` takes the same cards in any order."""
    if state.over:
        return []
    if state.choosing:
        return [] if state.has_chosen(seat) else choices(state.hands[seat])
    if seat != state.turn:
        return []
    moves: list[Move] = []
    hand = state.hands[seat]
    if hand:
        for rank in BEATING[effective_top(state.table)]:
            held = hand & rank
            if held:
                moves += PLAYS[held]
    else:
        moves += [TURNS[slot] for slot in state.face_down[seat]]
    if state.table:
        moves.append(TAKE)
    return moves


def choices(hand: CardSet) -> list[Move]:
    return [ChooseFaceUp(three) for three in combinations(as_cards(hand), 3)]


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The table is taken; where nothing lies there, and for the choice of cards, the first of the legal moves."""
    return TAKE if TAKE in moves else moves[0]
