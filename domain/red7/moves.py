"""What a player can do in Red7."""

from dataclasses import dataclass

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import DECK, Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Cards and seats are what the player named; a 1 needs `target` and `take`, a 7 needs `discard` (RULES 6)."""

    card: str
    target: Seat | None = None
    take: str | None = None
    discard: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeRule:
    card: str


@dataclass(frozen=True, slots=True)
class PlayAndChange:
    """The palette card first, then the rule card; judged once, after both."""

    card: str
    rule_card: str
    target: Seat | None = None
    take: str | None = None
    discard: str | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


@dataclass(frozen=True, slots=True)
class GiveUp:
    pass


Move = PlayCard | ChangeRule | PlayAndChange | EndTurn | GiveUp

MOVES: dict[str, type[Move]] = {
    "play": PlayCard,
    "change_rule": ChangeRule,
    "play_and_change": PlayAndChange,
    "end_turn": EndTurn,
    "give_up": GiveUp,
}

# Every move without a choice, made once: building them anew for each list of legal moves costs more than the rules.
PLAYS: dict[Card, PlayCard] = {card: PlayCard(card) for card in DECK}
CHANGES: dict[Card, ChangeRule] = {card: ChangeRule(card) for card in DECK}
BOTH: dict[Card, dict[Card, PlayAndChange]] = {
    rule_card: {card: PlayAndChange(card, rule_card) for card in DECK} for rule_card in DECK
}
"""By rule card, then by palette card."""
END_TURN = EndTurn()
GIVE_UP = GiveUp()
