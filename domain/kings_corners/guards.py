"""What a move must satisfy, in the order in which it is asked (RULES 6)."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.kings_corners.cards import CARD_NAMED, KINGS, PILE_NAMED, PILES, Pile, is_foundation
from fairdeal.domain.kings_corners.refusals import Refusal
from fairdeal.domain.kings_corners.state import KingsCorners


def must_be_turn(state: KingsCorners, seat: Seat) -> None:
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")


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
