"""`fairdeal serve` as people run it: real processes, bots, several workers, stopping."""

import subprocess
import sys

import httpx2
import pytest

from kits.http import API, messages, person, served


def play_against_bots(client: httpx2.Client, kind: str = "red7") -> None:
    """Listens and moves whenever it is our turn, until the stream ends."""
    ann = person(client, "Ann")
    table = {"kind": kind, "seats": ["me", {"bot": "random"}], "start": True}
    game = ann.post("/games", table).json()["game"]
    with client.stream("GET", f"{API}/games/{game}/stream", headers=ann.headers) as response:
        for message in messages(response):
            if message.event == "end":
                break
            look = message.data["look"]
            if look["seat"] in look["active"]:
                ann.post(f"/games/{game}/moves", look["legal"][-1], If_Match=f'"{look["version"]}"')
        else:
            pytest.fail("the stream ended before the game")
    assert client.get(f"{API}/games/{game}/audit").json()["good"]


def test_bots_play_in_the_server_until_the_end(tmp_path: object) -> None:
    with served(f"sqlite:///{tmp_path}/games.db") as (client, process):
        play_against_bots(client)
        metrics = client.get("/metrics").text
        assert "fairdeal_bot_moves_total" in metrics
        assert "fairdeal_commands_total" in metrics
        assert client.get("/readyz").json() == {"status": "ok"}
    assert process.returncode == 0


def test_several_workers_on_one_file_and_one_of_them_plays_the_bots(tmp_path: object) -> None:
    with served(f"sqlite:///{tmp_path}/games.db", "--workers", "2") as (client, _):
        play_against_bots(client)


def test_a_server_on_postgresql(postgres: str) -> None:
    with served(postgres) as (client, _):
        play_against_bots(client)


def test_without_bots_their_seats_wait(tmp_path: object) -> None:
    with served(f"sqlite:///{tmp_path}/games.db", "--no-bots") as (client, _):
        ann = person(client, "Ann")
        table = {"kind": "red7", "seats": [{"bot": "random"}, {"bot": "random"}], "start": True}
        game = ann.post("/games", table).json()["game"]
        assert ann.get(f"/games/{game}?wait=1", If_None_Match=f'"{ann.look(game)["version"]}"').status_code == 304


RUN = """
import gc, threading, time
from fairdeal.infrastructure.http.serve import AppFactory, Server, listen, server_config

factory = AppFactory({ledger!r}, bots=False)
server = Server(server_config(factory), factory)
def stop():
    while not server.started:
        time.sleep(0.01)
    server.should_exit = True
threading.Thread(target=stop).start()
server.run([listen("127.0.0.1", 0)])
print(gc.get_freeze_count() > 10_000, gc.get_threshold()[0])
"""


def test_a_server_does_not_search_for_garbage_in_what_it_was_started_with(tmp_path: object) -> None:
    code = RUN.format(ledger=f"sqlite:///{tmp_path}/games.db")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "10000"]
