"""Why a move in Red7 is refused."""

from enum import StrEnum


class Refusal(StrEnum):
    """RULES 9 gives their order."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    MUST_GIVE_UP = "must_give_up"
    MUST_PLAY_AGAIN = "must_play_again"
    ALREADY_PLAYED = "already_played"
    NOTHING_PLAYED = "nothing_played"
    SAME_CARD_TWICE = "same_card_twice"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    EFFECT_CHOICE_REQUIRED = "effect_choice_required"
    ILLEGAL_EFFECT_TARGET = "illegal_effect_target"
    NO_POSSIBLE_WIN = "no_possible_win"
    NOT_WINNING = "not_winning"
    BAD_OPTIONS = "bad_options"
