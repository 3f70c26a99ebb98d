"""The page: its files, packed and tagged, below whatever path the app is mounted at."""

import re

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.http import create_app

GAME = "/games/00000000-0000-4000-8000-000000000000"


def test_every_page_is_the_same_shell(client: TestClient) -> None:
    shell = client.get("/")
    assert shell.headers["content-type"] == "text/html; charset=utf-8"
    for path in (GAME, f"{GAME}/replay", f"{GAME}/audit", "/players/ann", "/ratings/red7", "/rules/red7"):
        assert client.get(path).content == shell.content


def test_what_the_shell_names_is_there_packed_and_not_sent_twice(client: TestClient) -> None:
    named = re.findall(r'(?:href|src)="(static/[^"]+)"', client.get("/").text)
    assert named
    for path in named:
        found = client.get(f"/{path}")
        assert found.status_code == 200, path
        assert client.get(f"/{path}", headers={"If-None-Match": found.headers["etag"]}).status_code == 304
    assert client.get("/static/main.js").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get("/static/main.js", headers={"Accept-Encoding": "identity"}).headers
    assert client.get("/static/main.js").headers["content-type"] == "text/javascript; charset=utf-8"


def test_nothing_else_is_served(client: TestClient) -> None:
    for path in ("__init__.py", "../http/app.py", "%2e%2e/http/app.py", "nothing.js", "index.html"):
        assert client.get(f"/static/{path}").status_code == 404


def test_a_mounted_page_finds_its_files(fairdeal: Fairdeal) -> None:
    app = create_app(fairdeal)
    client = TestClient(Starlette(routes=[Mount("/cards", app)]))
    assert '<base href="/cards/">' in client.get("/cards/").text
    assert client.get("/cards/static/main.js").status_code == 200
    app.state.backend.close()


def test_without_the_page_there_is_only_the_interface(fairdeal: Fairdeal) -> None:
    with TestClient(create_app(fairdeal, page=False)) as client:
        assert client.get("/").status_code == 404
        assert client.get("/api/v1/kinds").status_code == 200
