"""Positions of Kings Corners, written as players write cards."""

from random import Random

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card, cards
from fairdeal.domain.kings_corners.cards import PILES
from fairdeal.domain.kings_corners.events import CardsDealt, PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing.play import chance_of


def laid(hands: str, *, deck: str = "10D", turn: int = 0, **piles: str) -> PositionLaid:
    """`laid("JD 2S / 3C", N="QS")`: hands by seat, piles by name, bottom card first."""
    unknown = set(piles) - set(PILES)
    assert not unknown, f"no such piles: {unknown}"
    return PositionLaid(
        hands=tuple(cards(hand) for hand in hands.split("/")),
        piles=tuple(cards(piles.get(pile, "")) for pile in PILES),
        deck=cards(deck),
        turn=turn,
    )


def shuffled(seed: int) -> tuple[Card, ...]:
    deck = list(DECK)
    Random(seed).shuffle(deck)
    return tuple(deck)


def dealt(deck: tuple[Card, ...], seats: int) -> Draft[KingsCorners]:
    """A fresh game from a given deck, to be played on."""
    draft = Draft(KingsCorners(seats), KINGS_CORNERS.evolve)
    draft.say(CardsDealt(0, seats, deck))
    return draft


NO_CHANCE = chance_of(0, 2)
"""After the deal nothing is left to chance."""
