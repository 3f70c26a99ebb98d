"""The rules of Kings Corners: the deal, what may be played where, and when the game ends."""

from enum import StrEnum
from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.errors import HouseRefusal, refusal
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kings_corners.cards import (
    BY_NAME,
    CORNERS,
    FOLLOWERS,
    FOUNDATIONS,
    KING,
    PILES,
    Pile,
    is_foundation,
)
from fairdeal.domain.kings_corners.events import (
    CardDrawn,
    CardPlayed,
    CardsDealt,
    NothingDrawn,
    PileMoved,
    TurnPassed,
)
from fairdeal.domain.kings_corners.moves import END_TURN, PLAYS, SHIFTS, EndTurn, Move, MovePile, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners

WON = "won"
STALEMATE = "stalemate"


class Refusal(StrEnum):
    """Why a move is refused; RULES 6 gives their order."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    UNKNOWN_PILE = "unknown_pile"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CORNER_NEEDS_KING = "corner_needs_king"
    WRONG_RANK = "wrong_rank"
    SAME_COLOUR = "same_colour"
    SAME_PILE = "same_pile"
    EMPTY_SOURCE = "empty_source"
    EMPTY_TARGET = "empty_target"
    NO_EFFECT = "no_effect"


def deal(draft: Draft[KingsCorners], chance: Chance, given: tuple[Card, ...] | None) -> None:
    if given is None:
        given = chance.shuffle(0, DECK)
    elif sorted(given) != sorted(DECK):
        raise refusal(HouseRefusal.BAD_DECK, "A given deck holds each of the 52 cards once.")
    draft.say(CardsDealt(0, len(draft.state.hands), given))


def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")
    match move:
        case PlayCard():
            pile = must_be_pile(move.pile)
            card = must_hold(state, seat, move.card)
            must_fit(card, pile, state.piles[pile])
            draft.say(CardPlayed(seat, card, pile))
            if not state.hands[seat]:
                draft.say(GameFinished((seat,), (), WON))
        case MovePile():
            source, target = must_be_pile(move.source), must_be_pile(move.target)
            must_be_movable(state, source, target)
            draft.say(PileMoved(seat, source, target, state.piles[source]))
        case EndTurn():
            end_turn(draft, seat)
        case _:
            assert_never(move)


def end_turn(draft: Draft[KingsCorners], seat: Seat) -> None:
    state = draft.state
    if state.deck_size:
        draft.say(CardDrawn(seat, state.deck[state.gone]))
    else:
        draft.say(NothingDrawn(seat))
        if state.passes == len(state.hands):
            draft.say(GameFinished((), (), STALEMATE))
            return
    draft.say(TurnPassed(state.next_seat))


def must_be_pile(name: str) -> Pile:
    if name not in BY_NAME:
        raise refusal(Refusal.UNKNOWN_PILE, f"There is no pile {name!r}; the piles are {', '.join(PILES)}.")
    return BY_NAME[name]


def must_hold(state: KingsCorners, seat: Seat, name: str) -> Card:
    for card in state.hands[seat]:
        if card == name:
            return card
    raise refusal(Refusal.CARD_NOT_IN_HAND, f"{name} is not in your hand.")


def must_fit(card: Card, pile: Pile, lying: tuple[Card, ...]) -> None:
    """A card, or the bottom card of a moved pile, on what lies there (RULES 4)."""
    if lying:
        must_follow(card, lying[-1])
    elif not is_foundation(pile) and card.rank != KING:
        raise refusal(Refusal.CORNER_NEEDS_KING, f"Only a king opens a corner, not {card}.")


def must_follow(card: Card, top: Card) -> None:
    if card.rank != top.rank - 1:
        raise refusal(Refusal.WRONG_RANK, f"{card} is not one rank below {top}.")
    if card.is_red == top.is_red:
        raise refusal(Refusal.SAME_COLOUR, f"{card} and {top} are of the same colour.")


def must_be_movable(state: KingsCorners, source: Pile, target: Pile) -> None:
    if source is target:
        raise refusal(Refusal.SAME_PILE, "A pile cannot be moved onto itself.")
    if not state.piles[source]:
        raise refusal(Refusal.EMPTY_SOURCE, f"Pile {source} is empty.")
    if not state.piles[target] and is_foundation(target):
        raise refusal(Refusal.EMPTY_TARGET, "A pile may not move to an empty foundation.")
    must_fit(state.piles[source][0], target, state.piles[target])
    if not state.piles[target] and not is_foundation(source):
        raise refusal(Refusal.NO_EFFECT, "A corner pile stays in its corner.")


def active(state: KingsCorners) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: KingsCorners, seat: Seat) -> list[Move]:
    if state.over or seat != state.turn:
        return []
    hand = state.hands[seat]
    moves: list[Move] = []
    for pile in PILES:
        lying = state.piles[pile]
        if lying:
            moves += [PLAYS[pile][card] for card in FOLLOWERS[lying[-1]] if card in hand]
        elif pile in FOUNDATIONS:
            moves += [PLAYS[pile][card] for card in hand]
        else:
            moves += [PLAYS[pile][card] for card in hand if card.rank == KING]
    moves += shifts(state)
    moves.append(END_TURN)
    return moves


def shifts(state: KingsCorners) -> list[Move]:
    """The pile moves that are possible now; corner piles never move (RULES 4.2)."""
    return [
        SHIFTS[source][target]
        for source in FOUNDATIONS
        if state.piles[source]
        for target in PILES
        if _may_move(state.piles[source][0], target, state.piles[target])
    ]


def _may_move(bottom: Card, target: Pile, lying: tuple[Card, ...]) -> bool:
    if lying:
        return bottom in FOLLOWERS[lying[-1]]
    return bottom.rank == KING and target in CORNERS
