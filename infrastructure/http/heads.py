"""What a request says before and in its body, read once."""

import asyncio
from collections.abc import Generator
from functools import cached_property
from types import coroutine
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.types import Message, Receive, Scope

from fairdeal.infrastructure.http.limits import Limits
from fairdeal.infrastructure.http.problems import HttpProblem

COOKIE = "fairdeal_session"
SECURE_COOKIE = "__Host-fairdeal_session"


class RequestHead:
    """Where a request goes, who sends it, and its headers."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        # Of a header that is there twice the first one counts.
        self._headers: dict[bytes, bytes] = dict([*scope["headers"]][::-1])

    def header(self, name: bytes) -> str | None:
        """A header by its name in small letters."""
        value = self._headers.get(name)
        return None if value is None else value.decode("latin-1")

    @property
    def address(self) -> str:
        """Of the caller, as far as it is known."""
        client = self.scope.get("client")
        return "" if client is None else str(client[0])

    @property
    def is_secure(self) -> bool:
        return bool(self.scope["scheme"] == "https")

    @property
    def cookie(self) -> str | None:
        """The one of the page."""
        cookies = self.header(b"cookie")
        if cookies is None:
            return None
        return cookie_parser(cookies).get(SECURE_COOKIE if self.is_secure else COOKIE)

    @property
    def path_params(self) -> dict[str, str]:
        found: dict[str, str] = self.scope["path_params"]
        return found

    @cached_property
    def query(self) -> QueryParams:
        return QueryParams(self.scope["query_string"])

    @property
    def root(self) -> str:
        """Where the app is mounted."""
        return str(self.scope.get("root_path", "")).rstrip("/")


async def read_body(head: RequestHead, receive: Receive, limits: Limits) -> bytes:
    """The body, unless it is too large or comes too slowly."""
    said = head.header(b"content-length") or "0"
    if said.isdecimal() and int(said) > limits.body_bytes:
        raise _too_large(limits)
    steps = _whole_body(receive, limits).__await__()
    try:
        waits_for = next(steps)
    except StopIteration as end:  # it was there already, as most are: to set a timer takes longer than to read it
        body: bytes = end.value
        return body
    try:
        async with asyncio.timeout(limits.body_seconds):
            return await _went_on(steps, waits_for)
    except TimeoutError:
        raise HttpProblem("too_slow", "The body did not come in time.") from None


async def _whole_body(receive: Receive, limits: Limits) -> bytes:
    body = bytearray()
    more = True
    while more:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limits.body_bytes:
            raise _too_large(limits)
    return bytes(body)


def _too_large(limits: Limits) -> HttpProblem:
    return HttpProblem("too_large", f"A body has at most {limits.body_bytes} bytes.")


@coroutine
def _went_on(steps: Generator[Any, Any, bytes], waits_for: Any) -> Generator[Any, Any, bytes]:
    """The rest of what was begun, which has said what it waits for."""
    try:
        yield waits_for
    except BaseException as error:  # the time is over, or nobody wants it any more
        steps.throw(error)
        raise
    return (yield from steps)
