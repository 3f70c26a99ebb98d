"""The trading card game in words, and a drawing of the board."""

from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.cards import Card, CardDefinition, Kind, Mode
from fairdeal.domain.tcg.events import (
    BledOut,
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    CardsDefined,
    DamageDealt,
    DeckShuffled,
    HandDealt,
    ManaRefilled,
    ManaSlotGained,
    MinionAttacked,
    MinionDamaged,
    MinionDied,
    MinionPlaced,
    PlayerHealed,
    PositionLaid,
    StartingPlayerChosen,
    TurnStarted,
)
from fairdeal.domain.tcg.views import MinionView, SideView, TcgView

WIDTH = 72
WAYS = {Mode.SPELL: "", Mode.MINION: " as a minion", Mode.HEAL: " to heal"}
MARKS = {Kind.DAMAGE: "hits", Kind.HEALING: "heals", Kind.DRAWER: "draws"}


def tell(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardsDefined():
            return f"The game knows {len(event.cards)} different cards."
        case DeckShuffled():
            return f"{names[event.seat]} has a deck of {len(event.deck)} cards, face down."
        case StartingPlayerChosen(pick=None):
            return f"{names[event.seat]} starts."
        case StartingPlayerChosen():
            return f"{names[event.seat]} is drawn to start."
        case HandDealt():
            return f"{names[event.seat]} is dealt {_cards(event)}."
        case PositionLaid():
            return f"A position is laid out at turn {event.turn}; {names[event.active]} is to move."
        case TurnStarted():
            return f"Turn {event.turn}: {names[event.seat]}."
        case ManaSlotGained():
            return f"{names[event.seat]} gains mana slot {event.slots}."
        case ManaRefilled():
            return f"{names[event.seat]} has {event.mana} mana."
        case _:
            return _tell_of_cards(event, names)


def about(event: Any) -> Seat | None:
    """Whose line it is: the seat that acts in it."""
    match event:
        case CardsDefined() | PositionLaid() | DamageDealt():
            return None
        case _:
            seat: Seat = event.seat
            return seat


def _tell_of_cards(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardDrawn(card=Card() as card):
            return f"{names[event.seat]} draws {card.id}."
        case CardDrawn():
            return f"{names[event.seat]} draws a card."
        case CardOverloaded():
            return f"{names[event.seat]}'s hand is full: {event.card.id} is discarded."
        case BledOut():
            return f"{names[event.seat]} has no card left to draw and bleeds for {event.amount}."
        case CardPlayed(target=Card() as target):
            return f"{names[event.seat]} plays {event.card.id} at {target.id} for {event.cost}."
        case CardPlayed():
            return f"{names[event.seat]} plays {event.card.id}{WAYS[event.mode]} for {event.cost}."
        case DamageDealt():
            return f"{names[event.to]} loses {event.amount} health."
        case PlayerHealed():
            return f"{names[event.seat]} gains {event.amount} health."
        case _:
            return _tell_of_minions(event, names)


def _tell_of_minions(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case MinionPlaced():
            return f"{names[event.seat]}'s {event.card.id} enters the board, {event.attack}/{event.health}, asleep."
        case MinionAttacked(target=Card() as target):
            return f"{names[event.seat]}'s {event.minion.id} attacks {names[1 - event.seat]}'s {target.id}."
        case MinionAttacked():
            return f"{names[event.seat]}'s {event.minion.id} attacks {names[1 - event.seat]}."
        case MinionDamaged():
            return f"{names[event.seat]}'s {event.minion.id} takes {event.amount} damage."
        case MinionDied():
            return f"{names[event.seat]}'s {event.minion.id} dies."
        case _:
            raise TypeError(f"The trading card game does not know the event {type(event).__name__}.")


def _cards(event: HandDealt) -> str:
    shown = [card.id for card in event.cards if card is not None]
    return " ".join(shown) if shown else f"{len(event.cards)} cards"


def render(view: TcgView, names: tuple[str, ...]) -> str:
    """The opponent above, oneself (or seat 0) below; minions with the place by which moves name them."""
    own = 0 if view.seat is None else view.seat
    lines = [
        _player(view, 1 - own, names),
        _board(view.sides[1 - own]),
        f"{f' turn {view.turn} ':─^{WIDTH}}",
        _board(view.sides[own]),
        _player(view, own, names),
    ]
    if view.hand is not None:
        lines.append("   hand: " + (", ".join(_printed(held.printed) for held in view.hand) or "–"))
    return "\n".join(lines)


def _player(view: TcgView, seat: int, names: tuple[str, ...]) -> str:
    side = view.sides[seat]
    mark = "→" if seat == view.active and view.winner is None else "★" if seat == view.winner else " "
    places = f"hand {side.hand_size}  deck {side.deck_size}  discard {len(side.discard)}"
    return f"{mark} {names[seat]}: health {side.health}  mana {side.mana}/{side.slots}  {places}"


def _board(side: SideView) -> str:
    return "   board: " + (" ".join(_minion(at, minion) for at, minion in enumerate(side.board)) or "–")


def _minion(at: int, minion: MinionView) -> str:
    rest = " zzz" if minion.asleep else " !" if minion.can_attack else ""
    return f"[{at} {minion.card.id} {minion.attack}/{minion.health}{rest}]"


def _printed(card: CardDefinition) -> str:
    stats = "" if card.minion is None else f" or is {card.minion.attack}/{card.minion.health}"
    return f"{card.id} ({card.cost}: {MARKS[card.kind]} {card.amount}{stats})"
