"""Callers for tests over HTTP: people with tokens, streams, and a real server on a free port."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import uvicorn
from starlette.applications import Starlette

from fairdeal.infrastructure.http.serve import listen, server_config

API = "/api/v1"


@dataclass
class Person:
    """Somebody with a token."""

    client: httpx2.Client
    player: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return self.client.get(API + path, headers={**self.headers, **_named(headers)})

    def post(self, path: str, body: Any = None, **headers: str) -> httpx2.Response:
        return self.client.post(API + path, json=body, headers={**self.headers, **_named(headers)})

    def command(self, game: str, command: str, **fields: Any) -> httpx2.Response:
        return self.post(f"/games/{game}/commands", {"command": command, **fields})

    def look(self, game: str) -> dict[str, Any]:
        response = self.get(f"/games/{game}")
        assert response.status_code == 200, response.text
        return dict(response.json())

    def move(self, game: str, which: int = 0) -> httpx2.Response:
        """One of the legal moves."""
        return self.post(f"/games/{game}/moves", self.look(game)["legal"][which])


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def person(client: httpx2.Client, name: str = "Ann") -> Person:
    made = client.post(f"{API}/players", json={"display_name": name})
    assert made.status_code == 201, made.text
    return Person(client, made.json()["player"], made.json()["token"])


def started_game(*people: Person, kind: str = "red7", **more: Any) -> str:
    """A table of these people, opened and started by the first."""
    opener = people[0]
    opened = opener.post("/games", {"kind": kind, **more})
    assert opened.status_code == 201, opened.text
    game = str(opened.json()["game"])
    for one in people:
        assert one.command(game, "join_game").status_code == 200
    assert opener.command(game, "start_game").status_code == 200
    return game


def whose_turn(game: str, *people: Person) -> Person:
    """Who has to act, of people who sit in this order."""
    return people[int(people[0].look(game)["active"][0])]


def play_to_the_end(game: str, *people: Person) -> dict[str, Any]:
    """Everybody makes their last legal move in turn; the look of the first when it is over."""
    while (look := people[0].look(game))["outcome"] is None:
        assert whose_turn(game, *people).move(game, -1).status_code == 200
    return look


@contextmanager
def running(app: Starlette, port: int = 0) -> Generator[httpx2.Client]:
    """A real server in a thread."""
    found = listen("127.0.0.1", port)
    port = found.getsockname()[1]
    server = uvicorn.Server(server_config(app, loop="asyncio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
    thread.start()
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
            yield client
    finally:
        app.state.backend.stop()
        server.should_exit = True
        thread.join()
        found.close()


@contextmanager
def served(ledger: str, *more: str, kinds: str | None = None) -> Generator[tuple[httpx2.Client, subprocess.Popen[str]]]:
    outside = [] if kinds is None else ["--kinds", kinds]
    command = [sys.executable, "-m", "fairdeal", *outside, "serve", "--ledger", ledger, "--port", "0", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            with httpx2.Client(base_url=found.group().rstrip("/"), timeout=30) as client:
                while client.get("/healthz", timeout=300).status_code != 200:  # a busy machine starts slowly
                    time.sleep(0.05)
                yield client, process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


@dataclass
class Message:
    event: str
    id: str
    data: Any


def messages(response: httpx2.Response) -> Iterator[Message]:
    """The messages of an event stream; comments are passed over."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "event" in fields:
            yield Message(fields["event"], fields["id"], json.loads(fields["data"]))
            fields = {}
