"""The rules of Reviiyot: the deal, what a turn brings, and when the game ends."""

from enum import StrEnum

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.reviiyot.cards import (
    HAND_SIZE,
    HIGHEST_HOUSE_N,
    HIGHEST_N,
    deck_size,
    pack_of,
)
from fairdeal.domain.reviiyot.events import CardsAsked, CardsDealt, CardsDrawn, CardsGiven, PositionLaid, SetDiscarded
from fairdeal.domain.reviiyot.moves import SMALL_TABLE, Move, asks, remembered_asks
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.reviiyot.state import Reviiyot

WON = "won"
STALLED = "stalled"


class Refusal(StrEnum):
    """Why a move or a table is refused; RULES 8 gives the order."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    UNKNOWN_SEAT = "unknown_seat"
    ASKED_SELF = "asked_self"
    UNKNOWN_VALUE = "unknown_value"
    VALUE_NOT_HELD = "value_not_held"
    BAD_N = "bad_n"
    BAD_STRATEGY = "bad_strategy"


def check_options(options: ReviiyotOptions) -> None:
    if not 1 <= options.n <= HIGHEST_N:
        raise refusal(Refusal.BAD_N, f"The highest number of the deck is 1 to {HIGHEST_N}, not {options.n}.")


def check_brought(options: ReviiyotOptions, brought: PlaysBy | None) -> None:
    if brought is not None and brought.strategy not in tuple(Strategy):
        raise refusal(Refusal.BAD_STRATEGY, f"The strategies are {', '.join(Strategy)}, not {brought.strategy!r}.")


def deal(draft: Draft[Reviiyot], chance: Chance, given: tuple[str, ...] | None) -> None:
    state = draft.state
    must_suffice(state.n, len(state.hands))
    if given is None:
        must_be_shuffled(state.n)
        given = chance.shuffle(0, pack_of(state.n).cards)
    else:
        must_be_full_deck(state.n, given)
    draft.say(CardsDealt(0, given))
    for seat in range(len(state.hands)):
        discard_sets(draft, seat, state.hand(seat))


def must_suffice(n: int, seats: int) -> None:
    if deck_size(n) < seats * HAND_SIZE:
        raise refusal(
            HouseRefusal.PLAYER_COUNT,
            f"A deck of {deck_size(n)} cards has not seven for each of {seats} players.",
        )


def must_be_shuffled(n: int) -> None:
    if n > HIGHEST_HOUSE_N:
        raise refusal(Refusal.BAD_N, f"A deck that is shuffled here has no number above {HIGHEST_HOUSE_N}.")


def must_be_full_deck(n: int, given: tuple[str, ...]) -> None:
    # The length comes first: a huge N must not have its deck built.
    if len(given) != deck_size(n) or set(given) != set(pack_of(n).cards):
        raise refusal(HouseRefusal.BAD_DECK, f"A given deck holds each of the {deck_size(n)} cards once.")


def check_position(seats: int, position: PositionLaid) -> None:
    """Hands that play would not give are welcome, for puzzles; a table that cannot go on is not."""
    cards = [card for place in (*position.hands, position.deck) for card in place]
    if not 1 <= position.n <= HIGHEST_HOUSE_N or not pack_of(position.n).places.keys() >= set(cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position shows cards of its deck.")
    if len(set(cards)) != len(cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position has no card twice.")
    if len(position.hands) != seats or not all(position.hands) or position.turns < 0:
        raise refusal(HouseRefusal.BAD_POSITION, "A position has cards for every seat.")


def decide(draft: Draft[Reviiyot], seat: Seat, move: Move, chance: Chance) -> None:
    state = draft.state
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")
    must_be_another_seat(state, seat, move.seat)
    must_hold(state, seat, move.value)
    take_turn(draft, seat, move.seat, move.value)
    end_if_over(draft, seat, move.seat)


def must_be_another_seat(state: Reviiyot, seat: Seat, asked: Seat) -> None:
    if not 0 <= asked < len(state.hands):
        raise refusal(Refusal.UNKNOWN_SEAT, f"There is no seat {asked}; the seats are 0 to {len(state.hands) - 1}.")
    if asked == seat:
        raise refusal(Refusal.ASKED_SELF, "You cannot ask yourself.")


def must_hold(state: Reviiyot, seat: Seat, value: str) -> None:
    if value + "C" not in state.pack.places:
        raise refusal(Refusal.UNKNOWN_VALUE, f"There is no value {value!r} in this deck.")
    if not state.count(seat, value):
        raise refusal(Refusal.VALUE_NOT_HELD, f"You hold no card of the value {value}.")


def take_turn(draft: Draft[Reviiyot], seat: Seat, asked: Seat, value: str) -> None:
    """Give, draw, discard (RULES 4)."""
    state = draft.state
    draft.say(CardsAsked(seat, asked, value))
    given = state.cards_of(asked, value)
    if not given:
        discard_sets(draft, seat, draw(draft, seat, 1))
        return
    draft.say(CardsGiven(asked, seat, value, given))
    # RULES 4.3: whoever has given his last card away draws nothing, however full the deck is.
    drawn = draw(draft, asked, len(given)) if state.hands[asked] else ()
    discard_sets(draft, seat, given)
    discard_sets(draft, asked, drawn)


def draw(draft: Draft[Reviiyot], seat: Seat, count: int) -> tuple[str, ...]:
    cards = draft.state.top(count)
    if cards:
        draft.say(CardsDrawn(seat, cards))
    return cards


def discard_sets(draft: Draft[Reviiyot], seat: Seat, came: tuple[str, ...]) -> None:
    """The sets that the cards just taken up have completed, in ascending order."""
    for value in draft.state.sets_with(seat, came):
        draft.say(SetDiscarded(seat, value))


def end_if_over(draft: Draft[Reviiyot], seat: Seat, asked: Seat) -> None:
    """Only the two who took part in the turn can be without cards (RULES 6)."""
    state = draft.state
    if not (state.hands[seat] and state.hands[asked]):
        winners = tuple(one for one in sorted((seat, asked)) if not state.hands[one])
        draft.say(GameFinished(winners, (), WON))
    elif state.failures >= state.patience:
        draft.say(GameFinished((), (), STALLED))


def active(state: Reviiyot) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: Reviiyot, seat: Seat) -> list[Move]:
    """Every value in the hand, in ascending order, from every other seat."""
    if state.over or seat != state.turn:
        return []
    seats = len(state.hands)
    of_all_others = remembered_asks if seats <= SMALL_TABLE else asks
    moves: list[Move] = []
    for value in state.values(seat):
        moves += of_all_others(seat, seats, value)
    return moves
