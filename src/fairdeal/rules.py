"""What authors of games import: the shape of rules, chance, drafts, places, refusals and the shared events."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft, Evolve
from fairdeal.domain.kernel.french_deck import DECK, Card, cards
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kernel.refusals import GameOver, HouseRefusal, IllegalMove, NotYourTurn, refusal
from fairdeal.domain.kernel.rules import AnyRules, Eyes, GameState, NoOptions, Play, Rules, Setup, StoredNames, Voice
from fairdeal.domain.kernel.upcast import Upcast

__all__ = [
    "DECK", "AnyRules", "Card", "Chance", "Draft", "Evolve", "Eyes", "GameFinished", "GameOver", "GameState",
    "HouseRefusal", "IllegalMove", "NoOptions", "NotYourTurn", "Place", "Play", "Rules", "Seat", "Setup", "StoredNames",
    "Upcast", "Voice", "cards", "refusal",
]  # fmt: skip
