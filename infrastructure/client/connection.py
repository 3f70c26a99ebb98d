"""Requests to a server: sent again where that is safe, for as long as one is patient."""

from collections.abc import Mapping
from random import uniform
from time import monotonic, sleep
from typing import Any

import httpx2
import msgspec

from fairdeal.infrastructure.client.problems import ServerUnavailable, error_of

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
BUSY = (429, 502, 503, 504)
"""Statuses of a server, or of what stands before it, that may be over in a moment."""
USER_AGENT = "fairdeal-client"


class Pauses:
    """Longer and longer pauses, each a little different from everybody else's, until patience ends."""

    def __init__(self, patience: float) -> None:
        self._until = monotonic() + patience
        self._next = FIRST_PAUSE

    def wait(self, at_least: float = 0.0) -> bool:
        """False if there is no time left for another try."""
        pause = max(at_least, uniform(self._next / 2, self._next))
        self._next = min(2 * self._next, LONGEST_PAUSE)
        if monotonic() + pause > self._until:
            return False
        sleep(pause)
        return True


class Connection:
    """One server, as one caller."""

    def __init__(
        self,
        server: str,
        token: str | None,
        *,
        patience: float,
        timeout: float,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.token = token
        self.patience = patience
        self._http = httpx2.Client(
            base_url=f"{self.server}/api/v1",
            timeout=timeout,
            transport=transport,
            headers={"user-agent": USER_AGENT},
        )

    def close(self) -> None:
        self._http.close()

    def headers(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        who = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        return {**who, **(more or {})}

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        again: bool = True,
        timeout: float | None = None,
    ) -> httpx2.Response:
        """The answer, if it is a good one; else what the server refused, as an exception.

        What may be sent `again` is, when no answer came or the server was too busy. What may not is sent again only
        while the server has certainly not taken it.
        """
        pauses = Pauses(self.patience)
        known = {name: value for name, value in (query or {}).items() if value is not None}
        given: dict[str, Any] = {"params": known, "headers": self.headers(headers)}
        if body is not None:
            given["content"] = msgspec.json.encode(body)
            given["headers"]["content-type"] = "application/json"
        if timeout is not None:
            given["timeout"] = timeout
        while True:
            try:
                response = self._http.request(method, path, **given)
            except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
                if not pauses.wait():
                    raise self.unavailable(error) from error
                continue
            except httpx2.TransportError as error:
                if not again or not pauses.wait():
                    raise self.unavailable(error) from error
                continue
            if response.status_code < 400:
                return response
            if response.status_code in BUSY and pauses.wait(_asked_pause(response)):
                continue
            raise error_of(response.status_code, plain_of(response.content))

    def stream(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str], *, timeout: float) -> Any:
        """A response that is read while it comes; to be entered and left."""
        return self._http.stream("GET", path, params=query, headers=self.headers(headers), timeout=timeout)

    def unavailable(self, error: Exception) -> ServerUnavailable:
        return ServerUnavailable(f"{self.server} cannot be reached ({error or type(error).__name__}).")


def json_of(response: httpx2.Response) -> Any:
    found = plain_of(response.content)
    if found is None:
        raise error_of(response.status_code, None)
    return found


def plain_of(content: bytes) -> Any:
    """JSON as plain values; None if it is not JSON."""
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError:
        return None


def _asked_pause(response: httpx2.Response) -> float:
    said = response.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdecimal() else 0.0
