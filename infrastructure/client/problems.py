"""Problems that a server answers with, as the exceptions that the library raises."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, cast

from fairdeal.application import errors
from fairdeal.application.errors import FieldFault, InvalidCommand, InvalidQuery
from fairdeal.application.wire.decoding import read_faults
from fairdeal.domain.kernel.refusals import (
    FairdealError,
    GameOver,
    HouseRefusal,
    IllegalMove,
    NotYourTurn,
    UnknownPlayer,
)

CONFLICT = 409


class NotAllowed(FairdealError):
    """The server knows who asks, and they may not do that."""

    code = "not_allowed"


class Unauthenticated(FairdealError):
    """The server does not know whose token this is, or needs one."""

    code = "unauthenticated"


class ServerUnavailable(FairdealError):
    """The server cannot be reached, or is too busy; commands may be sent again with the same key."""

    code = "server_unavailable"


def _own_codes() -> dict[str, type[FairdealError]]:
    known = (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, FairdealError))
    named = {one.code: one for one in known if "code" in vars(one)}
    return {**named, NotAllowed.code: NotAllowed, Unauthenticated.code: Unauthenticated}


_CLASSES = _own_codes()
_REFUSALS: Mapping[str, type[IllegalMove]] = {
    "game_over": GameOver,
    "unknown_player": UnknownPlayer,
    "not_your_turn": NotYourTurn,
}


def error_of(status: int, said: Any) -> FairdealError:
    """The exception for a problem: the same class, code and sentence as if it had been raised here."""
    if not isinstance(said, Mapping):
        return ServerUnavailable(f"The server answered {status}, and not as Fairdeal does.")
    told = cast("Mapping[str, Any]", said)
    code, detail = str(told.get("code", "error")), str(told.get("detail", ""))
    known = _CLASSES.get(code)
    if status == CONFLICT and known is None:
        return _REFUSALS.get(code, IllegalMove)(_reason(code), detail)
    error = FairdealError.__new__(known or FairdealError)
    FairdealError.__init__(error, detail, code=code)
    if isinstance(error, InvalidCommand | InvalidQuery):
        error.faults = _faults(told)
    return error


def _faults(told: Mapping[str, Any]) -> tuple[FieldFault, ...]:
    return read_faults(told.get("errors") or ())


def _reason(code: str) -> StrEnum:
    """The reason as refusals have it: the house's own, else one of an enum that only the server knows."""
    if code in HouseRefusal.__members__.values():
        return HouseRefusal(code)
    return next(iter(_new_enum("Refusal", {code.upper(): code})))


_new_enum = cast("Callable[[str, Mapping[str, str]], type[StrEnum]]", StrEnum)
