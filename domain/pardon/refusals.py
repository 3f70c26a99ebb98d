"""Why a move or a table of Pardon is refused."""

from enum import StrEnum


class Refusal(StrEnum):
    """Why a move is refused; RULES 8 gives their order."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_CHOSEN = "already_chosen"
    NEED_THREE = "need_three"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    MUST_PLAY_FACE_DOWN = "must_play_face_down"
    NO_CARDS = "no_cards"
    DUPLICATE_CARD = "duplicate_card"
    MIXED_RANKS = "mixed_ranks"
    MUST_BE_LOWER_THAN_7 = "must_be_lower_than_7"
    NOT_HIGHER = "not_higher"
    PILE_EMPTY = "pile_empty"
    HAND_NOT_EMPTY = "hand_not_empty"
    NO_SUCH_CARD = "no_such_card"
    BAD_LIMIT = "bad_limit"
