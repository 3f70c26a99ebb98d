"""Positions of Kings Corners, written as players write cards."""

from random import Random

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kings_corners.events import CardsDealt
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing.play import chance_of
from fairdeal.testing.positions import kings_corners as laid

__all__ = ["NO_CHANCE", "dealt", "laid", "shuffled"]


def shuffled(seed: int) -> tuple[Card, ...]:
    deck = list(DECK)
    Random(seed).shuffle(deck)
    return tuple(deck)


def dealt(deck: tuple[Card, ...], seats: int) -> Draft[KingsCorners]:
    """A fresh game from a given deck, to be played on."""
    draft = Draft(KingsCorners(seats), KINGS_CORNERS.play.evolve)
    draft.say(CardsDealt(0, seats, deck))
    return draft


NO_CHANCE = chance_of(0, 2)
"""After the deal nothing is left to chance."""
