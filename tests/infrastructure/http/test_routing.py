"""Which operation a path and a method belong to."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from kits.http import API, Person, running


@pytest.mark.parametrize(
    "path", ["/healthz/", "/healthz%0A", "/HEALTHZ", "/healthz/x", f"{API}/", f"{API}/games//", "/api"]
)
def test_only_the_whole_path_is_an_address(client: TestClient, path: str) -> None:
    found = client.get(path)
    assert (found.status_code, found.json()["code"]) == (404, "not_found")


def test_a_part_of_a_path_has_no_slash_however_it_is_written(client: TestClient) -> None:
    assert client.get(f"{API}/kinds/red7").status_code == 200
    assert client.get(f"{API}/kinds/red7%2Frules").headers["content-type"].startswith("text/markdown")
    assert client.get(f"{API}/kinds/red%37").status_code == 200
    assert client.get(f"{API}/kinds/a%2Fb%2Fc").json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"{API}/games", "GET, HEAD, POST"),
        (f"{API}/games/x/moves", "POST"),
        (f"{API}/me", "DELETE, GET, HEAD, PATCH"),
        ("/healthz", "GET, HEAD"),
        ("/games/x", "GET, HEAD"),
    ],
)
def test_whoever_uses_another_method_hears_which_there_are(client: TestClient, path: str, methods: str) -> None:
    refused = client.put(path, json={})
    assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")
    assert refused.headers["allow"] == methods
    assert refused.headers["x-frame-options"] == "DENY"


def test_below_a_path_nothing_beside_it_is_ours(app: Starlette) -> None:
    client = TestClient(Starlette(routes=[Mount("/cards", app)]))
    assert client.get("/cards/healthz").status_code == 200
    assert client.get("/healthz").status_code == 404
    assert client.get("/cardsx/healthz").status_code == 404
    assert client.get("/cards/cards/healthz").status_code == 404


def test_heads_bodies_and_requests_in_one_piece_are_answered_in_order(app: Starlette) -> None:
    with running(app) as server, server.stream("GET", "/healthz") as first:
        first.read()
        sent = first.extensions["network_stream"]
        head = b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        post = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        sent.write(
            head + head.replace(b"HEAD", b"GET") + post + b"Content-Length: 22\r\n\r\n" + b'{"display_name":"Ann"}'
        )
        heard = b""
        while b'"token"' not in heard:
            heard += sent.read(65536)
    assert heard.count(b"HTTP/1.1 200 OK") == 2
    assert heard.count(b'{"status":"ok"}') == 1
    assert heard.index(b'{"status":"ok"}') < heard.index(b"HTTP/1.1 201 Created")


def test_a_body_that_comes_in_pieces_is_read_whole(app: Starlette, ann: Person) -> None:
    def pieces() -> Iterator[bytes]:
        for piece in ('{"display', '_name": ', '"Anna"}'):
            yield piece.encode()

    with running(app) as server:
        renamed = server.patch(
            f"{API}/me", content=pieces(), headers={**ann.headers, "Content-Type": "application/json"}
        )
    assert renamed.json()["display_name"] == "Anna"
