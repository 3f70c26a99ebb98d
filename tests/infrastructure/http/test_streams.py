"""Event streams, on a real server: resumable, each batch whole, ended with the game, the token or the server."""

import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette

from fairdeal import Fairdeal
from fairdeal.http import Limits, create_app
from kits.http import API, Message, Person, messages, person, play_to_the_end, running, started_game, whose_turn
from kits.waiting import until


@pytest.fixture
def server(app: Starlette) -> Iterator[httpx2.Client]:
    with running(app) as client:
        yield client


@pytest.fixture
def people(server: httpx2.Client) -> tuple[Person, Person]:
    return person(server, "Ann"), person(server, "Bob")


def follow(who: Person | None, client: httpx2.Client, game: str, query: str = "", **headers: str) -> Any:
    known = {**({} if who is None else who.headers), **{k.replace("_", "-"): v for k, v in headers.items()}}
    return client.stream("GET", f"{API}/games/{game}/stream{query}", headers=known)


def test_the_first_message_comes_at_once_and_every_event_once(
    server: httpx2.Client, people: tuple[Person, Person]
) -> None:
    game = started_game(*people)
    heard: list[Message] = []

    def listen() -> None:
        with follow(people[0], server, game) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            heard.extend(messages(response))

    listener = threading.Thread(target=listen)
    listener.start()
    play_to_the_end(game, *people)
    listener.join()
    *batches, end = heard
    events = [event for batch in batches for event in batch.data["events"]]
    head = people[0].look(game)["version"]
    assert [event["version"] for event in events] == list(range(1, head + 1))
    for batch in batches:
        assert batch.event == "batch"
        assert int(batch.id) == batch.data["version"] == batch.data["look"]["version"]
        assert batch.data["events"][-1]["version"] == batch.data["version"]
        assert batch.data["look"]["seat"] == 0
    assert (end.event, int(end.id)) == ("end", head)
    assert end.data == {"version": head, "outcome": people[0].look(game)["outcome"]}


def test_a_stream_goes_on_where_it_was(server: httpx2.Client, people: tuple[Person, Person]) -> None:
    game = started_game(*people)
    head = people[0].look(game)["version"]
    with follow(None, server, game, "?after=2&looks=0") as response:
        first = next(messages(response))
        assert [event["version"] for event in first.data["events"]] == list(range(3, head + 1))
        assert set(first.data) == {"version", "events"}
    with follow(None, server, game, "?after=1", Last_Event_ID=str(head)) as response:
        resumed = next(messages(response))
        assert (resumed.id, resumed.data["events"]) == (str(head), [])
    with follow(None, server, game, f"?after={head + 1}") as response:
        response.read()
        assert (response.status_code, response.json()["code"]) == (409, "beyond_head")
    play_to_the_end(game, *people)
    head = people[0].look(game)["version"]
    with follow(None, server, game, f"?after={head}") as response:
        assert [message.event for message in messages(response)] == ["end"]


def test_what_a_spectator_hears_holds_no_hand(server: httpx2.Client, people: tuple[Person, Person]) -> None:
    game = started_game(*people)
    hand = people[0].look(game)["view"]["hand"]
    with follow(None, server, game) as response:
        first = next(messages(response))
    assert first.data["look"]["seat"] is None
    assert all(f'"{card}"' not in str(first.data["look"]["view"]) for card in hand)
    assert first.data["events"] == server.get(f"{API}/games/{game}/events").json()["events"]


def test_who_sits_down_while_listening_hears_as_a_player_from_then_on(
    server: httpx2.Client, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    game = ann.post("/games", {"kind": "red7", "seats": ["me"]}).json()["game"]
    with follow(bob, server, game) as response:
        heard = messages(response)
        assert next(heard).data["look"]["seat"] is None
        bob.command(game, "join_game")
        assert next(heard).data["look"]["seat"] == 1


def test_a_move_through_another_process_is_heard(
    server: httpx2.Client, people: tuple[Person, Person], fairdeal: Fairdeal
) -> None:
    game = started_game(*people)
    with Fairdeal(fairdeal.address) as elsewhere, follow(None, server, game, "?looks=0") as response:
        heard = messages(response)
        before = next(heard).data["version"]
        look = elsewhere.look(game)
        mover = look.players[look.active[0]]
        answer = elsewhere.move(game, mover, elsewhere.look(game, mover).legal[0])
        after = next(heard)
        assert (after.data["version"], after.data["events"][0]["version"]) == (answer.version, before + 1)


def test_a_token_that_ends_takes_its_streams_with_it(server: httpx2.Client, people: tuple[Person, Person]) -> None:
    game = started_game(*people)
    with follow(people[0], server, game) as response:
        heard = messages(response)
        next(heard)
        assert people[0].post("/me/token").status_code == 200
        assert list(heard) == []
    assert people[0].get(f"/games/{game}").status_code == 401


def test_waiting_for_a_look_ends_with_the_next_move(server: httpx2.Client, people: tuple[Person, Person]) -> None:
    game = started_game(*people)
    tag = people[0].get(f"/games/{game}").headers["etag"]
    answers: list[httpx2.Response] = []
    waiting = threading.Thread(
        target=lambda: answers.append(people[0].get(f"/games/{game}?wait=20", If_None_Match=tag))
    )
    waiting.start()
    mover = whose_turn(game, *people)
    moved = mover.move(game)
    waiting.join()
    assert answers[0].status_code == 200
    assert answers[0].json()["version"] == moved.json()["version"]


def test_streams_end_when_the_server_stops(app: Starlette) -> None:
    ended: list[bool] = []
    with running(app) as client:
        ann = person(client, "Ann")
        game = ann.post("/games", {"kind": "red7"}).json()["game"]
        streams = [client.stream("GET", f"{API}/games/{game}/stream") for _ in range(10)]
        opened = [stream.__enter__() for stream in streams]
        heard = [messages(response) for response in opened]
        for one in heard:
            next(one)
        app.state.backend.stop()
        for one, stream in zip(heard, streams, strict=True):
            ended.append(list(one) == [])
            stream.__exit__(None, None, None)
        refused = client.get(f"{API}/games/{game}/stream")
        assert (refused.status_code, refused.json()["code"]) == (503, "closing")
    assert ended == [True] * 10
    assert len(app.state.backend.streams) == 0


def test_a_stream_that_comes_to_wait_when_nobody_may_wait_any_longer_ends(app: Starlette) -> None:
    """It had asked again and again, so that the server never came to end the others."""
    with running(app) as client:
        game = person(client, "Ann").post("/games", {"kind": "red7"}).json()["game"]
        with client.stream("GET", f"{API}/games/{game}/stream") as response:
            lines = response.iter_lines()
            next(lines)
            app.state.backend.watch.close()
            comments = [line for line in lines if line.startswith(":")]
    assert len(comments) <= 1


def test_streams_of_one_caller_are_bounded(fairdeal: Fairdeal) -> None:
    with running(create_app(fairdeal, limits=Limits(streams_of_caller=1))) as client:
        ann = person(client, "Ann")
        game = ann.post("/games", {"kind": "red7"}).json()["game"]
        with follow(ann, client, game) as response:
            heard = messages(response)
            next(heard)
            refused = ann.get(f"/games/{game}/stream")
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")


def test_whoever_waits_for_a_look_is_answered_when_the_server_stops(app: Starlette) -> None:
    with running(app) as client:
        game = person(client, "Ann").post("/games", {"kind": "red7"}).json()["game"]
        answers: list[int] = []

        def wait() -> None:
            answers.append(client.get(f"{API}/games/{game}?wait=60", headers={"If-None-Match": '"1"'}).status_code)

        waiting = threading.Thread(target=wait)
        waiting.start()
        until(lambda: app.state.backend.watch.is_waited_for, every=0)
        app.state.backend.stop()
        waiting.join()
    assert answers == [304]
