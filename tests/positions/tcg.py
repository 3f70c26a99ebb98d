"""Fresh games of the trading card game, for tests."""

from typing import Any

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.tcg.deal import GivenDecks
from fairdeal.domain.tcg.events import DeckShuffled
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.state import Tcg
from fairdeal.testing.play import chance_of

ASCENDING = tuple(f"d{cost}" for cost in (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8))
"""The default deck in its canonical order."""


def dealt(options: TcgOptions, *, seed: int = 0, deck: GivenDecks | None = None) -> Draft[Tcg]:
    """A game that has just begun, to be played on; nobody has brought anything."""
    draft = Draft(TCG.play.initial_state(2, options, (None, None)), TCG.play.evolve)
    TCG.play.deal(draft, chance_of(seed, 2), deck)
    return draft


def ids(shuffled: DeckShuffled) -> list[str]:
    """The cards of a deck from its top."""
    return [card.id for card in shuffled.deck if card is not None]


def decks(events: list[Any]) -> list[DeckShuffled]:
    return [event for event in events if isinstance(event, DeckShuffled)]


def to_move(game: Game) -> str:
    """The name of the player whose turn it is."""
    state: Tcg = game.state
    return game.players[state.active]
