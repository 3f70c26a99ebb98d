"""What a seat or a spectator may see of a trading card game."""

from dataclasses import dataclass, replace
from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.tcg.cards import Card, CardDefinition
from fairdeal.domain.tcg.events import CardDrawn, DeckShuffled, HandDealt, PositionLaid
from fairdeal.domain.tcg.state import Minion, Side, Tcg


@dataclass(frozen=True, slots=True)
class CardView:
    """A card in one's own hand, and what is printed on it."""

    card: Card
    printed: CardDefinition


@dataclass(frozen=True, slots=True)
class MinionView:
    card: Card
    attack: int
    health: int
    asleep: bool
    attacked: bool

    @property
    def can_attack(self) -> bool:
        return self.attack > 0 and not self.asleep and not self.attacked


@dataclass(frozen=True, slots=True)
class SideView:
    """What is open of a player: of hand and deck only the number of cards."""

    health: int
    slots: int
    mana: int
    hand_size: int
    deck_size: int
    board: tuple[MinionView, ...]
    discard: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TcgView:
    """Both sides, whose turn it is, and one's own hand (None for a spectator)."""

    seat: Seat | None
    hand: tuple[CardView, ...] | None
    sides: tuple[SideView, ...]
    turn: int
    active: Seat
    winner: Seat | None
    max_health: int
    board_limit: int | None


def view(state: Tcg, seat: Seat | None) -> TcgView:
    return TcgView(
        seat=seat,
        hand=None if seat is None else tuple(_card(state, card) for card in state.sides[seat].hand),
        sides=tuple(_side(side) for side in state.sides),
        turn=state.turn,
        active=state.active,
        winner=state.winner,
        max_health=state.options.max_health,
        board_limit=state.options.board_limit,
    )


def _card(state: Tcg, card: Card) -> CardView:
    return CardView(card, state.book.pages[card.id].definition)


def _side(side: Side) -> SideView:
    return SideView(
        health=side.health,
        slots=side.slots,
        mana=side.mana,
        hand_size=len(side.hand),
        deck_size=side.deck_size,
        board=tuple(_minion(minion) for minion in side.board),
        discard=tuple(side.discard),
    )


def _minion(minion: Minion) -> MinionView:
    return MinionView(minion.card, minion.attack, minion.health, minion.asleep, minion.attacked)


def redact(event: Any, seat: Seat | None) -> Any:
    """Hands are their owners' secret; the order of a deck is everybody's, its owner's too."""
    match event:
        case DeckShuffled():
            return DeckShuffled(event.seat, event.shuffle, _face_down(event.deck))
        case HandDealt() if event.seat != seat:
            return HandDealt(event.seat, _face_down(event.cards))
        case CardDrawn() if event.seat != seat:
            return CardDrawn(event.seat, None)
        case PositionLaid():
            sides = tuple(
                replace(side, hand=side.hand if at == seat else _face_down(side.hand), deck=_face_down(side.deck))
                for at, side in enumerate(event.sides)
            )
            return replace(event, sides=sides)
        case _:
            return event


def _face_down(cards: tuple[Card | None, ...]) -> tuple[None, ...]:
    return (None,) * len(cards)


def hidden(state: Tcg, seat: Seat | None) -> list[Card]:
    hands = [card for at, side in enumerate(state.sides) if at != seat for card in side.hand]
    return hands + [card for side in state.sides for card in side.left]


def places(state: Tcg) -> list[Place]:
    return [place for seat, side in enumerate(state.sides) for place in places_of(seat, side)]


def places_of(seat: Seat, side: Side) -> list[Place]:
    """Where all cards of one player are."""
    return [
        Place("hand", seat, tuple(side.hand)),
        Place("being played", seat, tuple(side.being_played)),
        Place("board", seat, tuple(minion.card for minion in side.board)),
        Place("deck", seat, side.left),
        Place("discard pile", seat, tuple(side.discard)),
    ]
