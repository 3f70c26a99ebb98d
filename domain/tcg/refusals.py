"""Why something is refused in the trading card game."""

from enum import StrEnum


class Refusal(StrEnum):
    """Why a move, a deck or a rule set is refused; RULES 8 gives the order for moves."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    MODE_NOT_ALLOWED = "mode_not_allowed"
    NOT_ENOUGH_MANA = "not_enough_mana"
    TARGET_NOT_ALLOWED = "target_not_allowed"
    TARGET_NOT_FOUND = "target_not_found"
    BOARD_FULL = "board_full"
    MINION_NOT_FOUND = "minion_not_found"
    MINION_ASLEEP = "minion_asleep"
    MINION_HAS_NO_ATTACK = "minion_has_no_attack"
    MINION_ALREADY_ATTACKED = "minion_already_attacked"
    INVALID_RULES = "invalid_rules"
    INVALID_CARD = "invalid_card"
    INVALID_DECK = "invalid_deck"
    INVALID_POOL = "invalid_pool"
