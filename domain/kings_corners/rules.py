"""The rules of Kings Corners: the deal, what may be played where, and when the game ends."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.kings_corners.cards import (
    CARD_NAMED,
    FOLLOWERS,
    FOUNDATIONS,
    KINGS,
    PILE_NAMED,
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
    PositionLaid,
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


def check_position(seats: int, position: PositionLaid) -> None:
    """Piles that play would not give are welcome, for puzzles; a table that cannot go on is not."""
    if len(position.hands) != seats or position.turn not in range(seats) or len(position.piles) != len(PILES):
        raise refusal(HouseRefusal.BAD_POSITION, "A position has a hand per seat, eight piles and a seat on turn.")
    if any(card is None for cards in (*position.hands, position.deck) for card in cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position shows all its cards.")


def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")
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
    draft.say(CardPlayed(seat, card, pile))
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
        draft.say(CardDrawn(seat, state.deck[state.gone]))
    else:
        draft.say(NothingDrawn(seat))
        if state.passes == len(state.hands):  # RULES 5: a whole round in which nobody did anything
            draft.say(GameFinished((), (), STALEMATE))
            return
    draft.say(TurnPassed(state.next_seat))


# -- guards, in the order in which they are asked (RULES 6) ------------------------------------------


def must_be_pile(name: str) -> Pile:
    pile = PILE_NAMED.get(name)
    if pile is None:
        raise refusal(Refusal.UNKNOWN_PILE, f"There is no pile {name!r}; the piles are {', '.join(PILES)}.")
    return pile


def must_hold(state: KingsCorners, seat: Seat, name: str) -> Card:
    card = CARD_NAMED.get(name)
    if card is None or card not in state.hands[seat]:
        raise refusal(Refusal.CARD_NOT_IN_HAND, f"You do not hold {name!r}.")
    return card


def must_fit(card: Card, pile: Pile, lying: tuple[Card, ...]) -> None:
    """A card, or the bottom card of a moved pile, on what lies there (RULES 4.1)."""
    if lying:
        must_follow(card, lying[-1])
    elif card not in KINGS and not is_foundation(pile):
        raise refusal(Refusal.CORNER_NEEDS_KING, f"Only a king opens a corner, not {card}.")


def must_follow(card: Card, top: Card) -> None:
    if card.rank != top.rank - 1:
        raise refusal(Refusal.WRONG_RANK, f"{card} is not one rank below {top}.")
    if card.is_red == top.is_red:
        raise refusal(Refusal.SAME_COLOUR, f"{card} and {top} are of the same colour.")


def must_be_movable(state: KingsCorners, source: Pile, target: Pile) -> None:
    """Whole piles go onto piles that they continue, or from a foundation into a corner (RULES 4.2)."""
    moved, lying = state.piles[source], state.piles[target]
    if source is target:
        raise refusal(Refusal.SAME_PILE, "A pile cannot be moved onto itself.")
    if not moved:
        raise refusal(Refusal.EMPTY_SOURCE, f"Pile {source} is empty.")
    if not lying and is_foundation(target):
        raise refusal(Refusal.EMPTY_TARGET, "A pile may not move to an empty foundation.")
    must_fit(moved[0], target, lying)
    if not lying and not is_foundation(source):
        raise refusal(Refusal.NO_EFFECT, "A king's pile in one corner may not move to another.")


# -- what a player may do ----------------------------------------------------------------------------


def active(state: KingsCorners) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: KingsCorners, seat: Seat) -> list[Move]:
    """What the guards would let pass, found pile by pile instead of by trying everything."""
    if state.over or seat != state.turn:
        return []
    hand, piles = state.hands[seat], state.piles
    # The cards that can go somewhere, each with the moves that take it there: those in the hand, and
    # the bottoms of the foundations with all that lies on them. A corner's king never leaves it.
    ways: dict[Card, Mapping[Pile, Move]] = {card: PLAYS[card] for card in hand}
    for source in FOUNDATIONS:
        if piles[source]:
            ways[piles[source][0]] = SHIFTS[source]
    moves: list[Move] = []
    for pile, lying in piles.items():
        fitting: Sequence[Card] = KINGS
        if lying:
            fitting = FOLLOWERS[lying[-1]]
        elif pile in FOUNDATIONS:
            fitting = hand
        for card in fitting:
            if card in ways:
                moves.append(ways[card][pile])
    moves.append(END_TURN)
    return moves
