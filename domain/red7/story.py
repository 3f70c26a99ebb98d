"""Red7 in words and as a drawing of the table."""

from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import Card, Colour
from fairdeal.domain.red7.events import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    CardTaken,
    PlayerEliminated,
    PositionLaid,
    RoundWon,
    RuleChanged,
    TurnPassed,
)
from fairdeal.domain.red7.standings import Standing
from fairdeal.domain.red7.views import Red7View

RULE_TEXTS: dict[Colour, str] = {
    Colour.RED: "highest card",
    Colour.ORANGE: "most of one number",
    Colour.YELLOW: "most of one colour",
    Colour.GREEN: "most even cards",
    Colour.BLUE: "most different colours",
    Colour.INDIGO: "most in a row",
    Colour.VIOLET: "most below 4",
}


def tell(event: Any, names: tuple[str, ...]) -> str:
    match event:
        case CardsDealt():
            return f"Round {event.round}: {event.hand_size} cards each are dealt; {names[event.first]} begins."
        case PositionLaid():
            return f"A position is laid out; {names[event.turn]} begins."
        case CardPlayed():
            return f"{names[event.seat]} plays {event.card}."
        case RuleChanged():
            return f"{names[event.seat]} changes the rule to {_rule(event.card.colour)}, with {event.card}."
        case CardTaken():
            return (
                f"{names[event.seat]} takes {event.card} from {names[event.owner]}'s palette and puts it on the deck."
            )
        case CardDiscarded():
            return f"{names[event.seat]}'s 7 sends {event.card} to the canvas: the rule is {_rule(event.card.colour)}."
        case CardDrawn(card=None):
            return f"{names[event.seat]} draws a card."
        case CardDrawn():
            return f"{names[event.seat]} draws {event.card}."
        case TurnPassed():
            return f"It is {names[event.to]}'s turn."
        case PlayerEliminated():
            return f"{names[event.seat]} gives up and is out of the round."
        case RoundWon():
            return f"{names[event.seat]} wins the round and scores {_scored(event)}."
        case _:
            raise TypeError(f"Red7 does not know the event {type(event).__name__}.")


def about(event: Any) -> Seat | None:
    """Whose line it is: the seat that acts in it."""
    match event:
        case (
            CardPlayed() | RuleChanged() | CardTaken() | CardDiscarded() | CardDrawn() | PlayerEliminated() | RoundWon()
        ):
            return event.seat
        case _:
            return None


def _rule(colour: Colour) -> str:
    return f"{colour}, {RULE_TEXTS[colour]}"


def _scored(event: RoundWon) -> str:
    return f"{_counted(event.points, 'point')}: {_row(event.cards)}" if event.cards else "nothing"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _row(cards: tuple[Card, ...]) -> str:
    return " ".join(cards) or "–"


def render(view: Red7View, names: tuple[str, ...]) -> str:
    """Rule, canvas and deck; a line for each seat; and who would lead by each of the rules."""
    width = max(map(len, names))
    lines = [
        f"Rule: {_rule(view.rule)}   canvas: {_row(view.canvas)}   deck: {_deck(view)}",
        *(_seat(view, seat, name.ljust(width)) for seat, name in enumerate(names)),
        *(_standing(standing, view, names) for standing in view.standings),
    ]
    if view.only_giving_up_is_left:
        lines.append("You can only give up.")
    return "\n".join(lines)


def _deck(view: Red7View) -> str:
    return f"{view.deck_size} (top: {_row(view.deck_top)})" if view.deck_top else f"{view.deck_size}"


def _seat(view: Red7View, seat: Seat, name: str) -> str:
    player = view.players[seat]
    mark = "→" if seat == view.turn and not view.over else " "
    if player.out:
        return f"{mark} {name}  out{_points(view, seat)}"
    if view.hand is not None and seat == view.seat:
        hand = _row(view.hand)
    else:
        hand = _counted(player.hand_size, "card") + (f" ({_row(player.known)} among them)" if player.known else "")
    return f"{mark} {name}  palette: {_row(player.palette)}   hand: {hand}{_points(view, seat)}"


def _points(view: Red7View, seat: Seat) -> str:
    return f"   points: {view.players[seat].points}" if view.options.rounds else ""


def _standing(standing: Standing, view: Red7View, names: tuple[str, ...]) -> str:
    mark = "*" if standing.colour is view.rule else " "
    leader = "nobody" if standing.leader is None else f"{names[standing.leader]} with {_row(standing.cards)}"
    return f"{mark} {standing.colour:<6}  {leader}"
