"""Refusals of the application: each its own class with a stable code."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import UnionType
from uuid import UUID

from fairdeal.domain.kernel.refusals import FairdealError, echo, quoted

HIGHEST = 2**63 - 1
"""The largest number that a database holds."""


@dataclass(frozen=True, slots=True)
class FieldFault:
    """What is wrong with one field of a command, a move or options."""

    field: str
    message: str


class InvalidCommand(FairdealError):
    """A command that cannot be understood; `faults` names each field and what was expected."""

    code = "invalid_command"

    def __init__(self, what: str, faults: Sequence[FieldFault]) -> None:
        super().__init__(f"{what}: " + "; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class InvalidQuery(FairdealError):
    """A question that cannot be understood; `faults` names each field and what was expected."""

    code = "invalid_query"

    def __init__(self, faults: Sequence[FieldFault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


def must_be_a_number(field: str, value: object, *, least: int = 0) -> None:
    """For versions, counts and the like that come from Python, where nothing checks them."""
    if not isinstance(value, int) or not least <= value <= HIGHEST:
        raise InvalidQuery([FieldFault(field, f"expected {least} or more, not {quoted(value)}")])


def must_be(field: str, value: object, kinds: type | UnionType, what: str) -> None:
    """For things that come from Python, where nothing checks of which class they are."""
    if not isinstance(value, kinds):
        raise InvalidQuery([FieldFault(field, f"expected {what}, not {quoted(value)}")])


class UnknownKind(FairdealError):
    code = "unknown_kind"


class BadRegister(FairdealError):
    """Kinds of games that are registered under wrong names; nothing was opened."""

    code = "bad_register"


class UnknownGame(FairdealError):
    code = "unknown_game"

    def __init__(self, game_id: UUID | str) -> None:
        given: UUID | str = game_id if isinstance(game_id, UUID) else echo(game_id)
        super().__init__(f"There is no game {given}.")
        self.game_id = given


class BeyondHead(FairdealError):
    """The game has not come that far; the head is not shown in its place."""

    code = "beyond_head"

    def __init__(self, version: int, head: int) -> None:
        super().__init__(f"There is no version {version}: the game has come to version {head}.")
        self.version = version
        self.head = head


class NotYet(FairdealError):
    """A moment that has not come."""

    code = "not_yet"


class StillRunning(FairdealError):
    """What is hidden is shown only when the game is over."""

    code = "still_running"


class NoBranch(FairdealError):
    """No branch can begin at this version; the code says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code=code)


class NotAnExport(FairdealError):
    """The file is not the log of a game."""

    code = "not_an_export"


class RedactedLog(FairdealError):
    """Some records of the log are closed, so nobody can follow the game by it."""

    code = "redacted_log"

    def __init__(self, game_id: UUID, viewer: str) -> None:
        seen = f"The log of game {game_id} shows only what {viewer} may see"
        super().__init__(f"{seen}: it can be verified and compared, not replayed.")
        self.game_id = game_id


class TouchedLog(FairdealError):
    """The file is not what was exported: it can be verified and compared, not replayed."""

    code = "touched_log"


class ImportRefused(FairdealError):
    """The log is not what it should be, or not whole; nothing was stored."""

    code = "import_refused"


class GameDiffers(FairdealError):
    """The ledger holds this game already, with other contents; nothing was stored."""

    code = "game_differs"


class StaleVersion(FairdealError):
    """The game has moved on since the caller looked at it."""

    code = "stale_version"

    def __init__(self, game_id: UUID, expected: int, actual: int) -> None:
        super().__init__(f"Game {game_id} is at version {actual}, not {expected}: look again, then decide.")
        self.expected = expected
        self.actual = actual


class CommandIdReused(FairdealError):
    """The command id belongs to another command; what that was is nobody else's business."""

    code = "command_id_reused"

    def __init__(self) -> None:
        super().__init__("This command id was used for another command: every new command needs a new id.")


class VersionConflict(FairdealError):
    """Somebody else stored this version first; handlers decide again, callers never see it."""

    code = "version_conflict"


class Busy(FairdealError):
    """Too many writers on one game at once; nothing was stored and trying again is safe."""

    code = "busy"


class LedgerError(FairdealError):
    """The ledger cannot be read or written; nothing that was acknowledged is lost by that."""

    code = "ledger_error"


class LedgerUnavailable(LedgerError):
    """Locked for too long, out of reach or closed; sending the same command again is safe."""

    code = "ledger_unavailable"


class OutcomeNotKnown(LedgerUnavailable):
    """Perhaps stored, perhaps on one server only: sent again with the same id, it will be known.

    It has the code of its base: whoever acts by codes already does what is right here.
    """


class LedgerRolledBack(LedgerError):
    """The ledger no longer holds what this process had read or stored: it was set back to an earlier state.

    The game has been forgotten here: ask again, and what is stored is served.
    """

    code = "ledger_rolled_back"

    def __init__(self, game_id: UUID, version: int) -> None:
        super().__init__(
            f"The ledger no longer holds version {version} of game {game_id}, which was stored before: it was set back "
            "to an earlier state. Nothing was stored; ask again to go on from what is there. Receipts and checkpoints "
            "prove what is lost."
        )
        self.game_id = game_id
        self.version = version


class ClockAhead(LedgerError):
    """This machine's clock is far ahead of the database's: what it stored would pin a game's time for ever."""

    code = "clock_ahead"

    def __init__(self, ahead: timedelta) -> None:
        super().__init__(
            f"The clock of this machine is {timedelta(seconds=int(ahead.total_seconds()))} ahead of the database's: "
            "nothing was stored. Set the clock, then send the same command again."
        )
        self.ahead = ahead


class LedgerFull(LedgerError):
    """There is no room to store anything; reading goes on."""

    code = "ledger_full"


class LedgerReadOnly(LedgerError):
    """The database may be read but not written."""

    code = "ledger_read_only"


class NotALedger(LedgerError):
    """What stands at the address is not a database, or is a broken one."""

    code = "not_a_ledger"


class TamperedLedger(LedgerError):
    """The database holds rows that no version of Fairdeal would have written."""

    code = "tampered_ledger"


class NewerLedger(LedgerError):
    """A newer version of Fairdeal keeps its records here; this one must not touch them."""

    code = "newer_ledger"


class DamagedRecord(LedgerError):
    """A stored record is not what was stored; the game is left alone."""

    code = "damaged_record"

    def __init__(self, game_id: UUID, version: int, why: str) -> None:
        super().__init__(f"Record {version} of game {game_id} is damaged: {why}.")
        self.game_id = game_id
        self.version = version


class UnknownEvent(LedgerError):
    """A stored name that this program does not know: written by a newer one, or by another."""

    code = "unknown_event"

    def __init__(self, game_id: UUID, version: int, name: str) -> None:
        super().__init__(
            f"Record {version} of game {game_id} is a {name!r}, which this version of Fairdeal cannot read."
        )
        self.game_id = game_id
        self.version = version
