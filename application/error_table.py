"""Every code that a caller can meet, in one table: what it means, which HTTP status it has, whether to send it again.

Codes are public. `make docs` writes docs/errors.md from here, and HTTP takes its statuses from here.
"""

from typing import NamedTuple

from fairdeal.domain.kernel.refusals import HouseRefusal

REFUSED = 409
"""The rules of a game or of the table refuse it."""
NO = "no"
LATER = "later"
SAME_ID = "yes, with the same id"
MENDED = "when that is mended"


class ErrorEntry(NamedTuple):
    code: str
    error: str
    """The class that is raised."""
    meaning: str
    status: int | None
    """Over HTTP; None where HTTP cannot meet it."""
    again: str
    """Whether to send it again."""


def _refusal(reason: HouseRefusal, meaning: str, *, status: int = REFUSED, again: str = NO) -> ErrorEntry:
    return ErrorEntry(reason.value, "IllegalMove", meaning, status, again)


TABLE = (
    ErrorEntry("game_over", "GameOver", "the game has ended", REFUSED, NO),
    ErrorEntry("not_your_turn", "NotYourTurn", "somebody else has to act first", REFUSED, LATER),
    ErrorEntry("unknown_player", "UnknownPlayer", "whoever acts, or looks, does not sit at this table", REFUSED, NO),
    _refusal(HouseRefusal.NOT_STARTED, "the cards have not been dealt yet", again=LATER),
    _refusal(HouseRefusal.ALREADY_STARTED, "the seats are closed"),
    _refusal(HouseRefusal.PLAYER_COUNT, "so many cannot play this game"),
    _refusal(HouseRefusal.TABLE_FULL, "no seat is free"),
    _refusal(HouseRefusal.DUPLICATE_PLAYER, "this player sits here already"),
    _refusal(
        HouseRefusal.NOT_ALLOWED, "the table or the policy of the service does not let this caller do it", status=403
    ),
    _refusal(HouseRefusal.BAD_NAME, "not a name that a player can have"),
    _refusal(HouseRefusal.BAD_SEAL, "a seal that is not a SHA-256 in hex"),
    _refusal(HouseRefusal.SEAL_USED, "somebody at this table has sealed the same"),
    _refusal(HouseRefusal.NOTHING_SEALED, "this player has sealed nothing"),
    _refusal(HouseRefusal.ALREADY_REVEALED, "this seal is open already"),
    _refusal(HouseRefusal.WRONG_ENTROPY, "the entropy does not fit the seal"),
    _refusal(HouseRefusal.SEALED_NEEDS_SHUFFLE, "somebody sealed entropy, so only a shuffle can start this game"),
    _refusal(HouseRefusal.TWO_OPENINGS, "a given deck and a position at once"),
    _refusal(HouseRefusal.BROUGHT_BY_OTHERS, "a given deck where somebody else has brought something"),
    _refusal(HouseRefusal.NO_POSITIONS, "this game cannot start from such a position"),
    _refusal(HouseRefusal.BAD_POSITION, "a position from which nobody can play on"),
    _refusal(HouseRefusal.BAD_DECK, "a given deck that this game cannot use"),
    _refusal(HouseRefusal.NOTHING_TO_BRING, "nothing can be brought to this game"),
    _refusal(HouseRefusal.BAD_CLOCK, "a clock that no table can have"),
    _refusal(HouseRefusal.NO_CLOCK, "a timeout is claimed where there is no clock"),
    _refusal(HouseRefusal.TOO_EARLY, "a timeout is claimed before its time", again=LATER),
    ErrorEntry("invalid_command", "InvalidCommand", "not understood; `faults` names each field", 422, NO),
    ErrorEntry(
        "invalid_query", "InvalidQuery", "a question that is not understood; `faults` names each field", 422, NO
    ),
    ErrorEntry("unknown_kind", "UnknownKind", "there is no such game to play", 404, NO),
    ErrorEntry("unknown_game", "UnknownGame", "there is no such game, or it is hidden from the caller", 404, NO),
    ErrorEntry("stale_version", "StaleVersion", "the game has moved on; look again", 412, "with a new version"),
    ErrorEntry(
        "command_id_reused", "CommandIdReused", "the player used this id for another command", 422, "with a new id"
    ),
    ErrorEntry("busy", "Busy", "too many at once at this game; nothing was stored", 503, SAME_ID),
    ErrorEntry("beyond_head", "BeyondHead", "the game has not come to this version", 409, LATER),
    ErrorEntry("not_yet", "NotYet", "a moment that has not come", 409, LATER),
    ErrorEntry("still_running", "StillRunning", "it can be had when the game is over", 409, LATER),
    ErrorEntry("before_the_deal", "NoBranch", "no branch can begin before the cards are dealt", 409, NO),
    ErrorEntry("at_the_end", "NoBranch", "no branch can begin where the game is over", 409, NO),
    ErrorEntry("inside_a_command", "NoBranch", "no branch can begin inside what one command did", 409, NO),
    ErrorEntry(
        "ledger_unavailable",
        "LedgerUnavailable",
        "locked, out of reach or closed, or not known to be on all servers; perhaps stored",
        503,
        SAME_ID,
    ),
    ErrorEntry(
        "ledger_rolled_back",
        "LedgerRolledBack, ReadModelsRolledBack",
        "the ledger was set back to an earlier state, and this worker knew more; nothing was stored",
        409,
        "yes: the worker goes on from what is stored",
    ),
    ErrorEntry(
        "clock_ahead",
        "ClockAhead",
        "on PostgreSQL: the worker's clock is more than five minutes ahead of the server's; nothing was stored",
        500,
        MENDED,
    ),
    ErrorEntry("ledger_full", "LedgerFull", "no room is left; reading goes on", 507, MENDED),
    ErrorEntry("ledger_read_only", "LedgerReadOnly", "the database may not be written; reading goes on", 507, MENDED),
    ErrorEntry("ledger_error", "LedgerError", "anything else that the database said", 500, SAME_ID),
    ErrorEntry(
        "damaged_record",
        "DamagedRecord",
        "a record is not what was stored; other games go on",
        500,
        "no: audit the game",
    ),
    ErrorEntry("tampered_ledger", "TamperedLedger", "records that belong to no game", 500, "no: audit the ledger"),
    ErrorEntry("unknown_event", "UnknownEvent", "a newer Fairdeal wrote it; other games go on", 500, "after an update"),
    ErrorEntry("not_a_ledger", "NotALedger", "on opening: no ledger stands there", None, NO),
    ErrorEntry(
        "newer_ledger", "NewerLedger", "on opening: a newer Fairdeal keeps its records there", None, "after an update"
    ),
    ErrorEntry("bad_register", "BadRegister", "on opening: a kind is registered under a wrong name", None, NO),
    ErrorEntry("not_installed", "FairdealError", "a package is missing; the message names the extra", None, MENDED),
    ErrorEntry("not_caught_up", "NotCaughtUp", "the read models are behind", 503, LATER),
    ErrorEntry("read_model_error", "ReadModelError", "the read models cannot be used; games go on", 500, MENDED),
    ErrorEntry(
        "newer_read_model", "NewerReadModel", "a newer Fairdeal keeps these read models", 500, "after an update"
    ),
    ErrorEntry("not_an_export", "NotAnExport", "the file is not the log of a game", None, NO),
    ErrorEntry("redacted_log", "RedactedLog", "some records of the file are closed: nobody can replay it", None, NO),
    ErrorEntry("touched_log", "TouchedLog", "the file is not what was exported", None, NO),
    ErrorEntry("import_refused", "ImportRefused", "the log is not what it should be; nothing was stored", None, NO),
    ErrorEntry(
        "game_differs", "GameDiffers", "the ledger holds this game with other contents; nothing was stored", None, NO
    ),
    ErrorEntry("no_proof", "NoProof", "the ledger cannot show what was asked for: a finding", None, NO),
    ErrorEntry("not_a_proof", "NotAProof", "the file is neither a checkpoint nor a proof", None, NO),
    ErrorEntry("bad_key", "BadKey", "not a key that can sign or check", None, NO),
    ErrorEntry("bad_config", "BadConfig", "a configuration of Reviiyot that cannot be read", None, NO),
    ErrorEntry("worker_lost", "WorkerLost", "a process of an audit has died; nothing is changed by that", None, "yes"),
    ErrorEntry(
        "not_sendable", "NotSendable", "these kinds cannot be sent to the processes of an audit", None, "with `jobs=1`"
    ),
    ErrorEntry("server_unavailable", "ServerUnavailable", "a client does not reach its server", None, SAME_ID),
    ErrorEntry("unauthenticated", "–", "no token where one is needed, or a bad one anywhere", 401, "with a token"),
    ErrorEntry("cross_origin", "–", "a change by cookie from another page", 403, NO),
    ErrorEntry("not_found", "–", "nothing at this address", 404, NO),
    ErrorEntry("no_checkpoint", "–", "this server signs no checkpoints", 404, NO),
    ErrorEntry("method_not_allowed", "–", "the address does not take that method", 405, NO),
    ErrorEntry("too_slow", "–", "the body did not come in time", 408, SAME_ID),
    ErrorEntry("too_large", "–", "a body of more than 64 kB", 413, NO),
    ErrorEntry("not_json", "–", "a body that is not `application/json`", 415, NO),
    ErrorEntry("wrong_host", "–", "not a name that this server answers for", 421, NO),
    ErrorEntry("too_many_requests", "–", "wait for `Retry-After` seconds", 429, SAME_ID),
    ErrorEntry("too_many_accounts", "–", "wait for `Retry-After` seconds", 429, LATER),
    ErrorEntry("too_many_streams", "–", "wait for `Retry-After` seconds", 429, LATER),
    ErrorEntry("internal_error", "–", "a fault of the server", 500, SAME_ID),
    ErrorEntry("closing", "–", "this worker is being stopped", 503, SAME_ID),
)
"""Games add refusals of their own; all of those are `IllegalMove` with status 409."""

STATUSES = {entry.code: entry.status for entry in TABLE if entry.status is not None}
