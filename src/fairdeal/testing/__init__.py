"""The kit for testing games and whatever embeds them: given/when/then, played games, contracts."""

from fairdeal.testing.contract import GameContract
from fairdeal.testing.given import given
from fairdeal.testing.handlers import given_game
from fairdeal.testing.ledger import LedgerContract
from fairdeal.testing.play import Playthrough, play

__all__ = ["GameContract", "LedgerContract", "Playthrough", "given", "given_game", "play"]
