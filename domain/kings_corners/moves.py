"""What a player can do in Kings Corners."""

from dataclasses import dataclass

from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kings_corners.cards import PILES, Pile


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
PLAYS: dict[Pile, dict[Card, PlayCard]] = {pile: {card: PlayCard(card, pile) for card in DECK} for pile in PILES}
SHIFTS: dict[Pile, dict[Pile, MovePile]] = {
    source: {target: MovePile(source, target) for target in PILES} for source in PILES
}
END_TURN = EndTurn()
