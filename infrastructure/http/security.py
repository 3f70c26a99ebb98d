"""What every response carries, and which hosts are answered for."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    """Whether we are called by a name of ours; `*.example.org` stands for everything below it."""
    name = host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    return any(
        pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in allowed
    )


class SecurityHeaders:
    """Puts the headers on every response that has not set its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name for name, _ in message.get("headers", ())}
                headers = [*message.get("headers", ()), *(one for one in RAW_HEADERS if one[0] not in said)]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, with_headers)
