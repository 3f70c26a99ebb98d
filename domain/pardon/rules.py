"""A turn of Pardon: what is chosen, played, taken or turned over, and what follows from it (RULES 4 to 7)."""

from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.pardon.cards import ALLOWED, BIT, EIGHT, TEN, effective_top
from fairdeal.domain.pardon.events import (
    Burn,
    CardsDrawn,
    CardsPlayed,
    FaceDownFailed,
    FaceUpChosen,
    FaceUpTaken,
    PileBurned,
    PileTaken,
    PlayersSkipped,
    PlayStarted,
    TurnPassed,
    cards_played,
)
from fairdeal.domain.pardon.guards import must_be_choice, must_be_closed, must_be_playable, must_be_time_for, must_lie
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.state import Pardon

WON = "won"
NO_PROGRESS = "no_progress"
FULL_HAND = 4
TURN_PASSED = tuple(TurnPassed(seat) for seat in range(5))


def decide(draft: Draft[Pardon], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    must_be_time_for(state, seat, move)
    match move:
        case PlayCards():
            cards = must_be_playable(state, seat, move.cards)
            draft.say(cards_played(seat, cards, None))
            go_on(draft, seat, cards)
        case TakeTable():
            must_lie(state.table)
            draft.say(PileTaken(seat, state.table))
            pass_turn(draft, seat)
        case TurnFaceDown():
            turn_over(draft, seat, move.slot, must_be_closed(state, seat, move.slot))
        case ChooseFaceUp():
            draft.say(FaceUpChosen(seat, must_be_choice(state, seat, move.cards)))
            if all(state.face_up):
                draft.say(PlayStarted(0))
        case _:
            assert_never(move)


def turn_over(draft: Draft[Pardon], seat: Seat, slot: int, card: Card) -> None:
    """What comes up is played if it may be; if not, it is taken with the table (RULES 4.3)."""
    if BIT[card] & ALLOWED[effective_top(draft.state.table)]:
        draft.say(CardsPlayed(seat, (card,), slot))
        go_on(draft, seat, (card,))
    else:
        draft.say(FaceDownFailed(seat, slot, card))
        pass_turn(draft, seat)


def go_on(draft: Draft[Pardon], seat: Seat, played: tuple[Card, ...]) -> None:
    """What follows a play, in the order of RULES 5."""
    state = draft.state
    rank = played[0].rank
    burns = rank == TEN or len(played) == 4
    if burns:
        draft.say(PileBurned(Burn.TEN if rank == TEN else Burn.FOUR, state.table))
    refill(draft, seat)
    if not state.hands[seat] and not state.face_down[seat]:
        draft.say(GameFinished((seat,), (), WON))
    elif not burns:
        pass_turn(draft, seat, len(played) if rank == EIGHT else 0)


def refill(draft: Draft[Pardon], seat: Seat) -> None:
    """Draws up to four cards; with an empty deck and an empty hand the face-up row is picked up (RULES 5)."""
    state = draft.state
    hand = state.hands[seat]
    if state.gone < len(state.deck):
        missing = FULL_HAND - hand.bit_count()
        if missing > 0:
            draft.say(CardsDrawn(seat, state.deck[state.gone : state.gone + missing]))
    elif not hand and state.face_up[seat]:
        draft.say(FaceUpTaken(seat))


def pass_turn(draft: Draft[Pardon], seat: Seat, eights: int = 0) -> None:
    """Hands over to the next seat, past one more for each eight but never past oneself; or ends in a draw."""
    state = draft.state
    if state.idle == state.limit:
        draft.say(GameFinished((), (), NO_PROGRESS))
        return
    seats = len(state.hands)
    to = (seat + 1) % seats
    if eights:
        skipped = min(eights, seats - 1)
        draft.say(PlayersSkipped(tuple((seat + step) % seats for step in range(1, skipped + 1))))
        to = (to + skipped) % seats
    if to != seat:
        draft.say(TURN_PASSED[to])
