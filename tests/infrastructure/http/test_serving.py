"""`fairdeal serve` as people run it: real processes, bots, several workers, stopping."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import httpx2
import pytest

from kits.http import API, messages, person


@contextmanager
def served(ledger: str, *more: str) -> Generator[tuple[httpx2.Client, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "fairdeal", "serve", "--ledger", ledger, "--port", "0", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            with httpx2.Client(base_url=found.group().rstrip("/"), timeout=30) as client:
                while client.get("/healthz").status_code != 200:
                    time.sleep(0.05)
                yield client, process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


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
