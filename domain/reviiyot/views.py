"""What a seat or a spectator may see of a game of Reviiyot."""

from dataclasses import dataclass, replace
from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.reviiyot.cards import HAND_SIZE, SHAPES
from fairdeal.domain.reviiyot.events import CardsDealt, CardsDrawn, CardsGiven, PositionLaid
from fairdeal.domain.reviiyot.options import Strategy
from fairdeal.domain.reviiyot.state import Reviiyot


@dataclass(frozen=True, slots=True)
class ReviiyotView:
    """What everybody sees, and one's own hand, strategy and last asked seat (None for a spectator)."""

    seat: Seat | None
    hand: tuple[str, ...] | None
    hand_sizes: tuple[int, ...]
    deck_size: int
    discarded: tuple[str, ...]
    turns: int
    turn: Seat
    last_asked: Seat | None
    strategy: Strategy | None
    n: int
    over: bool


def view(state: Reviiyot, seat: Seat | None) -> ReviiyotView:
    return ReviiyotView(
        seat=seat,
        hand=None if seat is None else state.hand(seat),
        hand_sizes=tuple(state.sizes),
        deck_size=state.deck_size,
        discarded=state.discarded,
        turns=state.turns,
        turn=state.turn,
        last_asked=None if seat is None else state.last_asked[seat],
        strategy=None if seat is None else state.strategies[seat],
        n=state.n,
        over=state.over,
    )


def redact(event: Any, seat: Seat | None) -> Any:
    match event:
        case CardsDealt():
            own = range(0) if seat is None else range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE)
            return replace(event, deck=tuple(card if at in own else None for at, card in enumerate(event.deck)))
        case PositionLaid():
            hands = tuple(hand if at == seat else _backs(hand) for at, hand in enumerate(event.hands))
            return replace(event, hands=hands, deck=_backs(event.deck))
        case CardsGiven() if seat not in (event.seat, event.to):
            return replace(event, cards=_backs(event.cards))
        case CardsDrawn() if seat != event.seat:
            return replace(event, cards=_backs(event.cards))
        case _:
            return event


def _backs(cards: tuple[str | None, ...]) -> tuple[None, ...]:
    return (None,) * len(cards)


def hidden(state: Reviiyot, seat: Seat | None) -> list[str]:
    others = [card for at in range(len(state.hands)) if at != seat for card in state.hand(at)]
    return others + list(state.deck[state.gone :])


def places(state: Reviiyot) -> list[Place]:
    hands = [Place("hand", seat, state.hand(seat)) for seat in range(len(state.hands))]
    discarded = tuple(value + shape for value in state.discarded for shape in SHAPES)
    return [*hands, Place("deck", None, state.deck[state.gone :]), Place("discarded cards", None, discarded)]
