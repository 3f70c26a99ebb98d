"""Why something is refused in the trading card game, and what can be wrong with a deck or a pool."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from fairdeal.domain.kernel.refusals import IllegalMove


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


class FaultCode(StrEnum):
    """What can be wrong with a deck or a pool, in a file or on its way to a game (RULES 9)."""

    MALFORMED = "malformed"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNKNOWN_CARD = "unknown_card"
    WRONG_SIZE = "wrong_size"
    TOO_MANY_COPIES = "too_many_copies"
    CARD_NOT_ALLOWED = "card_not_allowed"
    BAD_NAME = "bad_name"
    DECKS_OFF = "decks_off"
    DECK_NOT_FOUND = "deck_not_found"
    DECK_UNREADABLE = "deck_unreadable"
    DECK_UNWRITABLE = "deck_unwritable"
    NAME_TAKEN = "name_taken"
    INVALID_CARD = "invalid_card"
    POOL_NOT_FOUND = "pool_not_found"
    POOL_UNREADABLE = "pool_unreadable"


@dataclass(frozen=True, slots=True)
class DeckFault:
    """One thing that is wrong with a deck or a pool, as a code for programs and in words for people."""

    code: FaultCode
    message: str


class _Faulty(IllegalMove):
    """Something was refused for faults that are all named."""

    def __init__(self, reason: Refusal, what: str, faults: Iterable[DeckFault]) -> None:
        self.faults = tuple(faults)
        super().__init__(reason, f"{what}: {'; '.join(fault.message for fault in self.faults)}.")

    @property
    def codes(self) -> frozenset[FaultCode]:
        return frozenset(fault.code for fault in self.faults)


class InvalidDeck(_Faulty):
    """A deck that no game accepts, or a file that is not a deck."""

    def __init__(self, whose: str, faults: Iterable[DeckFault]) -> None:
        super().__init__(Refusal.INVALID_DECK, whose, faults)


class InvalidPool(_Faulty):
    """A file that is not a pool, or a pool with bad cards."""

    def __init__(self, which: str, faults: Iterable[DeckFault]) -> None:
        super().__init__(Refusal.INVALID_POOL, which, faults)
