"""What a move must satisfy: each guard lets it pass or says what is wrong with it; RULES 8 gives the order."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import IllegalMove, refusal
from fairdeal.domain.pardon.cards import ALLOWED, BIT, CARD, EQUALS, SEVEN, CardSet, effective_top
from fairdeal.domain.pardon.moves import ChooseFaceUp, Move
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.domain.pardon.state import Pardon


def must_be_time_for(state: Pardon, seat: Seat, move: Move) -> None:
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if state.choosing:
        if type(move) is not ChooseFaceUp:
            raise refusal(Refusal.WRONG_PHASE, "Nobody plays before everybody has chosen three face-up cards.")
    elif type(move) is ChooseFaceUp:
        raise refusal(Refusal.WRONG_PHASE, "The face-up cards have been chosen.")
    elif seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")


def must_be_choice(state: Pardon, seat: Seat, names: tuple[str, ...]) -> tuple[Card, ...]:
    if state.has_chosen(seat):
        raise refusal(Refusal.ALREADY_CHOSEN, "You have chosen your face-up cards.")
    if len(names) != 3 or len(set(names)) != 3:
        raise refusal(Refusal.NEED_THREE, "Choose exactly three different cards.")
    return must_hold(state.hands[seat], names)


def must_be_playable(state: Pardon, seat: Seat, names: tuple[str, ...]) -> tuple[Card, ...]:
    hand = state.hands[seat]
    if not hand:
        raise refusal(Refusal.MUST_PLAY_FACE_DOWN, "Your hand is empty: turn a face-down card.")
    equals = EQUALS.get(names)
    if equals is None:
        must_differ(names)
        must_hold(hand, names)
        raise refusal(Refusal.MIXED_RANKS, "Cards played together are all of one rank.")
    if equals.together & ~hand:
        must_hold(hand, names)
    top = effective_top(state.table)
    if not equals.together & ALLOWED[top]:
        raise not_beaten(equals.cards[0], top)
    return equals.cards


def must_differ(names: tuple[str, ...]) -> None:
    if not names:
        raise refusal(Refusal.NO_CARDS, "Name at least one card to play.")
    if len(set(names)) < len(names):
        raise refusal(Refusal.DUPLICATE_CARD, "A card can be played only once.")


def must_hold(hand: CardSet, names: tuple[str, ...]) -> tuple[Card, ...]:
    for name in names:
        if not hand & BIT.get(name, 0):
            raise refusal(Refusal.CARD_NOT_IN_HAND, f"{name} is not in your hand.")
    return tuple(CARD[name] for name in names)


def not_beaten(card: Card, top: int | None) -> IllegalMove:
    if top == SEVEN:
        return refusal(Refusal.MUST_BE_LOWER_THAN_7, f"{card} may not follow a 7: only 4, 5, 6, or 2, 3, 10.")
    return refusal(Refusal.NOT_HIGHER, f"{card} is not higher than what lies on the table.")


def must_lie(table: tuple[Card, ...]) -> None:
    if not table:
        raise refusal(Refusal.PILE_EMPTY, "There is nothing on the table to take.")


def must_be_closed(state: Pardon, seat: Seat, slot: int) -> Card:
    if state.hands[seat]:
        raise refusal(Refusal.HAND_NOT_EMPTY, "Face-down cards are turned only with an empty hand.")
    card = state.face_down[seat].get(slot)
    if card is None:
        raise refusal(Refusal.NO_SUCH_CARD, f"There is no face-down card in slot {slot}.")
    return card
