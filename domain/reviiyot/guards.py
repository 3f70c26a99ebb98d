"""What a move must satisfy, in the order of RULES 8."""

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.reviiyot.refusals import Refusal
from fairdeal.domain.reviiyot.state import Reviiyot


def must_be_turn(state: Reviiyot, seat: Seat) -> None:
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")


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
