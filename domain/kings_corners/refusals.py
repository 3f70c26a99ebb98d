"""Why a move in Kings Corners is refused."""

from enum import StrEnum


class Refusal(StrEnum):
    """Why a move is refused; RULES 6 gives their order."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    UNKNOWN_PILE = "unknown_pile"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CORNER_NEEDS_KING = "corner_needs_king"
    WRONG_RANK = "wrong_rank"
    SAME_COLOUR = "same_colour"
    SAME_PILE = "same_pile"
    EMPTY_SOURCE = "empty_source"
    EMPTY_TARGET = "empty_target"
    NO_EFFECT = "no_effect"
