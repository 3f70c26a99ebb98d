"""How a game of Pardon begins: with the deal, or from a position laid out by hand."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.pardon.events import CardsDealt, PositionLaid
from fairdeal.domain.pardon.moves import SLOTS
from fairdeal.domain.pardon.state import Pardon


def deal(draft: Draft[Pardon], chance: Chance, given: tuple[Card, ...] | None) -> None:
    if given is None:
        given = chance.shuffle(0, DECK)
    elif sorted(given) != sorted(DECK):
        raise refusal(HouseRefusal.BAD_DECK, "A given deck holds each of the 52 cards once.")
    draft.say(CardsDealt(0, len(draft.state.hands), given))


def check_position(seats: int, position: PositionLaid) -> None:
    """Cards that play would not bring together are welcome, for puzzles; a table that cannot go on is not."""
    by_seat = (position.hands, position.face_up, position.face_down)
    if any(len(part) != seats for part in by_seat) or position.turn not in range(seats):
        raise refusal(HouseRefusal.BAD_POSITION, "A position has a hand, a row and slots per seat, and a seat on turn.")
    if any(lies.slot not in SLOTS for slots in position.face_down for lies in slots):
        raise refusal(HouseRefusal.BAD_POSITION, "The face-down slots are 1, 2 and 3.")
    closed = [lies.card for slots in position.face_down for lies in slots]
    if any(card is None for cards in (*position.hands, closed, position.deck) for card in cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position shows all its cards.")
