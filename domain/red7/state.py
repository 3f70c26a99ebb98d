"""The table of a game of Red7, and how it follows from what happened."""

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.red7.cards import DECK, Card, CardSet, Colour, set_of
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
from fairdeal.domain.red7.options import Red7Options


class Red7:
    """Hands, palettes (also as sets of cards), canvas (bottom first), deck (top first), and whose turn it is."""

    __slots__ = (
        "canvas",
        "deck",
        "hands",
        "known",
        "last_played",
        "options",
        "over",
        "palette_sets",
        "palettes",
        "playing",
        "removed",
        "round",
        "scores",
        "turn",
    )

    def __init__(self, seats: int, options: Red7Options) -> None:
        self.options = options
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.palettes: list[list[Card]] = [[] for _ in range(seats)]
        self.palette_sets: list[CardSet] = [0] * seats
        self.canvas: tuple[Card, ...] = ()
        self.deck: tuple[Card, ...] = ()
        self.removed: tuple[Card, ...] = ()
        self.known: CardSet = 0
        """Cards off the table whose place everybody remembers: put on the deck by a 1, or of a palette given up."""
        self.scores: list[tuple[Card, ...]] = [()] * seats
        self.playing: tuple[Seat, ...] = tuple(range(seats))
        self.turn: Seat = 0
        self.last_played: Card | None = None
        """The last card played to the palette in this turn."""
        self.round = 0
        self.over = False

    def copy(self) -> "Red7":
        twin = Red7(0, self.options)
        twin.hands = [hand[:] for hand in self.hands]
        twin.palettes = [palette[:] for palette in self.palettes]
        twin.palette_sets = self.palette_sets[:]
        twin.canvas = self.canvas
        twin.deck = self.deck
        twin.removed = self.removed
        twin.known = self.known
        twin.scores = self.scores[:]
        twin.playing = self.playing
        twin.turn = self.turn
        twin.last_played = self.last_played
        twin.round = self.round
        twin.over = self.over
        return twin

    @property
    def hue(self) -> int:
        """The place of the rule in force in tables by colour; the start card is red."""
        return self.canvas[-1].hue if self.canvas else 0

    @property
    def rule(self) -> Colour:
        return self.canvas[-1].colour if self.canvas else Colour.RED

    @property
    def must_play_again(self) -> bool:
        """RULES 6.3: a 5 asks for one more card, as long as there is one in the hand."""
        last = self.last_played
        return last is not None and last.number == 5 and self.options.actions and bool(self.hands[self.turn])

    @property
    def next_seat(self) -> Seat:
        """The next player clockwise who is still in the round."""
        playing = self.playing
        for seat in playing:
            if seat > self.turn:
                return seat
        return playing[0]

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(sum(card.number for card in pile) for pile in self.scores)


def _known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    """The cards of a stored event; only redacted ones, which are never replayed, hold gaps."""
    return tuple(filter(None, cards))


def _cards_dealt(state: Red7, event: CardsDealt) -> None:
    deck = _known(event.deck)
    # The table knows how many sit there, and a log may be forged: nobody lays out cards for a million chairs.
    seats = len(state.hands)
    share = event.hand_size + 1
    palette_cards = deck[event.hand_size : seats * share : share]
    state.hands = [list(deck[at : at + event.hand_size]) for at in range(0, seats * share, share)]
    state.palettes = [[card] for card in palette_cards]
    state.palette_sets = [card.bit for card in palette_cards]
    state.canvas = ()
    state.deck = deck[seats * share :]
    state.removed = _neither_in(deck, *state.scores)
    state.known = 0
    state.playing = tuple(range(seats))
    state.turn = event.first
    state.last_played = None
    state.round = event.round


def _position_laid(state: Red7, event: PositionLaid) -> None:
    state.hands = [list(_known(hand)) for hand in event.hands]
    state.palettes = [list(palette) for palette in event.palettes]
    state.palette_sets = [set_of(palette) for palette in state.palettes]
    state.canvas = event.canvas
    state.deck = _known(event.deck)
    state.scores = list(event.scores)
    state.removed = _neither_in(*state.hands, *event.palettes, event.canvas, state.deck, *event.scores)
    state.playing = tuple(seat for seat in state.playing if seat not in event.out)
    state.turn = event.turn
    state.round = 1


def _neither_in(*places: "tuple[Card, ...] | list[Card]") -> tuple[Card, ...]:
    if sum(map(len, places)) == len(DECK):
        return ()
    there = {card for place in places for card in place}
    return tuple(card for card in DECK if card not in there)


def _card_played(state: Red7, event: CardPlayed) -> None:
    seat = event.seat
    card = event.card
    state.hands[seat].remove(card)
    state.palettes[seat].append(card)
    state.palette_sets[seat] |= card.bit
    state.last_played = card


def _rule_changed(state: Red7, event: RuleChanged) -> None:
    state.hands[event.seat].remove(event.card)
    state.canvas += (event.card,)


def _card_taken(state: Red7, event: CardTaken) -> None:
    _leave_palette(state, event.owner, event.card)
    state.deck = (event.card, *state.deck)
    state.known |= event.card.bit


def _card_discarded(state: Red7, event: CardDiscarded) -> None:
    _leave_palette(state, event.seat, event.card)
    state.canvas += (event.card,)


def _leave_palette(state: Red7, seat: Seat, card: Card) -> None:
    state.palettes[seat].remove(card)
    state.palette_sets[seat] ^= card.bit


def _card_drawn(state: Red7, event: CardDrawn) -> None:
    state.hands[event.seat].extend(_known((event.card,)))
    state.deck = state.deck[1:]


def _turn_passed(state: Red7, event: TurnPassed) -> None:
    state.turn = event.to
    state.last_played = None


def _player_eliminated(state: Red7, event: PlayerEliminated) -> None:
    seat = event.seat
    state.known |= state.palette_sets[seat]
    state.removed += (*state.hands[seat], *state.palettes[seat])
    state.hands[seat] = []
    state.palettes[seat] = []
    state.palette_sets[seat] = 0
    state.playing = tuple(other for other in state.playing if other != seat)


def _round_won(state: Red7, event: RoundWon) -> None:
    for card in event.cards:
        _leave_palette(state, event.seat, card)
    state.scores[event.seat] += event.cards


def _game_finished(state: Red7, event: GameFinished) -> None:
    state.over = True


EVOLVE: Mapping[type, Callable[[Red7, Any], None]] = {
    CardsDealt: _cards_dealt,
    PositionLaid: _position_laid,
    CardPlayed: _card_played,
    RuleChanged: _rule_changed,
    CardTaken: _card_taken,
    CardDiscarded: _card_discarded,
    CardDrawn: _card_drawn,
    TurnPassed: _turn_passed,
    PlayerEliminated: _player_eliminated,
    RoundWon: _round_won,
    GameFinished: _game_finished,
}
