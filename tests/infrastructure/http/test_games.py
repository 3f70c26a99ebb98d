"""Tables over HTTP: opened, joined, played, looked at, listed."""

from typing import Any

from starlette.testclient import TestClient

from kits.http import API, Person, play_to_the_end, started_game, whose_turn

LOOK = {
    *("game", "kind", "version", "phase", "options", "players", "names", "seat", "active", "view", "legal"),
    *("legal_total", "outcome", "clock", "rated", "commitment", "seed", "receipt", "opener", "spectators"),
}


def test_kinds_are_a_bare_array_and_each_has_schemas_and_rules(client: TestClient) -> None:
    kinds = client.get(f"{API}/kinds").json()
    assert [set(kind) for kind in kinds] == [{"kind", "title", "seats", "presets", "bots"}] * len(kinds)
    for kind in kinds:
        described = client.get(f"{API}/kinds/{kind['kind']}").json()
        assert {"move", "options", "view", "event"} <= set(described["schemas"])
        rules = client.get(f"{API}/kinds/{kind['kind']}/rules")
        assert rules.headers["content-type"].startswith("text/markdown")
        assert rules.text.startswith("# ")
    assert client.get(f"{API}/kinds/poker").json()["code"] == "unknown_kind"


def test_a_table_is_opened_empty_and_whoever_sees_it_may_join(ann: Person, bob: Person) -> None:
    opened = ann.post("/games", {"kind": "red7", "options": "basic"})
    assert opened.status_code == 201
    look = opened.json()
    assert set(look) == LOOK
    assert opened.headers["location"] == f"{API}/games/{look['game']}"
    assert opened.headers["etag"] == f'"{look["version"]}"'
    assert (look["players"], look["phase"], look["active"], look["view"]) == ([], "lobby", [], None)
    assert (look["legal"], look["legal_total"], look["opener"], look["spectators"]) == ([], 0, ann.player, "open")
    assert bob.command(look["game"], "join_game").status_code == 200
    assert bob.look(look["game"])["seat"] == 0


def test_a_game_against_bots_in_one_call(ann: Person) -> None:
    opened = ann.post("/games", {"kind": "red7", "seats": [{"bot": "careful"}, "me"], "start": True})
    look = opened.json()
    assert opened.status_code == 201
    assert (look["players"], look["seat"], look["phase"]) == (["bot:careful:1", ann.player], 1, "running")
    assert look["names"] == ["Careful bot 1", "Ann"]
    assert not look["rated"]


def test_a_table_is_rated_unless_it_was_opened_otherwise(ann: Person) -> None:
    told = [
        ann.post("/games", {"kind": "red7", **rated}).json()["rated"] for rated in ({"rated": False}, {"rated": True})
    ]
    assert told == [False, True]


def test_bots_sit_down_by_command_and_the_same_key_seats_one(ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7", "seats": ["me"]}).json()["game"]
    body = {"command": "add_bot", "bot": "random"}
    first = ann.post(f"/games/{game}/commands", body, Idempotency_Key="one bot")
    again = ann.post(f"/games/{game}/commands", body, Idempotency_Key="one bot")
    assert (first.status_code, first.json()) == (200, again.json())
    assert ann.look(game)["players"] == [ann.player, "bot:random:1"]
    assert ann.command(game, "add_bot", bot="random").status_code == 200
    assert ann.look(game)["players"][2] == "bot:random:2"
    assert ann.command(game, "add_bot", bot="nobody").status_code == 422


def test_the_same_key_does_it_once_and_another_command_with_it_is_refused(ann: Person, bob: Person) -> None:
    first = ann.post("/games", {"kind": "red7"}, Idempotency_Key="k")
    again = ann.post("/games", {"kind": "red7"}, Idempotency_Key="k")
    assert first.json()["game"] == again.json()["game"]
    assert bob.post("/games", {"kind": "red7"}, Idempotency_Key="k").json()["game"] != first.json()["game"]
    other = ann.post("/games", {"kind": "pardon"}, Idempotency_Key="k")
    assert (other.status_code, other.json()["code"]) == (422, "command_id_reused")


def test_a_repeated_move_is_recognised_before_the_version_is_looked_at(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    mover = whose_turn(game, ann, bob)
    look = mover.look(game)
    tag = f'"{look["version"]}"'
    first = mover.post(f"/games/{game}/moves", look["legal"][0], Idempotency_Key="m1", If_Match=tag)
    again = mover.post(f"/games/{game}/moves", look["legal"][0], Idempotency_Key="m1", If_Match=tag)
    assert (first.status_code, first.json()) == (200, again.json())
    assert set(first.json()) == {"game", "version", "events", "receipt"}
    assert set(first.json()["events"][0]) == {"version", "name", "event", "line", "at", "by"}
    stale = mover.post(f"/games/{game}/moves", look["legal"][1], If_Match=tag)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale_version")


def test_what_comes_from_token_path_and_headers_is_not_taken_from_the_body(ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7"}).json()["game"]
    for field in ("player", "game_id", "command_id", "expected_version"):
        refused = ann.command(game, "join_game", **{field: "x"})
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["field"] == field
    assert ann.command(game, "leave_game", reason="because I say so").status_code == 422
    assert ann.command(game, "quick_start").status_code == 422


def test_a_look_has_a_tag_and_is_not_sent_twice(ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7"}).json()["game"]
    first = ann.get(f"/games/{game}")
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "Authorization, Cookie"
    same = ann.get(f"/games/{game}", If_None_Match=first.headers["etag"])
    assert (same.status_code, same.content) == (304, b"")
    assert ann.get(f"/games/{game}", If_None_Match='"7"').status_code == 200


def test_waiting_without_news_ends_as_it_was_asked(ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7"}).json()["game"]
    tag = ann.get(f"/games/{game}").headers["etag"]
    assert ann.get(f"/games/{game}?wait=1", If_None_Match=tag).status_code == 304
    assert ann.get(f"/games/{game}?wait=1").status_code == 200
    assert ann.get(f"/games/{game}?wait=1", If_None_Match='"0"').status_code == 200
    assert ann.get(f"/games/{game}?wait=x").status_code == 422


def test_a_whole_game_with_frames_story_log_and_audit(ann: Person, bob: Person, client: TestClient) -> None:
    game = started_game(ann, bob)
    open_too_early = ann.get(f"/games/{game}/frames/3?as=open")
    assert (open_too_early.status_code, open_too_early.json()["code"]) == (409, "still_running")
    assert ann.get(f"/games/{game}/frames/3?as={bob.player}").status_code == 403
    look = play_to_the_end(game, ann, bob)
    head = look["version"]
    assert look["outcome"] is not None
    assert look["seed"] is not None
    events = ann.get(f"/games/{game}/events?after=2").json()
    assert [event["version"] for event in events["events"]] == list(range(3, head + 1))
    empty = ann.get(f"/games/{game}/frames/0").json()
    assert set(empty) == {"game", "version", "at", "by", "line", "event", "view", "places", "outcome"}
    last = client.get(f"{API}/games/{game}/frames/{head}?as=open").json()
    assert last["outcome"] == look["outcome"]
    assert last["places"]
    assert client.get(f"{API}/games/{game}/frames/5?as={bob.player}").status_code == 200
    beyond = client.get(f"{API}/games/{game}/frames/{head + 1}")
    assert (beyond.status_code, beyond.json()["code"]) == (409, "beyond_head")
    story = client.get(f"{API}/games/{game}/story").json()
    assert len(story["items"]) == head
    assert story["next"] is None
    report = client.get(f"{API}/games/{game}/audit").json()
    assert report["good"]
    assert report["untouched"]["grade"] == "yes"
    assert client.get(f"{API}/games/{game}/log").text.count("\n") >= head
    _, version, link = look["receipt"].split(":")
    assert client.get(f"{API}/games/{game}/receipts/{version}:{link}").json()["good"] is True
    assert client.get(f"{API}/games/{game}/receipts/{version}:{'0' * 64}").json()["good"] is False


def test_lists_go_page_by_page(ann: Person, client: TestClient) -> None:
    games = [ann.post("/games", {"kind": "red7"}).json()["game"] for _ in range(3)]
    first = client.get(f"{API}/games?kind=red7&limit=2")
    assert [item["game"] for item in first.json()["items"]] == games[:0:-1]
    link = first.headers["link"]
    assert link.endswith('; rel="next"')
    second = client.get(link[1 : link.index(">")])
    assert [item["game"] for item in second.json()["items"]] == games[:1]
    assert second.json()["next"] is None
    assert client.get(f"{API}/games?limit=0").status_code == 422
    assert client.get(f"{API}/games?kind=poker").status_code == 422


def test_players_ratings_and_the_timeline_have_names(ann: Person, bob: Person, client: TestClient) -> None:
    game = started_game(ann, bob)
    play_to_the_end(game, ann, bob)
    player = client.get(f"{API}/players/{ann.player}").json()
    assert (player["player"], player["display_name"]) == (ann.player, "Ann")
    assert player["statistics"][0]["played"] == 1
    for stranger in ("nobody", "x" * 300):
        assert client.get(f"{API}/players/{stranger}").status_code == 404
        assert client.get(f"{API}/players/{stranger}/games").status_code == 404
    played = client.get(f"{API}/players/{ann.player}/games").json()["items"]
    assert [item["game"] for item in played] == [game]
    rated = {item["display_name"] for item in client.get(f"{API}/ratings/red7").json()["items"]}
    assert rated <= {"Ann", "Bob"}
    assert client.get(f"{API}/ratings/poker").status_code == 404
    lines = [item["line"] for item in client.get(f"{API}/timeline?oldest_first=1").json()["items"]]
    assert lines[0] == "Ann opens the table."


def test_a_branch_is_seen_and_moved_by_nobody_but_its_maker(ann: Person, bob: Person, client: TestClient) -> None:
    game = started_game(ann, bob)
    assert ann.post(f"/games/{game}/branches", {"version": 5}).status_code == 409
    play_to_the_end(game, ann, bob)
    made = ann.post(f"/games/{game}/branches", {"version": 5}, Idempotency_Key="b")
    assert made.status_code == 201
    branch = made.json()["game"]
    assert ann.post(f"/games/{game}/branches", {"version": 5}, Idempotency_Key="b").json()["game"] == branch
    assert bob.get(f"/games/{branch}").status_code == 404
    assert client.get(f"{API}/games/{branch}/events").status_code == 404
    look: dict[str, Any] = made.json()
    active = look["players"][look["active"][0]]
    seen = ann.get(f"/games/{branch}?as={active}").json()
    moved = ann.post(f"/games/{branch}/moves?as={active}", seen["legal"][0])
    assert moved.status_code == 200
    assert bob.post(f"/games/{branch}/moves", seen["legal"][0]).status_code == 404
    assert branch not in client.get(f"{API}/games?limit=500").text


def test_a_seated_player_without_their_token_sees_what_a_spectator_sees(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    second_tab = ann.client.get(f"{API}/games/{game}").json()
    as_spectator = ann.get(f"/games/{game}?as=spectator").json()
    assert second_tab == as_spectator
    assert second_tab["seat"] is None
    assert second_tab["legal"] == []
