"""What a seat or a spectator may see of a game of Red7."""

from dataclasses import dataclass, replace
from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.red7.cards import COLOURS, DECK, Card, Colour, set_of
from fairdeal.domain.red7.events import CardDrawn, CardsDealt, PositionLaid
from fairdeal.domain.red7.legal import legal
from fairdeal.domain.red7.moves import GIVE_UP
from fairdeal.domain.red7.options import Red7Options
from fairdeal.domain.red7.standings import Standing, standings
from fairdeal.domain.red7.state import Red7


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody sees of a seat."""

    hand_size: int
    known: tuple[Card, ...]
    """Cards of the hand that everybody has seen: a 1 put them on the deck before they were drawn."""
    palette: tuple[Card, ...]
    score: tuple[Card, ...]
    points: int
    out: bool


@dataclass(frozen=True, slots=True)
class Red7View:
    """The open table, one's own hand (None for a spectator), and who leads by each of the seven rules."""

    options: Red7Options
    seat: Seat | None
    hand: tuple[Card, ...] | None
    players: tuple[PlayerView, ...]
    canvas: tuple[Card, ...]
    """Bottom first; empty while only the start card lies there."""
    rule: Colour
    standings: tuple[Standing, ...]
    """Who would lead by each rule, red first."""
    deck_size: int
    deck_top: tuple[Card, ...]
    """Cards on top of the deck that everybody has seen there, the topmost first."""
    round: int
    turn: Seat
    last_played: Card | None
    """The last card that went to a palette in this turn."""
    must_play_again: bool
    only_giving_up_is_left: bool
    """Told to nobody but the player in turn."""
    over: bool

    @property
    def standing(self) -> Standing:
        """Who is winning by the rule in force."""
        return self.standings[COLOURS.index(self.rule)]


def view(state: Red7, seat: Seat | None) -> Red7View:
    return Red7View(
        options=state.options,
        seat=seat,
        hand=None if seat is None else tuple(state.hands[seat]),
        players=tuple(_player(state, at) for at in range(len(state.hands))),
        canvas=state.canvas,
        rule=state.rule,
        standings=standings([state.palette_sets[at] if at in state.playing else 0 for at in range(len(state.hands))]),
        deck_size=len(state.deck),
        deck_top=tuple(card for card in state.deck if card.bit & state.known),
        round=state.round,
        turn=state.turn,
        last_played=state.last_played,
        must_play_again=state.must_play_again,
        only_giving_up_is_left=seat is not None and legal(state, seat) == [GIVE_UP],
        over=state.over,
    )


def _player(state: Red7, seat: Seat) -> PlayerView:
    return PlayerView(
        hand_size=len(state.hands[seat]),
        known=tuple(card for card in state.hands[seat] if card.bit & state.known),
        palette=tuple(state.palettes[seat]),
        score=state.scores[seat],
        points=state.points[seat],
        out=seat not in state.playing,
    )


def redact(event: Any, seat: Seat | None) -> Any:
    match event:
        case CardsDealt():
            return replace(event, deck=_seen_of_deal(event, seat))
        case PositionLaid():
            hands = tuple(hand if at == seat else (None,) * len(hand) for at, hand in enumerate(event.hands))
            return replace(event, hands=hands, deck=(None,) * len(event.deck))
        case CardDrawn(seen=False) if event.seat != seat:
            return CardDrawn(event.seat, None, seen=False)
        case _:
            return event


def _seen_of_deal(event: CardsDealt, seat: Seat | None) -> tuple[Card | None, ...]:
    """Of a deal one sees one's own hand and the first card of every palette."""
    share = event.hand_size + 1
    palettes = range(event.hand_size, event.seats * share, share)
    own = range(0) if seat is None else range(seat * share, (seat + 1) * share)
    return tuple(card if at in own or at in palettes else None for at, card in enumerate(event.deck))


def hidden(state: Red7, seat: Seat | None) -> list[Card]:
    """All cards but those on the table, in a score pile, in one's own hand, or remembered by everybody."""
    open_cards = (*state.palettes, state.canvas, *state.scores, () if seat is None else state.hands[seat])
    seen = state.known
    for place in open_cards:
        seen |= set_of(place)
    return [card for card in DECK if not card.bit & seen]


def places(state: Red7) -> list[Place]:
    of_seats = [place for seat in range(len(state.hands)) for place in _places_of(state, seat)]
    canvas, deck = Place("canvas", None, state.canvas), Place("deck", None, state.deck)
    return [*of_seats, canvas, deck, Place("out of the round", None, state.removed)]


def _places_of(state: Red7, seat: Seat) -> list[Place]:
    return [
        Place("hand", seat, tuple(state.hands[seat])),
        Place("palette", seat, tuple(state.palettes[seat])),
        Place("score pile", seat, state.scores[seat]),
    ]
