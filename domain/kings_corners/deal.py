"""How a game of Kings Corners begins: with the deal, or from a position laid out by hand."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.kings_corners.cards import PILES
from fairdeal.domain.kings_corners.events import CardsDealt, PositionLaid
from fairdeal.domain.kings_corners.state import KingsCorners


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
