"""Strangers on raw sockets: slow, silent, endless, deaf or talking nonsense; the others are served all the while."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette

from fairdeal import Fairdeal
from fairdeal.http import Limits, create_app
from fairdeal.infrastructure.http import protocol, serve
from kits.http import API, person, running, started_game, whose_turn
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("strangers")


@pytest.fixture
def app(fairdeal: Fairdeal) -> Starlette:
    return create_app(fairdeal, limits=Limits(body_seconds=0.5))


@pytest.fixture
def server(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx2.Client]:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(serve, "DEAF_MILLISECONDS", 1000)
    with running(app) as client:
        yield client


def connected(server: httpx2.Client) -> socket.socket:
    return socket.create_connection((server.base_url.host, server.base_url.port or 80), timeout=20)


def everything_from(stranger: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    heard = bytearray()
    try:
        while part := stranger.recv(65536):
            heard += part
    except ConnectionError:
        pass  # hung up without a word
    return bytes(heard)


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "])
def test_who_does_not_say_what_they_want_is_hung_up_on(server: httpx2.Client, said: bytes) -> None:
    strangers = [connected(server) for _ in range(50)]
    for stranger in strangers:
        stranger.sendall(said)
    assert server.get("/healthz").status_code == 200
    for stranger in strangers:
        assert everything_from(stranger) == b""
        stranger.close()


def test_a_kept_connection_gets_no_more_time_for_its_next_request(server: httpx2.Client) -> None:
    with connected(server) as stranger:
        stranger.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /heal")
        assert everything_from(stranger).startswith(b"HTTP/1.1 200 ")


def test_a_head_without_end_is_431(server: httpx2.Client) -> None:
    with connected(server) as stranger:
        stranger.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
        try:
            for _ in range(200):
                stranger.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
        except ConnectionError:
            return  # hung up on in the middle of a line, which is as good
        assert everything_from(stranger).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Content-Length: 1000000000000", b"413"),
        (b"Transfer-Encoding: chunked", b"413"),
        (b"Content-Length: 100", b"408"),
    ],
)
def test_bodies_without_end_and_bodies_that_do_not_come(server: httpx2.Client, head: bytes, status: bytes) -> None:
    with connected(server) as stranger:
        request = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + head + b"\r\n\r\n"
        stranger.sendall(request)
        if b"chunked" in head:
            stranger.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n1000\r\n" + b"x" * 0x1000 + b"\r\n")
        heard = everything_from(stranger)
    assert heard.split(b" ")[1] == status
    assert b'"code":' in heard


def test_who_leaves_in_the_middle_leaves_nothing_behind(server: httpx2.Client, app: Starlette) -> None:
    ann = person(server)
    game = ann.post("/games", {"kind": "red7"}).json()["game"]
    for _ in range(20):
        with connected(server) as stranger:
            stranger.sendall(f"GET {API}/games/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert stranger.recv(12) == b"HTTP/1.1 200"
    until(lambda: len(app.state.backend.streams) == 0)


def test_deaf_listeners_are_dropped(server: httpx2.Client, app: Starlette) -> None:
    """They acknowledge nothing more once their buffers are full, and are gone some time later."""
    ann, bob = person(server), person(server)
    game = started_game(ann, bob, kind="kings_corners")
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect((server.base_url.host, server.base_url.port))
    deaf.sendall(f"GET {API}/games/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    until(lambda: len(app.state.backend.streams) == 1)
    while len(app.state.backend.streams):
        assert whose_turn(game, ann, bob).move(game, -1).status_code == 200, (
            "over, and they still have not been dropped"
        )
        time.sleep(0.05)  # a game that is played as fast as it goes is over before anybody can be called deaf
    assert ann.look(game)["outcome"] is None, "the stream ended with the game"
    deaf.close()


def test_hundreds_of_streams_end_at_once_when_the_server_stops(fairdeal: Fairdeal) -> None:
    app = create_app(fairdeal, limits=Limits(streams_of_caller=1000))
    listeners: list[socket.socket] = []
    with running(app) as server:
        game = person(server).post("/games", {"kind": "red7"}).json()["game"]
        for _ in range(300):
            listener = connected(server)
            listener.sendall(f"GET {API}/games/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            listeners.append(listener)
        until(lambda: len(app.state.backend.streams) == 300)
    for listener in listeners:
        assert everything_from(listener).endswith(b"0\r\n\r\n"), "not ended as a whole response is"
        listener.close()


# -- nonsense --------------------------------------------------------------------------------------------------------

WORDS: list[Any] = [
    *(None, True, -1, 0, 2**70, 1.5, "", "\x00", "red7", "me", [], {}, [[]], {"move": []}, "💥", "x" * 300),
    *(
        {"bot": 1},
        [{"bot": "random"}] * 20,
        "\ud800",
        {"a": {"a": {"a": {}}}},
        "careful",
        "closed",
        {"move_seconds": 0},
    ),
]
NAMES = [
    *("kind", "command", "move", "seats", "options", "display_name", "version", "reason", "seal", "brings", "token"),
    *("clock", "rated", "spectators", "start", "bot", "seat", "entropy", "deck", "position", "player", "command_id"),
]
COMMANDS = [
    *("join_game", "make_move", "reveal_entropy", "leave_game", "add_bot", "start_game", "abandon_game"),
    *("claim_timeout", "void_game", "quick_start", "open_game", "branch_game"),
]
QUERIES = ["as", "after", "wait", "limit", "cursor", "since", "until", "kind", "phase", "player", "turn_of", "looks"]
VALUES = ["-1", "0", "1", "é", "a=b", "", "\x00", "9" * 30, "open", "spectator", "%", "2026-01-01", "lobby", "NaN"]


def test_ten_thousand_malformed_requests_are_never_the_servers_fault(fairdeal: Fairdeal) -> None:
    """Eight thousand that are HTTP and mean nothing, straight into the app, by several callers at once."""
    limits = Limits(requests_per_second_of_address=1e9, accounts_per_minute=1e9, longest_wait=0)
    app = create_app(fairdeal, limits=limits)
    backend = app.state.backend
    _, token = backend.accounts.create("Ann")
    running_game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    over = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    fairdeal.handle({"command": "leave_game", "game_id": over, "player": "ann"})
    rng = Random(17)
    faults: list[Any] = []
    statuses: set[int] = set()

    async def one() -> None:
        scope, body = nonsense(rng, token, [str(running_game), str(over), "nothing", "../..", "%2e"])
        parts = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]
        status = 0

        async def receive() -> Any:
            return parts.pop(0) if len(parts) > 1 else parts[0]

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)

        await app(scope, receive, send)
        statuses.add(status)
        if status >= 500 or status == 0:
            faults.append((status, scope["method"], scope["path"], scope["query_string"], body))

    async def caller() -> None:
        for _ in range(500):
            await one()

    async def callers() -> None:
        await asyncio.gather(*(caller() for _ in range(16)))

    asyncio.run(callers())
    assert not faults
    assert {200, 401, 404, 405, 409, 415, 422} <= statuses
    backend.close()


def nonsense(rng: Random, token: str, games: list[str]) -> tuple[dict[str, Any], bytes]:
    game = rng.choice(games)
    below = [
        "",
        "/commands",
        "/moves",
        "/events",
        "/frames/x",
        "/frames/-1",
        "/frames/2",
        "/story",
        "/branches",
        "/log",
    ]
    below += ["/audit", "/receipts/1:00", "/receipts/x"]
    paths = ["/games", "/players", "/session", "/timeline", "/kinds/x", "/ratings/x", "/players/x/games", "/nowhere"]
    path = API + (f"/games/{game}{rng.choice(below)}" if rng.random() < 0.7 else rng.choice(paths))
    body: Any = {rng.choice(NAMES): rng.choice(WORDS) for _ in range(rng.randrange(5))}
    if rng.random() < 0.4:
        body["command"] = rng.choice(COMMANDS)
    content = json.dumps(rng.choice([body, body, rng.choice(WORDS)])).encode()
    if rng.random() < 0.15:
        content = rng.randbytes(rng.randrange(80))
    headers = [(b"host", b"x"), (b"content-type", rng.choice([b"application/json"] * 9 + [b"text/plain"]))]
    if rng.random() < 0.8:
        headers.append((b"authorization", rng.choice([f"Bearer {token}".encode()] * 8 + [b"Bearer \xff", b"x"])))
    for name in (b"if-match", b"if-none-match", b"idempotency-key", b"last-event-id", b"cookie"):
        if rng.random() < 0.15:
            headers.append((name, rng.choice([b'"', b"1", b'"x"', b'"' + b"9" * 30 + b'"', b"\xff", b"", b"a" * 300])))
    query = "&".join(f"{rng.choice(QUERIES)}={rng.choice(VALUES)}" for _ in range(rng.randrange(3)))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": rng.choice(["GET", "GET", "POST", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS"]),
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("x", 80),
    }
    return scope, content


def test_two_thousand_requests_that_are_not_http(server: httpx2.Client) -> None:
    rng = Random(71)
    good = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    for _ in range(2000):
        broken = bytearray(good if rng.random() < 0.8 else rng.randbytes(60))
        for _ in range(rng.randrange(1, 5)):
            broken[rng.randrange(len(broken))] = rng.choice(b"\x00\r\n :/%\xffGET12")
        with connected(server) as stranger:
            stranger.sendall(bytes(broken))
            stranger.shutdown(socket.SHUT_WR)
            stranger.settimeout(5)
            heard = everything_from(stranger)
        assert heard == b"" or heard.split(b" ")[1][:1] in b"24", (bytes(broken), heard)
    assert server.get("/healthz").status_code == 200
