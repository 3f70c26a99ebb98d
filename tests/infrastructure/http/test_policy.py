"""Who may do what at a table over HTTP, and who may watch."""

from starlette.testclient import TestClient

from kits.http import API, Person, person, play_to_the_end, started_game


def test_only_the_opener_starts_or_breaks_off_a_lobby(ann: Person, bob: Person) -> None:
    game = ann.post("/games", {"kind": "red7", "seats": ["me"]}).json()["game"]
    assert bob.command(game, "join_game").status_code == 200
    for command in ("start_game", "abandon_game"):
        refused = bob.command(game, command)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert bob.command(game, "add_bot", bot="random").status_code == 403
    assert ann.command(game, "start_game").status_code == 200


def test_a_started_game_is_abandoned_by_who_sits_there_only(client: TestClient, ann: Person, bob: Person) -> None:
    cid = person(client, "Cid")
    game = cid.post("/games", {"kind": "red7"}).json()["game"]
    for one in (ann, bob):
        one.command(game, "join_game")
    assert cid.command(game, "start_game").status_code == 200
    assert cid.command(game, "abandon_game").status_code == 403
    over = ann.command(game, "abandon_game", reason="no_time")
    assert over.status_code == 200
    assert ann.look(game)["outcome"] is not None


def test_nobody_arranges_decks_or_positions(ann: Person, bob: Person) -> None:
    game = ann.post("/games", {"kind": "red7", "seats": ["me"]}).json()["game"]
    bob.command(game, "join_game")
    refused = ann.command(game, "start_game", deck=["R1"])
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


def test_nobody_acts_or_looks_as_somebody_else(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    assert ann.get(f"/games/{game}?as={bob.player}").status_code == 403
    assert ann.get(f"/games/{game}/events?as={bob.player}").status_code == 403
    assert ann.post(f"/games/{game}/moves?as={bob.player}", {"move": "end_turn"}).status_code == 403
    play_to_the_end(game, ann, bob)
    assert ann.get(f"/games/{game}?as={bob.player}").json()["seat"] == 1


def test_an_open_table_needs_no_token_to_be_watched(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    for path in ("", "/events", "/frames", "/frames/2", "/story", "/log", "/audit"):
        assert client.get(f"{API}/games/{game}{path}").status_code == 200


def test_unlisted_tables_are_in_no_list_but_open_to_who_knows_them(client: TestClient, ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7", "spectators": "unlisted"}).json()["game"]
    assert client.get(f"{API}/games/{game}").json()["spectators"] == "unlisted"
    assert game not in client.get(f"{API}/games").text
    assert game not in client.get(f"{API}/timeline").text
    listed = ann.post("/games", {"kind": "red7"}).json()["game"]
    assert [item["game"] for item in client.get(f"{API}/games?limit=1").json()["items"]] == [listed]


def test_closed_tables_are_there_for_those_who_sit_at_them_only(client: TestClient, ann: Person, bob: Person) -> None:
    table = {"kind": "red7", "seats": ["me", {"bot": "random"}], "start": True, "spectators": "closed"}
    game = ann.post("/games", table).json()["game"]
    assert ann.look(game)["spectators"] == "closed"
    assert bob.get(f"/games/{game}").status_code == 404
    assert client.get(f"{API}/games/{game}").status_code == 404
    assert game not in bob.get(f"/games?player={ann.player}").text
    assert game in ann.get(f"/games?player={ann.player}").text


def test_spectators_and_seats_are_checked(ann: Person) -> None:
    for wrong in (
        {"spectators": "some"},
        {"seats": ["me", "me"]},
        {"seats": ["bob"]},
        {"seats": [{"bot": "nobody"}]},
        {"start": True},
        {"seats": [{"bot": "random"}] * 5},
        {"rated": True, "seats": ["me", {"bot": "random"}]},
        {"rated": True, "spectators": "closed"},
    ):
        assert ann.post("/games", {"kind": "red7", **wrong}).status_code == 422, wrong
    assert ann.post("/games", {"kind": "poker"}).status_code == 404
