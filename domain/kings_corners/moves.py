"""What a player can do in Kings Corners."""

from dataclasses import dataclass

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kings_corners.cards import FOUNDATIONS, PILES, Pile


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Card and pile are what the player named; whether there is such a card or pile, the rules say."""

    card: str
    pile: str


@dataclass(frozen=True, slots=True)
class MovePile:
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


Move = PlayCard | MovePile | EndTurn

MOVES: dict[str, type[Move]] = {"play": PlayCard, "move": MovePile, "end_turn": EndTurn}

# Every move there can ever be, made once: building them anew for each list of legal moves costs more than the rules.
PLAYS: dict[Card, dict[Pile, PlayCard]] = {card: {pile: PlayCard(card, pile) for pile in PILES} for card in DECK}
SHIFTS: dict[Pile, dict[Pile, MovePile]] = {
    source: {target: MovePile(source, target) for target in PILES} for source in FOUNDATIONS
}
END_TURN = EndTurn()
