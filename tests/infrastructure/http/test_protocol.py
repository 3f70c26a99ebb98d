"""What a connection writes: an answer in one piece, and nothing that waits for something that does not come."""

import asyncio
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from fairdeal.infrastructure.http.protocol import BoundedProtocol
from fairdeal.infrastructure.http.serve import server_config

PATIENCE = 20.0


class Recording(asyncio.Transport):
    """A connection that keeps what is written to it, piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self._is_closed = False

    def write(self, data: Any) -> None:
        assert not self._is_closed
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        self._is_closed = True

    abort = close
    pause_reading = resume_reading = lambda self: None


def wants(method: str, more: str = "") -> bytes:
    return f"{method} / HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode()


def written(
    request: bytes, bodies: list[bytes | None], status: int = 200, pieces: int = 1, later: bytes = b""
) -> list[bytes]:
    """What a connection writes until there are so many pieces: the bodies one after the other, None for a rest.

    When there are so many, it gets what is sent later, and answers to the end.
    """

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await receive()
        length = b"%d" % sum(len(body or b"") for body in bodies)
        headers = [] if status == 304 else [(b"content-length", length)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for at, body in enumerate(bodies):
            if body is None:
                await asyncio.sleep(0.01)
            else:
                await send({"type": "http.response.body", "body": body, "more_body": at + 1 < len(bodies)})

    async def story() -> list[bytes]:
        config = server_config(app, loop="asyncio")  # type: ignore[arg-type] # any app will do
        config.load()
        transport = Recording()
        protocol = BoundedProtocol(config=config, server_state=ServerState(), app_state={})
        protocol.connection_made(transport)
        protocol.data_received(request)
        async with asyncio.timeout(PATIENCE):
            while len(transport.written) < pieces:
                await asyncio.sleep(0)
        if later:
            protocol.data_received(later)
        for task in list(protocol.tasks):
            await asyncio.wait_for(task, PATIENCE)
        protocol.connection_lost(None)
        return transport.written

    return asyncio.run(story())


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("more", ["", "Connection: close\r\n"])
def test_an_answer_is_written_in_one_piece(method: str, more: str) -> None:
    (answer,) = written(wants(method, more), [b"all of it"])
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and answer.endswith(b"\r\n\r\nall of it")


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 304)])
@pytest.mark.parametrize("more", ["", "Connection: close\r\n"])
def test_an_answer_that_is_a_head_alone_is_written_at_once(method: str, status: int, more: str) -> None:
    written_to = written(wants(method, more), [b""], status)
    assert b"".join(written_to).startswith(b"HTTP/1.1 %d " % status)
    assert b"".join(written_to).endswith(b"\r\n\r\n")


def test_a_head_does_not_wait_for_a_body_that_comes_later() -> None:
    head, *bodies = written(wants("GET"), [None, b"one", b"two", None, b"three"], pieces=4)
    assert head.startswith(b"HTTP/1.1 200 OK\r\n") and head.endswith(b"\r\n\r\n")
    assert bodies == [b"one", b"two", b"three"]


def test_requests_that_come_together_are_answered_one_after_the_other() -> None:
    answers = written(wants("GET") * 3, [b"all of it"], pieces=3)
    assert len(answers) == 3
    assert all(answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"all of it") for answer in answers)


def test_who_asks_whether_to_send_a_body_is_told_so_before_it_comes() -> None:
    asks = wants("POST", "Content-Length: 1\r\nExpect: 100-continue\r\n")
    told, *answer = written(asks, [b"all of it"], later=b"x")
    assert told == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert b"".join(answer).startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"".join(answer).endswith(b"\r\n\r\nall of it")
