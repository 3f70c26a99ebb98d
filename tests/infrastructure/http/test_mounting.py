"""The app inside other services: below a path, with the host's own identity and names."""

from collections.abc import Callable, Iterable, Mapping

import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Mount
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.http import Identity, create_app

PEOPLE = {"ann": "Ann of the host", "bob": "Bob of the host"}


async def identify(connection: HTTPConnection) -> Identity | None:
    name = connection.headers.get("x-user")
    return None if name is None else Identity(name, frozenset({"operator"}) if name == "boss" else frozenset())


def names(players: Iterable[str]) -> Mapping[str, str]:
    return {player: PEOPLE[player] for player in players if player in PEOPLE}


def in_starlette(app: Starlette) -> Starlette:
    return Starlette(routes=[Mount("/cards/below", app)])


def in_fastapi(app: Starlette) -> FastAPI:
    host = FastAPI()
    host.mount("/cards/below", app)
    return host


@pytest.mark.parametrize("mounted", [in_starlette, in_fastapi])
def test_a_game_is_played_in_another_service_with_its_own_people(
    mounted: Callable[[Starlette], Starlette], fairdeal: Fairdeal
) -> None:
    app = create_app(fairdeal, identify=identify, names=names, page=False)
    client = TestClient(mounted(app), client=("127.0.0.1", 1))
    api = "/cards/below/api/v1"
    ann, bob = {"X-User": "ann"}, {"X-User": "bob"}
    opened = client.post(f"{api}/games", json={"kind": "red7", "seats": ["me"]}, headers=ann)
    assert opened.status_code == 201
    game = opened.json()["game"]
    assert opened.headers["location"] == f"{api}/games/{game}"
    assert client.post(f"{api}/games/{game}/commands", json={"command": "join_game"}, headers=bob).status_code == 200
    assert client.post(f"{api}/games/{game}/commands", json={"command": "start_game"}, headers=ann).status_code == 200
    look = client.get(f"{api}/games/{game}", headers=ann).json()
    assert look["players"] == ["ann", "bob"]
    assert look["names"] == list(PEOPLE.values())
    story = client.get(f"{api}/games/{game}/story", headers=ann).json()["items"]
    assert story[0]["line"] == "Ann of the host opens the table."
    assert client.get(f"{api}/me", headers=ann).json() == {"player": "ann", "display_name": "Ann of the host"}
    assert client.get(f"{api}/me").status_code == 401
    assert client.post(f"{api}/players", json={"display_name": "Eve"}).status_code == 404
    assert client.get(f"{api}/games", headers={"X-User": "bot:careful:1"}).status_code == 403
    document = client.get("/cards/below/openapi.json").json()
    assert document["servers"] == [{"url": "/cards/below"}]
    assert "/api/v1/players" not in document["paths"]
    listed = client.get(f"{api}/games?limit=1", headers=ann)
    assert [item["game"] for item in listed.json()["items"]] == [game]
    app.state.backend.close()


def test_a_player_of_the_host_is_known_as_soon_as_everybody_can_see_them_at_a_table(fairdeal: Fairdeal) -> None:
    with TestClient(create_app(fairdeal, identify=identify, page=False)) as client:
        ann, cyd = {"X-User": "ann"}, {"X-User": "cyd"}
        assert client.get("/api/v1/players/ann").status_code == 404
        assert client.get("/api/v1/players/ann/games", headers=ann).json() == {"items": [], "next": None}
        closed = {"kind": "red7", "seats": ["me"], "spectators": "closed"}
        assert client.post("/api/v1/games", json=closed, headers=cyd).status_code == 201
        assert client.post("/api/v1/games", json={"kind": "red7", "seats": ["me"]}, headers=ann).status_code == 201
        for path, status in (("ann", 200), ("ann/games", 200), ("cyd", 404), ("cyd/games", 404)):
            assert client.get(f"/api/v1/players/{path}").status_code == status


def test_the_next_page_is_below_the_path_too(fairdeal: Fairdeal) -> None:
    app = create_app(fairdeal, identify=identify, page=False)
    client = TestClient(in_starlette(app))
    for _ in range(2):
        client.post("/cards/below/api/v1/games", json={"kind": "red7"}, headers={"X-User": "ann"})
    link = client.get("/cards/below/api/v1/games?limit=1").headers["link"]
    assert client.get(link[1 : link.index(">")]).json()["next"] is None
    app.state.backend.close()


def test_a_host_may_say_who_is_an_operator(fairdeal: Fairdeal) -> None:
    app = create_app(fairdeal, identify=identify, page=False)
    client = TestClient(app)
    closed = {"kind": "red7", "spectators": "closed"}
    game = client.post("/api/v1/games", json=closed, headers={"X-User": "ann"}).json()["game"]
    assert client.get(f"/api/v1/games/{game}", headers={"X-User": "boss"}).status_code == 200
    assert client.get(f"/api/v1/games/{game}", headers={"X-User": "bob"}).status_code == 404
    app.state.backend.close()
