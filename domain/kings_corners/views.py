"""What a seat or a spectator may see of a game of Kings Corners."""

from dataclasses import dataclass, replace
from typing import Any

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kings_corners.cards import FOUNDATIONS, PILES, Pile, is_foundation
from fairdeal.domain.kings_corners.events import CardDrawn, CardsDealt, PositionLaid
from fairdeal.domain.kings_corners.state import HAND_SIZE, KingsCorners


@dataclass(frozen=True, slots=True)
class PileView:
    """One place of the table, bottom card first."""

    pile: Pile
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class KingsCornersView:
    """All piles, everybody's number of cards, and one's own hand (None for a spectator)."""

    seat: Seat | None
    hand: tuple[Card, ...] | None
    hand_sizes: tuple[int, ...]
    piles: tuple[PileView, ...]
    deck_size: int
    turn: Seat
    over: bool
    winner: Seat | None
    """None while the game runs, and after a stalemate."""

    def pile(self, pile: Pile) -> tuple[Card, ...]:
        return self.piles[PILES.index(pile)].cards


def view(state: KingsCorners, seat: Seat | None) -> KingsCornersView:
    return KingsCornersView(
        seat=seat,
        hand=None if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        piles=tuple(PileView(pile, cards) for pile, cards in state.piles.items()),
        deck_size=state.deck_size,
        turn=state.turn,
        over=state.over,
        winner=state.winner,
    )


def redact(event: Any, seat: Seat | None) -> Any:
    match event:
        case CardsDealt():
            return replace(event, deck=_seen_of_deal(event, seat))
        case PositionLaid():
            hands = tuple(hand if at == seat else (None,) * len(hand) for at, hand in enumerate(event.hands))
            return replace(event, hands=hands, deck=(None,) * len(event.deck))
        case CardDrawn() if event.seat != seat:
            return CardDrawn(event.seat, None)
        case _:
            return event


def _seen_of_deal(event: CardsDealt, seat: Seat | None) -> tuple[Card | None, ...]:
    """Of a deal one sees one's own seven cards and the foundations."""
    table = range(event.seats * HAND_SIZE, event.seats * HAND_SIZE + len(FOUNDATIONS))
    own = range(0) if seat is None else range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE)
    return tuple(card if at in own or at in table else None for at, card in enumerate(event.deck))


def hidden(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return [card for at, hand in enumerate(state.hands) if at != seat for card in hand] + list(state.deck[state.gone :])


def places(state: KingsCorners) -> list[Place]:
    hands = [Place("hand", seat, tuple(hand)) for seat, hand in enumerate(state.hands)]
    piles = [Place(_name(pile), None, cards) for pile, cards in state.piles.items()]
    return [*hands, *piles, Place("deck", None, state.deck[state.gone :])]


def _name(pile: Pile) -> str:
    return f"foundation {pile}" if is_foundation(pile) else f"corner {pile}"
