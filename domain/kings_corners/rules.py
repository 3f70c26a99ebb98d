"""A turn of Kings Corners: cards are played, piles moved, and a card is drawn at its end (RULES 4 and 5)."""

from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kings_corners.events import PileMoved, card_drawn, card_played, nothing_drawn, turn_passed
from fairdeal.domain.kings_corners.guards import must_be_movable, must_be_pile, must_be_turn, must_fit, must_hold
from fairdeal.domain.kings_corners.moves import EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners

WON = "won"
STALEMATE = "stalemate"


def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
    must_be_turn(draft.state, seat)
    match move:
        case PlayCard():
            play_card(draft, seat, move)
        case MovePile():
            move_pile(draft, seat, move)
        case EndTurn():
            end_turn(draft, seat)
        case _:
            assert_never(move)


def play_card(draft: Draft[KingsCorners], seat: Seat, move: PlayCard) -> None:
    state = draft.state
    pile = must_be_pile(move.pile)
    card = must_hold(state, seat, move.card)
    must_fit(card, pile, state.piles[pile])
    draft.say(card_played(seat, card, pile))
    if not state.hands[seat]:
        draft.say(GameFinished((seat,), (), WON))


def move_pile(draft: Draft[KingsCorners], seat: Seat, move: MovePile) -> None:
    source, target = must_be_pile(move.source), must_be_pile(move.target)
    must_be_movable(draft.state, source, target)
    draft.say(PileMoved(seat, source, target, draft.state.piles[source]))


def end_turn(draft: Draft[KingsCorners], seat: Seat) -> None:
    """The turn ends with a card from the deck, or without one when there is none left (RULES 4.3)."""
    state = draft.state
    if state.deck_size:
        draft.say(card_drawn(seat, state.deck[state.gone]))
    else:
        draft.say(nothing_drawn(seat))
        if state.passes == len(state.hands):  # RULES 5: a whole round in which nobody did anything
            draft.say(GameFinished((), (), STALEMATE))
            return
    draft.say(turn_passed(state.next_seat))
