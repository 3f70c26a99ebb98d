"""The promises that clients are written against, one test for each that no other file keeps."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.http import create_app
from fairdeal.infrastructure.checkpoints.signing import new_keys
from fairdeal.infrastructure.http import stream
from kits.http import API, Person, messages, person, play_to_the_end, running, started_game, whose_turn
from kits.waiting import until

PROBLEM = {"type", "title", "status", "code", "detail", "errors"}
ENTROPY = "ab" * 32
SEAL = hashlib.sha256(bytes.fromhex(ENTROPY)).hexdigest()


def opened(who: Person, **asked: Any) -> dict[str, Any]:
    response = who.post("/games", {"kind": "red7", **asked})
    assert response.status_code == 201, response.text
    return dict(response.json())


def refused(response: httpx2.Response, status: int, code: str) -> bool:
    said = response.json()
    assert (response.status_code, said["code"]) == (status, code), response.text
    assert set(said) == PROBLEM
    assert response.headers["content-type"] == "application/problem+json"
    return True


# -- opening a table -------------------------------------------------------------------------------------------------


def test_rated_is_what_was_said_when_the_table_was_opened(ann: Person) -> None:
    assert opened(ann)["rated"]
    assert opened(ann, rated=True)["rated"]
    assert not opened(ann, rated=False)["rated"]


def test_tables_with_bots_are_not_rated_however_the_bots_came(ann: Person) -> None:
    assert not opened(ann, seats=["me", {"bot": "careful"}])["rated"]
    table = opened(ann, seats=["me"])
    assert table["rated"]
    assert ann.command(table["game"], "add_bot", bot="random").status_code == 200
    assert not ann.look(table["game"])["rated"]
    assert ann.command(table["game"], "start_game").status_code == 200
    assert ann.command(table["game"], "leave_game").status_code == 200
    assert ann.get("/ratings/red7").json()["items"] == []


@pytest.mark.parametrize("spectators", ["unlisted", "closed"])
def test_ratings_hold_nothing_of_tables_that_are_in_no_list(ann: Person, bob: Person, spectators: str) -> None:
    game = opened(ann, spectators="unlisted")["game"]
    assert not ann.look(game)["rated"]
    assert refused(
        ann.post("/games", {"kind": "red7", "spectators": spectators, "rated": True}), 422, "invalid_command"
    )
    for one in (ann, bob):
        assert one.command(game, "join_game").status_code == 200
    assert ann.command(game, "start_game").status_code == 200
    assert ann.command(game, "leave_game").status_code == 200
    assert ann.get("/ratings/red7").json()["items"] == []


def test_the_order_of_seats_is_the_order_of_the_list(ann: Person) -> None:
    look = opened(ann, seats=[{"bot": "random"}, "me", {"bot": "random"}, {"bot": "careful"}])
    assert look["players"] == ["bot:random:1", ann.player, "bot:random:2", "bot:careful:3"]
    assert look["seat"] == 1
    assert look["phase"] == "lobby"


def test_a_clock_is_said_when_the_table_is_opened_and_shows_deadlines_while_it_runs(ann: Person) -> None:
    clock = {"move_seconds": 60, "bank_seconds": 10, "on_timeout": "forfeit"}
    table = opened(ann, clock=clock, seats=["me", {"bot": "random"}], start=True)
    assert {name: table["clock"][name] for name in clock} == clock
    (deadline,) = table["clock"]["deadlines"]
    assert deadline["seat"] == table["active"][0]
    assert deadline["at"].endswith("Z")
    assert refused(ann.command(table["game"], "claim_timeout", seat=deadline["seat"]), 409, "too_early")


def test_the_same_key_opens_one_table_and_other_wishes_with_it_are_refused(ann: Person, bob: Person) -> None:
    first = ann.post("/games", {"kind": "red7", "seats": ["me"]}, Idempotency_Key="mine")
    again = ann.post("/games", {"kind": "red7", "seats": ["me"]}, Idempotency_Key="mine")
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    for other in ({"rated": False}, {"spectators": "closed"}, {"seats": [{"bot": "random"}]}, {"options": "match"}):
        answer = ann.post("/games", {"kind": "red7", "seats": ["me"], **other}, Idempotency_Key="mine")
        assert refused(answer, 422, "command_id_reused")
    theirs = bob.post("/games", {"kind": "red7", "seats": ["me"]}, Idempotency_Key="mine")
    assert theirs.json()["game"] != first.json()["game"]


# -- phases and looks ------------------------------------------------------------------------------------------------


def test_while_seals_are_unopened_their_seats_are_active_and_nothing_is_legal(ann: Person, bob: Person) -> None:
    game = opened(ann)["game"]
    assert bob.command(game, "join_game", seal=SEAL).status_code == 200
    assert ann.command(game, "join_game").status_code == 200
    assert ann.command(game, "start_game").status_code == 200
    look = bob.look(game)
    assert (look["phase"], look["active"], look["legal"], look["legal_total"]) == ("sealed", [0], [], 0)
    assert bob.command(game, "reveal_entropy", entropy=ENTROPY).status_code == 200
    assert bob.look(game)["phase"] == "running"


@pytest.mark.parametrize("phase", ["finished", "abandoned", "void", "abandoned lobby"])
def test_once_over_the_outcome_is_never_null_and_nothing_is_legal(ann: Person, bob: Person, phase: str) -> None:
    if phase in ("finished", "abandoned"):
        game = started_game(ann, bob)
        if phase == "finished":
            play_to_the_end(game, ann, bob)
        else:
            assert ann.command(game, "leave_game", reason="no_time").status_code == 200
    else:
        game = opened(ann)["game"]
        if phase == "void":
            assert ann.command(game, "join_game", seal=SEAL).status_code == 200
            assert bob.command(game, "join_game").status_code == 200
            assert ann.command(game, "start_game").status_code == 200
            assert bob.command(game, "leave_game").status_code == 200
        else:
            assert ann.command(game, "abandon_game").status_code == 200
    look = ann.look(game)
    assert look["phase"] == phase.partition(" ")[0]
    assert set(look["outcome"]) == {"winners", "scores", "reason"}
    assert (look["active"], look["legal"], look["legal_total"]) == ([], [], 0)
    assert re.fullmatch("[0-9a-f]{64}", look["seed"])
    assert ann.get(f"/games?phase={look['phase']}").json()["items"][0]["game"] == game


def test_only_those_who_may_act_are_shown_legal_moves_and_what_is_shown_goes_in_unchanged(
    client: TestClient, ann: Person, bob: Person
) -> None:
    game = started_game(ann, bob)
    acting = whose_turn(game, ann, bob)
    waiting = bob if acting is ann else ann
    assert acting.look(game)["legal_total"] == len(acting.look(game)["legal"]) > 0
    for look in (waiting.look(game), client.get(f"{API}/games/{game}").json()):
        assert (look["legal"], look["legal_total"]) == ([], 0)
    assert acting.post(f"/games/{game}/moves", acting.look(game)["legal"][0]).status_code == 200


def test_at_most_500_legal_moves_are_listed_and_all_are_counted(client: TestClient, fairdeal: Fairdeal) -> None:
    table = [person(client, "Ann").player, *(f"player {number}" for number in range(200))]
    game = fairdeal.start_game("reviiyot", table, {"n": 1000}).game_id
    with TestClient(create_app(fairdeal, identify=lambda _: table[fairdeal.look(game).active[0]])) as acting:
        look = acting.get(f"{API}/games/{game}").json()
    assert len(look["legal"]) == 500 < look["legal_total"]


def test_answers_and_events_have_the_fields_that_are_promised(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    answer = whose_turn(game, ann, bob).move(game).json()
    assert set(answer) == {"game", "version", "events", "receipt"}
    assert re.fullmatch(rf"{game}:{answer['version']}:[0-9a-f]{{64}}", answer["receipt"])
    for event in answer["events"]:
        assert set(event) == {"version", "name", "event", "line", "at", "by"}
        assert event["name"].startswith("red7.")
        assert event["at"].endswith("Z")
    seen = ann.get(f"/games/{game}/events?after={answer['version'] - 1}").json()
    assert set(seen) == {"version", "events"}
    assert [event["version"] for event in seen["events"]] == [answer["version"]]
    assert refused(ann.get(f"/games/{game}/events?after={answer['version'] + 1}"), 409, "beyond_head")


# -- conditions ------------------------------------------------------------------------------------------------------


def test_of_several_tags_one_that_fits_is_enough(ann: Person) -> None:
    game = opened(ann)["game"]
    assert ann.get(f"/games/{game}", If_None_Match='"7", W/"1"').status_code == 200  # the newest counts
    assert ann.get(f"/games/{game}", If_None_Match='"other", "1"').status_code == 304
    assert ann.get(f"/games/{game}", If_None_Match='"other"').status_code == 200


def test_a_version_that_is_stale_is_412_and_one_without_quotes_422(ann: Person) -> None:
    game = opened(ann)["game"]
    body = {"command": "join_game"}
    assert refused(ann.post(f"/games/{game}/commands", body, If_Match='"7"'), 412, "stale_version")
    assert refused(ann.post(f"/games/{game}/commands", body, If_Match="1"), 422, "invalid_command")
    assert ann.post(f"/games/{game}/commands", body, If_Match='"1"').status_code == 200


def test_nobody_uses_up_the_keys_of_somebody_else(ann: Person, bob: Person) -> None:
    game = opened(ann)["game"]
    for one in (ann, bob):
        joined = one.post(f"/games/{game}/commands", {"command": "join_game"}, Idempotency_Key="1")
        assert joined.status_code == 200
    assert ann.look(game)["players"] == [ann.player, bob.player]


def test_the_methods_that_an_address_takes_are_all_named(client: TestClient) -> None:
    wrong = client.put(f"{API}/games", json={})
    assert refused(wrong, 405, "method_not_allowed")
    assert wrong.headers["allow"] == "GET, HEAD, POST"


def test_whoever_has_any_version_needs_none(ann: Person) -> None:
    game = opened(ann)["game"]
    assert ann.get(f"/games/{game}", If_None_Match="*").status_code == 304


# -- history ---------------------------------------------------------------------------------------------------------


def test_frames_before_the_end_are_ones_own_or_a_spectators(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    fields = {"game", "version", "at", "by", "line", "event", "view", "places", "outcome"}
    empty = client.get(f"{API}/games/{game}/frames/0").json()
    assert set(empty) == fields
    assert (empty["version"], empty["at"], empty["by"], empty["event"], empty["view"]) == (0, None, None, None, None)
    version = ann.look(game)["version"]
    own = ann.get(f"/games/{game}/frames/{version}").json()
    assert own["view"]["hand"]
    assert ann.get(f"/games/{game}/frames/{version}?as=spectator").json()["view"]["hand"] is None
    assert refused(ann.get(f"/games/{game}/frames/{version}?as={bob.player}"), 403, "not_allowed")
    assert refused(ann.get(f"/games/{game}/frames/{version}?as=open"), 409, "still_running")
    assert refused(ann.get(f"/games/{game}/frames/{version + 1}"), 409, "beyond_head")


def test_after_the_end_everybody_sees_with_any_eyes_and_all_cards(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    play_to_the_end(game, ann, bob)
    for version in (0, 5):
        for eyes in (ann.player, bob.player, "spectator", "open"):
            frame = client.get(f"{API}/games/{game}/frames/{version}?as={eyes}")
            assert (frame.status_code, frame.json()["version"]) == (200, version)
    hands = [client.get(f"{API}/games/{game}/frames/5?as={one.player}").json()["view"]["hand"] for one in (ann, bob)]
    opened_cards = client.get(f"{API}/games/{game}/frames/5?as=open").json()["places"]
    assert all(str(card) in str(opened_cards) for hand in hands for card in hand)


def test_frames_come_in_pages_too_and_are_the_same_frames(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    assert refused(ann.get(f"/games/{game}/frames?as={bob.player}"), 403, "not_allowed")
    assert refused(ann.get(f"/games/{game}/frames?as=open"), 409, "still_running")
    play_to_the_end(game, ann, bob)
    head = ann.look(game)["version"]
    for eyes in (ann.player, "spectator", "open"):
        frames: list[Any] = []
        cursor: str | None = "0"
        while cursor is not None:
            page = client.get(f"{API}/games/{game}/frames?as={eyes}&limit=7&cursor={cursor}").json()
            frames += page["items"]
            cursor = page["next"]
        alone = [client.get(f"{API}/games/{game}/frames/{version}?as={eyes}").json() for version in range(head + 1)]
        assert frames == alone
    whole = client.get(f"{API}/games/{game}/frames").json()
    assert [frame["version"] for frame in whole["items"]] == list(range(min(100, head + 1)))
    assert client.get(f"{API}/games/{game}/frames?limit=101").status_code == 422
    assert refused(client.get(f"{API}/games/{game}/frames?cursor={head + 1}"), 409, "beyond_head")


def test_a_branch_is_unrated_without_clock_and_private(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob, clock={"move_seconds": 600})
    assert refused(ann.post(f"/games/{game}/branches", {"version": 5}), 409, "still_running")
    play_to_the_end(game, ann, bob)
    made = ann.post(f"/games/{game}/branches", {"version": 5})
    look = made.json()
    assert (made.status_code, look["rated"], look["clock"], look["phase"]) == (201, False, None, "running")
    assert made.headers["location"] == f"{API}/games/{look['game']}"
    for stranger in (bob.get(f"/games/{look['game']}"), client.get(f"{API}/games/{look['game']}")):
        assert refused(stranger, 404, "unknown_game")
    for seat in (0, 1):
        other = look["players"][seat]
        assert ann.get(f"/games/{look['game']}?as={other}").json()["seat"] == seat


def test_a_refusal_calls_people_by_their_names(ann: Person, bob: Person) -> None:
    game = opened(ann, seats=["me"])["game"]
    again = ann.command(game, "join_game")
    assert refused(again, 409, "duplicate_player")
    assert again.json()["detail"] == "Ann sits at this table already."
    stranger = bob.command(game, "leave_game")
    assert stranger.json()["detail"] == "Bob does not sit at this table."


def test_the_version_of_a_branch_is_a_number(client: TestClient, ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    play_to_the_end(game, ann, bob)
    for version in ("5", True, 5.0, None):
        assert refused(ann.post(f"/games/{game}/branches", {"version": version}), 422, "invalid_command")


def test_nobody_is_given_a_spectators_look_who_asked_for_open_cards(
    client: TestClient, ann: Person, bob: Person
) -> None:
    game = started_game(ann, bob)
    for path in ("", "/events", "/story", "/frames", "/frames/0"):
        assert refused(ann.get(f"/games/{game}{path}?as=open"), 409, "still_running")
        assert refused(client.get(f"{API}/games/{game}{path}?as=open"), 409, "still_running")
    play_to_the_end(game, ann, bob)
    for path in ("", "/events", "/story", "/frames", "/frames/0"):
        assert client.get(f"{API}/games/{game}{path}?as=open").status_code == 200


def test_a_page_of_no_lines_or_frames_is_refused_as_a_page_of_no_games_is(client: TestClient, ann: Person) -> None:
    game = opened(ann)["game"]
    for path in ("/games", f"/games/{game}/story", f"/games/{game}/frames"):
        for limit in ("0", "501", "x"):
            answer = client.get(f"{API}{path}?limit={limit}")
            assert refused(answer, 422, "invalid_query")
            assert "from 1 to" in answer.json()["errors"][0]["message"]


def test_a_command_without_a_name_is_told_what_there_is_and_not_all_that_it_said(ann: Person) -> None:
    game = opened(ann)["game"]
    nameless = ann.post(f"/games/{game}/commands", {})
    assert refused(nameless, 422, "invalid_command")
    assert nameless.json()["errors"][0]["message"].startswith("missing, expected one of join_game, ")
    long = ann.post(f"/games/{game}/commands", {"command": "x" * 60_000})
    assert refused(long, 422, "invalid_command")
    assert len(long.content) < 2_000


def test_a_receipt_is_in_the_log_or_not(client: TestClient, ann: Person) -> None:
    table = opened(ann)
    version_and_link = table["receipt"].partition(":")[2]
    where = f"{API}/games/{table['game']}/receipts/"
    assert client.get(where + version_and_link).json() == {"receipt": table["receipt"], "good": True}
    assert client.get(f"{where}1:{'0' * 64}").json()["good"] is False
    assert client.get(f"{where}9:{'0' * 64}").json()["good"] is False
    assert refused(client.get(f"{where}nonsense"), 422, "invalid_query")


def test_a_checkpoint_is_signed_if_there_is_a_key(fairdeal: Fairdeal, client: TestClient) -> None:
    assert refused(client.get(f"{API}/checkpoints/latest"), 404, "no_checkpoint")
    secret, _ = new_keys()
    with TestClient(create_app(fairdeal, checkpoint_key=secret), client=("127.0.0.1", 1)) as signing:
        opened(person(signing))
        assert "signature" in signing.get(f"{API}/checkpoints/latest").text


def test_the_story_is_told_page_by_page(ann: Person) -> None:
    game = opened(ann, seats=["me"])["game"]
    first = ann.get(f"/games/{game}/story?limit=1").json()
    assert [item["line"] for item in first["items"]] == ["Ann opens the table."]
    rest = ann.get(f"/games/{game}/story?cursor={first['next']}").json()
    assert ([item["line"] for item in rest["items"]], rest["next"]) == (["Ann sits down."], None)


# -- streams ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(app: Starlette) -> Iterator[httpx2.Client]:
    with running(app) as found:
        yield found


def test_a_stream_that_is_told_two_places_believes_the_header(server: httpx2.Client) -> None:
    ann = person(server)
    game = opened(ann, seats=["me"])["game"]
    with server.stream("GET", f"{API}/games/{game}/stream?after=99", headers={"Last-Event-ID": "1"}) as response:
        first = next(messages(response))
    assert (first.event, first.id, [event["version"] for event in first.data["events"]]) == ("batch", "2", [2])
    assert first.data["look"]["version"] == first.data["version"] == 2
    beyond = server.get(f"{API}/games/{game}/stream", headers={"Last-Event-ID": "3"})
    assert refused(beyond, 409, "beyond_head")


def test_without_looks_there_are_events_alone(server: httpx2.Client) -> None:
    ann = person(server)
    game = opened(ann, seats=["me"])["game"]
    with server.stream("GET", f"{API}/games/{game}/stream?after=2&looks=0") as response:
        first = next(messages(response))
    assert first.data == {"version": 2, "events": []}


def test_a_finished_game_resumed_at_its_head_ends_at_once(server: httpx2.Client) -> None:
    ann, bob = person(server), person(server)
    game = started_game(ann, bob)
    assert ann.command(game, "leave_game").status_code == 200
    head = ann.look(game)
    with server.stream("GET", f"{API}/games/{game}/stream?after={head['version']}") as response:
        heard = list(messages(response))
    assert [(one.event, one.id) for one in heard] == [("end", str(head["version"]))]
    assert heard[0].data == {"version": head["version"], "outcome": head["outcome"]}
    with server.stream("GET", f"{API}/games/{game}/stream") as response:
        assert [one.event for one in messages(response)] == ["batch", "end"]


def test_a_silent_stream_says_now_and_then_that_it_is_there(
    server: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stream.HEARTBEAT_SECONDS == 15
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.05)
    game = opened(person(server))["game"]
    with server.stream("GET", f"{API}/games/{game}/stream") as response:
        comments = (line for line in response.iter_lines() if line.startswith(":"))
        assert next(comments) == next(comments)


def test_the_head_of_a_stream_is_not_a_stream(server: httpx2.Client, app: Starlette) -> None:
    game = opened(person(server))["game"]
    assert server.head(f"{API}/games/{game}/stream").status_code == 200
    until(lambda: len(app.state.backend.streams) == 0)  # it is cleared away after the answer


# -- who serves, who asks --------------------------------------------------------------------------------------------


def test_what_those_who_run_it_ask_needs_no_prefix(client: TestClient) -> None:
    assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200
    assert client.get("/metrics").headers["content-type"].startswith("text/plain")
    assert client.get("/openapi.json").json()["openapi"].startswith("3.1")


def test_one_kind_says_what_the_list_says_and_more(client: TestClient) -> None:
    for summary in client.get(f"{API}/kinds").json():
        assert set(summary) == {"kind", "title", "seats", "presets", "bots"}
        one = client.get(f"{API}/kinds/{summary['kind']}").json()
        assert {name: one[name] for name in summary} == summary
        assert set(one) - set(summary) == {"preset_options", "schemas"}
        assert list(one["preset_options"]) == summary["presets"]


def test_commands_are_counted_by_kind_and_outcome(client: TestClient, ann: Person, bob: Person) -> None:
    game = opened(ann)["game"]
    assert bob.command(game, "start_game").status_code == 403
    assert ann.command("00000000-0000-4000-8000-000000000000", "join_game").status_code == 404
    figures = client.get("/metrics").text
    for labels in (
        'command="open_game",kind="red7",outcome="done"',
        'command="start_game",kind="red7",outcome="not_allowed"',
        'command="join_game",kind="",outcome="unknown_game"',
    ):
        assert f"fairdeal_commands_total{{{labels}}} 1.0" in figures


@pytest.mark.parametrize(
    "path", ["/", "/static/main.js", "/games/x", "/nowhere", f"{API}/kinds", f"{API}/games/", "/healthz"]
)
def test_nothing_is_told_to_who_calls_the_server_by_another_name(fairdeal: Fairdeal, path: str) -> None:
    with TestClient(create_app(fairdeal, hosts=["games.example"])) as client:
        for answer in (client.get(path, headers={"Host": "evil.example"}), client.put(path, headers={"Host": "evil"})):
            assert refused(answer, 421, "wrong_host")
            assert "content-security-policy" in answer.headers


def test_an_address_with_a_slash_more_is_another_one(client: TestClient) -> None:
    assert refused(client.get(f"{API}/games/", follow_redirects=False), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/me/token"), ("DELETE", "/me"), ("DELETE", "/session"), ("POST", "/games")]
)
def test_a_change_that_is_sent_something_else_than_json_is_415(ann: Person, method: str, path: str) -> None:
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        said = {"Content-Type": kind, **ann.headers}
        assert refused(ann.client.request(method, API + path, content=b"a=b", headers=said), 415, "not_json")
    assert ann.get("/me").status_code == 200


def test_no_other_site_is_let_in_unless_it_is_named(fairdeal: Fairdeal) -> None:
    asked = {"Origin": "https://other.example"}
    with TestClient(create_app(fairdeal)) as closed:
        assert "access-control-allow-origin" not in closed.get(f"{API}/kinds", headers=asked).headers
    with TestClient(create_app(fairdeal, cors_origins=["https://other.example"])) as named:
        answer = named.get(f"{API}/kinds", headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://other.example"
        # Whoever is named can do all that a program without a cookie can: an account, commands, and looks that wait.
        made = named.post(f"{API}/players", json={"display_name": "Ann"}, headers=asked)
        assert (made.status_code, made.headers["access-control-allow-origin"]) == (201, "https://other.example")
        wanted = "authorization,content-type,idempotency-key,if-match,if-none-match,last-event-id"
        flight = {**asked, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": wanted}
        assert named.options(f"{API}/kinds", headers=flight).status_code == 200
        # A cookie is for our own page only.
        session = named.post(f"{API}/session", json={"display_name": "Bob"})
        assert session.status_code == 201
        assert refused(named.patch(f"{API}/me", json={"display_name": "x"}, headers=asked), 403, "cross_origin")


def test_looks_are_kept_by_nobody_else_and_differ_by_who_asks(ann: Person) -> None:
    table = opened(ann)
    for path in ("", "/events", "/frames", "/frames/1", "/story", "/log", "/audit"):
        headers = ann.get(f"/games/{table['game']}{path}").headers
        assert headers["cache-control"] == "private, no-cache"
        assert headers["vary"] == "Authorization, Cookie"


def test_lists_timeline_and_players_leave_out_what_is_not_for_everybody(
    client: TestClient, ann: Person, bob: Person
) -> None:
    hidden = [opened(ann, spectators=mode, seats=["me"])["game"] for mode in ("unlisted", "closed")]
    shown = opened(ann, seats=["me"])["game"]
    lists = ("/games", f"/games?player={ann.player}", "/timeline", f"/players/{ann.player}/games", "/games?phase=lobby")
    for path in lists:
        for who in ({}, bob.headers):
            text = client.get(API + path, headers=who).text
            assert not any(game in text for game in hidden), path
    assert shown in client.get(f"{API}/games").text
    assert all(game in ann.get(f"/games?player={ann.player}").text for game in (*hidden, shown))


def test_pages_link_to_the_next_one(client: TestClient, ann: Person) -> None:
    games = {opened(ann)["game"] for _ in range(5)}
    found: list[str] = []
    where = f"{API}/games?limit=2"
    while where:
        page = client.get(where)
        assert set(page.json()) == {"items", "next"}
        found += [item["game"] for item in page.json()["items"]]
        link = re.fullmatch(r'<(.+)>; rel="next"', page.headers.get("link", ""))
        assert (link is None) == (page.json()["next"] is None)
        where = "" if link is None else link.group(1)
    assert (len(found), set(found)) == (5, games)


def test_tokens_are_long_and_new_each_time(client: TestClient) -> None:
    tokens = {person(client).token for _ in range(5)}
    assert len(tokens) == 5
    assert all(re.fullmatch(r"fd1_[A-Za-z0-9_-]{43}", token) for token in tokens)
