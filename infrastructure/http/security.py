"""What every response carries, and which hosts are answered for."""

from collections.abc import Awaitable, Sequence

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairdeal.infrastructure.http.problems import HttpProblem, problem

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}


RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def is_allowed_host(host: str, allowed: Sequence[str]) -> bool:
    """Whether we are called by a name of ours, in whatever letters; `*.example.org` stands for everything below it."""
    name = (host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]).lower()
    ours = [pattern.lower() for pattern in allowed]
    return any(pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in ours)


class OnlyOurHosts:
    """Whoever calls the server by a name that is not its own hears nothing else, whatever they ask for."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = tuple(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_allowed_host(Headers(scope=scope).get("host", ""), self._hosts):
            await self._app(scope, receive, send)
            return
        status, body, headers = problem(HttpProblem("wrong_host", "This server does not answer for that host."))
        await Response(body, status, headers)(scope, receive, send)


class SecurityHeaders:
    """Puts the headers on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    # Neither of the two is a coroutine: one more of those takes time with every request.
    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "http":
            return self._app(scope, receive, send)

        def with_headers(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *RAW_HEADERS]}
            return send(message)

        return self._app(scope, receive, with_headers)
