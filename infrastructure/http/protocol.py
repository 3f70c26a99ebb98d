"""HTTP for strangers: whoever is slow to say what they want, or never stops, is not listened to for long."""

import asyncio
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fairdeal.infrastructure.http.head_with_body import HeadWithBody

HEAD_SECONDS = 15.0
"""A request must have said so soon what it wants: uvicorn itself waits for ever."""
HEAD_BYTES = 64 * 1024
REFUSED = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedProtocol(HttpToolsProtocol):
    """Closes connections whose requests do not come to the end of their head, in time or at all."""

    _timer: asyncio.TimerHandle | None = None
    _is_in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_in_head:
            self._wait_for_head()  # most heads come whole, and need no timer
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self.transport.write(REFUSED)
                self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        self._end_head()
        super().on_headers_complete()
        if self.scope["method"] != "HEAD":  # whose answer has a head alone
            self.cycle.transport = cast("asyncio.Transport", HeadWithBody(self.transport, self.loop))

    def _wait_for_head(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _end_head(self) -> None:
        self._is_in_head = False
        self._head_bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        self.transport.abort()
