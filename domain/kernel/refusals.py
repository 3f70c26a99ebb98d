"""What a refused command looks like: one exception, a stable reason code and a sentence."""

from enum import StrEnum


class FairdealError(Exception):
    """Everything Fairdeal refuses or cannot do; `code` is stable, the message is for people."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class IllegalMove(FairdealError):
    """The rules do not allow it; nothing has changed."""

    def __init__(self, reason: StrEnum, message: str) -> None:
        super().__init__(message, code=reason.value)
        self.reason = reason


class GameOver(IllegalMove):
    """The game has ended; nobody may act any more."""


class UnknownPlayer(IllegalMove):
    """Whoever acts does not sit at this table."""


class NotYourTurn(IllegalMove):
    """Somebody else has to act first."""


class HouseRefusal(StrEnum):
    """Refusals that are the same in every game, because the table and not the game gives them."""

    GAME_OVER = "game_over"
    UNKNOWN_PLAYER = "unknown_player"
    NOT_YOUR_TURN = "not_your_turn"
    PLAYER_COUNT = "player_count"
    DUPLICATE_PLAYER = "duplicate_player"
    TABLE_FULL = "table_full"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    NOT_ALLOWED = "not_allowed"
    BAD_NAME = "bad_name"
    BAD_SEAL = "bad_seal"
    NOTHING_SEALED = "nothing_sealed"
    ALREADY_REVEALED = "already_revealed"
    WRONG_ENTROPY = "wrong_entropy"
    SEALED_NEEDS_SHUFFLE = "sealed_needs_shuffle"
    TWO_OPENINGS = "two_openings"
    NO_POSITIONS = "no_positions"
    BAD_POSITION = "bad_position"
    BAD_DECK = "bad_deck"
    NOTHING_TO_BRING = "nothing_to_bring"
    BAD_CLOCK = "bad_clock"
    NO_CLOCK = "no_clock"
    TOO_EARLY = "too_early"
    SEAL_USED = "seal_used"
    BROUGHT_BY_OTHERS = "brought_by_others"


_TYPED: dict[str, type[IllegalMove]] = {
    HouseRefusal.GAME_OVER: GameOver,
    HouseRefusal.UNKNOWN_PLAYER: UnknownPlayer,
    HouseRefusal.NOT_YOUR_TURN: NotYourTurn,
}


def refusal(reason: StrEnum, message: str) -> IllegalMove:
    """The exception for a reason; the three that callers handle most have classes of their own."""
    return _TYPED.get(reason.value, IllegalMove)(reason, message)
