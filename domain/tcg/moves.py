"""What a player can do in the trading card game."""

from dataclasses import dataclass
from functools import cache

from fairdeal.domain.tcg.cards import Mode

FACE = "face"
"""The opponent as a target; minions are named by their place on the board, from 0."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card named by its id; a damage spell without a target hits the face. Whether there is such a card, mode or
    target, the rules say."""

    card: str
    mode: str = Mode.SPELL
    at: int | str | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """One's own minion, by its place on the board, against the face or an enemy minion."""

    minion: int
    at: int | str


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


Move = PlayCard | Attack | EndTurn

MOVES: dict[str, type[Move]] = {"play": PlayCard, "attack": Attack, "end_turn": EndTurn}

# Moves are made once: building them anew for each list of legal moves costs more than the rules.
END_TURN = EndTurn()


@cache
def spells_at_minions(card: str, enemies: int) -> tuple[Move, ...]:
    """The card as a spell against each of so many enemy minions."""
    return tuple(PlayCard(card, Mode.SPELL, at) for at in range(enemies))


@cache
def attacks(minion: int, enemies: int) -> tuple[Move, ...]:
    """The minion against the face and each of so many enemy minions."""
    return (Attack(minion, FACE), *(Attack(minion, at) for at in range(enemies)))
