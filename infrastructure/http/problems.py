"""Errors as RFC 9457 problems; which status each code has stands in the one table of errors."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from fairdeal.application.error_table import REFUSED, STATUSES
from fairdeal.application.errors import FieldFault, NoBranch
from fairdeal.domain.kernel.refusals import FairdealError, IllegalMove

PROBLEM = "application/problem+json"

RETRY_SECONDS = {429: 1, 503: 1}
UNREAD = (408, 413)
"""The rest of such a body is not read, so nothing else can come on that connection."""


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


def problem(error: FairdealError, said_in_words: str | None = None) -> tuple[int, bytes, dict[str, str]]:
    """The status, the body and the headers that tell of an error, in other words than its own if there are some."""
    status = status_of(error)
    faults: Sequence[FieldFault] = getattr(error, "faults", ())
    said: Mapping[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": error.code,
        "detail": error.message if said_in_words is None else said_in_words,
        "errors": list(faults),
    }
    headers = {"content-type": PROBLEM, "cache-control": "no-store"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="fairdeal"'
    if status in UNREAD:
        headers["connection"] = "close"
    if status in RETRY_SECONDS:
        headers["retry-after"] = str(getattr(error, "retry_after", None) or RETRY_SECONDS[status])
    return status, msgspec.json.encode(said), headers
