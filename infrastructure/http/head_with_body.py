"""An answer over HTTP is written in one piece: each write is a call of the system, and wakes the client."""

import asyncio


class HeadWithBody:
    """Where one answer is written: its head waits for what comes in the same turn of the loop, and both go at once."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head: bytes | None = None
        self._is_begun = False
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if self._head is not None:
            head, self._head = self._head, None
            self._transport.write(head + data)
        elif self._is_begun:
            self._transport.write(data)
        else:
            self._is_begun = True
            self._head = data
            self._loop.call_soon(self._send_head)

    def close(self) -> None:
        self._send_head()
        self._transport.close()

    def _send_head(self) -> None:
        if self._head is not None and not self._transport.is_closing():
            head, self._head = self._head, None
            self._transport.write(head)
