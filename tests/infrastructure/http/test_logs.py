"""What a server writes down: no token, no cookie, no secret of the server; and its figures count what bots do."""

import logging
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.bots import BotRunner
from kits.http import API, Person, started_game, whose_turn


def test_no_token_and_no_name_stands_in_the_logs(
    app: Starlette, client: TestClient, ann: Person, bob: Person, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="fairdeal"):
        game = started_game(ann, bob)
        assert whose_turn(game, ann, bob).move(game).status_code == 200
        ann.get(f"/games/{game}/events")
        cookie = client.post(f"{API}/session", json={"token": bob.token}).headers["set-cookie"]
        assert client.get(f"{API}/me", headers={"Authorization": "Bearer fd1_wrong"}).status_code == 401
        new = bob.post("/me/token").json()["token"]
    session = cookie.partition("=")[2].partition(";")[0]
    logged = "\n".join(f"{record.getMessage()} {vars(record)}" for record in caplog.records)
    assert "make_move done" in logged
    seed = app.state.backend.fairdeal.game(game).seed.hex()
    secret = app.state.backend.accounts.secret().hex()
    hidden: tuple[str, ...] = (ann.token, bob.token, session, new, "fd1_wrong", seed, secret, ann.player, "Ann")
    for one in hidden:
        assert one not in logged


def test_the_figures_count_commands_also_those_of_bots(client: TestClient, fairdeal: Fairdeal, ann: Person) -> None:
    table = {"kind": "red7", "seats": [{"bot": "careful"}, {"bot": "random"}], "start": True}
    game = ann.post("/games", table).json()["game"]
    runner = BotRunner(fairdeal).start()
    try:
        while _phase(client, game) != "finished":
            ann.get(f"/games/{game}?wait=1")
    finally:
        runner.stop()
    figures = client.get("/metrics").text
    assert 'fairdeal_commands_total{command="quick_start",kind="red7",outcome="done"} 1.0' in figures
    moves = fairdeal.read.games().items[0].moves
    assert f"fairdeal_bot_moves_total {float(moves)}" in figures
    assert 'fairdeal_command_seconds_count{command="make_move",kind="red7"}' in figures


def _phase(client: TestClient, game: str) -> Any:
    return client.get(f"{API}/games/{game}").json()["phase"]
