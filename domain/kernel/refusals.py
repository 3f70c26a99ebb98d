"""What a refused command looks like: one exception, a stable reason code and a sentence."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Self

LONGEST_MESSAGE = 1000
LONGEST_ECHO = 100
"""Characters of what somebody sent that a message repeats."""


class FairdealError(Exception):
    """Everything Fairdeal refuses or cannot do; `code` is stable, the message is for people."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        message = in_one_line(message, LONGEST_MESSAGE)
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Not by calling the class again, as exceptions are copied otherwise: each takes other arguments.
        return type(self)._again, (self.args, self.__dict__)

    @classmethod
    def _again(cls, args: tuple[Any, ...], fields: dict[str, Any]) -> Self:
        error = cls.__new__(cls, *args)
        error.__dict__.update(fields)
        return error


def in_one_line(text: str, most: int) -> str:
    """The text without line breaks and other characters that cannot be printed, cut off where it is too long."""
    if len(text) > most:
        text = f"{text[: most - 1]}…"
    return (
        text
        if text.isprintable()
        else "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
    )


def echo(value: object) -> str:
    """What somebody sent, as a message may repeat it."""
    return in_one_line(value if isinstance(value, str) else _written(value), LONGEST_ECHO)


def quoted(value: object) -> str:
    """The same in quotation marks, if it is a text."""
    return repr(echo(value)) if isinstance(value, str) else echo(value)


def _written(value: object) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):  # a number of too many digits, lists inside lists
        return f"something of type {type(value).__name__}"


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
