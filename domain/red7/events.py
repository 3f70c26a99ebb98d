"""What can happen in Red7."""

from dataclasses import dataclass

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import DECK, Card, Colour


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A round begins: the whole deck in its order; seat by seat a hand and then one palette card, the rest to draw."""

    shuffle: int
    round: int
    seats: int
    hand_size: int
    deck: tuple[Card | None, ...]
    first: Seat


@dataclass(frozen=True, slots=True)
class PositionLaid:
    """A position set up by hand: canvas bottom first, deck top first; cards not named are out of this round."""

    hands: tuple[tuple[Card | None, ...], ...]
    palettes: tuple[tuple[Card, ...], ...]
    canvas: tuple[Card, ...]
    deck: tuple[Card | None, ...]
    out: tuple[Seat, ...]
    scores: tuple[tuple[Card, ...], ...]
    turn: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """From the hand to the palette."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class RuleChanged:
    """From the hand to the canvas."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A 1 takes a card from another palette and puts it on top of the deck."""

    seat: Seat
    owner: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A 7 sends another card of the palette to the canvas, as the new rule."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The card is its owner's secret, unless everybody saw it when a 1 put it on the deck."""

    seat: Seat
    card: Card | None
    seen: bool


@dataclass(frozen=True, slots=True)
class TurnPassed:
    to: Seat


@dataclass(frozen=True, slots=True)
class PlayerEliminated:
    """Hand and palette leave the round with the player; what they placed on the canvas stays."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundWon:
    """The last player standing scores the qualifying set of their palette; those cards leave play for good."""

    seat: Seat
    rule: Colour
    cards: tuple[Card, ...]
    points: int


# The events of nearly every turn, made once: they are values, and building them costs more than following them.
SEATS = range(4)
PLAYED: tuple[dict[Card, CardPlayed], ...] = tuple({card: CardPlayed(seat, card) for card in DECK} for seat in SEATS)
CHANGED: tuple[dict[Card, RuleChanged], ...] = tuple({card: RuleChanged(seat, card) for card in DECK} for seat in SEATS)
ELIMINATED: tuple[PlayerEliminated, ...] = tuple(PlayerEliminated(seat) for seat in SEATS)
PASSED: tuple[TurnPassed, ...] = tuple(TurnPassed(seat) for seat in SEATS)

EVENTS: dict[str, type] = {
    "cards_dealt.v1": CardsDealt,
    "position_laid.v1": PositionLaid,
    "card_played.v1": CardPlayed,
    "rule_changed.v1": RuleChanged,
    "card_taken.v1": CardTaken,
    "card_discarded.v1": CardDiscarded,
    "card_drawn.v1": CardDrawn,
    "turn_passed.v1": TurnPassed,
    "player_eliminated.v1": PlayerEliminated,
    "round_won.v1": RoundWon,
}
