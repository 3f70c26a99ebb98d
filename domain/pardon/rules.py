"""The rules of Pardon: the deal, the choice of open cards, what may be played, and when the game ends."""

from dataclasses import dataclass
from itertools import combinations
from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.pardon.cards import ALLOWED, BEATING, BIT, EIGHT, TEN, CardSet, as_cards, effective_top
from fairdeal.domain.pardon.events import (
    Burn,
    CardsDealt,
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
)
from fairdeal.domain.pardon.guards import (
    Refusal,
    must_be_choice,
    must_be_closed,
    must_be_playable,
    must_be_time_for,
    must_lie,
)
from fairdeal.domain.pardon.moves import PLAYS, TAKE, TURNS, ChooseFaceUp, Move, PlayCards, TakeTable, TurnFaceDown
from fairdeal.domain.pardon.state import Pardon

WON = "won"
NO_PROGRESS = "no_progress"
FULL_HAND = 4
TURN_PASSED = tuple(TurnPassed(seat) for seat in range(5))


@dataclass(frozen=True, slots=True)
class PardonOptions:
    """After how many actions in a row without progress the game is drawn (RULES 7); None: never."""

    no_progress_limit: int | None = 200


def check_options(options: PardonOptions) -> None:
    limit = options.no_progress_limit
    if limit is not None and limit < 1:
        raise refusal(Refusal.BAD_LIMIT, f"The limit without progress is at least 1, not {limit}.")


def deal(draft: Draft[Pardon], chance: Chance, given: tuple[Card, ...] | None) -> None:
    if given is None:
        given = chance.shuffle(0, DECK)
    elif sorted(given) != sorted(DECK):
        raise refusal(HouseRefusal.BAD_DECK, "A given deck holds each of the 52 cards once.")
    draft.say(CardsDealt(0, len(draft.state.hands), given))


def decide(draft: Draft[Pardon], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    must_be_time_for(state, seat, move)
    match move:
        case PlayCards():
            cards = must_be_playable(state, seat, move.cards)
            draft.say(CardsPlayed(seat, cards, None))
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
