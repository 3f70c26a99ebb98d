"""Why a move or a table of Reviiyot is refused."""

from enum import StrEnum


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
