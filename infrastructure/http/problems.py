"""Errors as RFC 9457 problems: one table says which status each code has."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from fairdeal.application.errors import FieldFault, NoBranch
from fairdeal.domain.kernel.refusals import FairdealError, IllegalMove

PROBLEM = "application/problem+json"

STATUSES: dict[str, int] = {
    "unauthenticated": 401,
    "not_allowed": 403,
    "cross_origin": 403,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_kind": 404,
    "no_checkpoint": 404,
    "method_not_allowed": 405,
    "too_slow": 408,
    "beyond_head": 409,
    "ledger_rolled_back": 409,
    "no_clock": 409,
    "still_running": 409,
    "too_early": 409,
    "stale_version": 412,
    "too_large": 413,
    "not_json": 415,
    "wrong_host": 421,
    "command_id_reused": 422,
    "invalid_command": 422,
    "invalid_query": 422,
    "too_many_requests": 429,
    "too_many_accounts": 429,
    "too_many_streams": 429,
    "damaged_record": 500,
    "internal_error": 500,
    "ledger_error": 500,
    "newer_read_model": 500,
    "read_model_error": 500,
    "tampered_ledger": 500,
    "unknown_event": 500,
    "busy": 503,
    "closing": 503,
    "ledger_unavailable": 503,
    "not_caught_up": 503,
    "ledger_full": 507,
    "ledger_read_only": 507,
}
"""Every code that is not a refusal of the rules; docs/embedding.md explains them."""

REFUSED = 409
"""All other codes of `IllegalMove` and `NoBranch`: the rules refuse it."""

RETRY_SECONDS = {429: 1, 503: 1}


class HttpProblem(FairdealError):
    """What only the HTTP layer refuses."""

    def __init__(self, code: str, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = retry_after


def unauthenticated_error() -> HttpProblem:
    """The same for no token, a wrong one and one that has ended."""
    return HttpProblem("unauthenticated", "This needs a token: Authorization: Bearer fd1_…")


def not_found_error() -> HttpProblem:
    return HttpProblem("not_found", "There is nothing at this address.")


def status_of(error: FairdealError) -> int:
    """The status of an error; what nobody foresaw is the server's fault."""
    known = STATUSES.get(error.code)
    if known is not None:
        return known
    return REFUSED if isinstance(error, IllegalMove | NoBranch) else 500


def problem(error: FairdealError) -> tuple[int, bytes, dict[str, str]]:
    """The status, the body and the headers that tell of an error."""
    status = status_of(error)
    faults: Sequence[FieldFault] = getattr(error, "faults", ())
    said: Mapping[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": error.code,
        "detail": error.message,
        "errors": list(faults),
    }
    headers = {"content-type": PROBLEM, "cache-control": "no-store"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="fairdeal"'
    if status in RETRY_SECONDS:
        headers["retry-after"] = str(getattr(error, "retry_after", None) or RETRY_SECONDS[status])
    return status, msgspec.json.encode(said), headers
