"""docs/http.md runs: both bots play against a real server, and the app mounts as it says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.http import create_app
from fairdeal.infrastructure.bots.runner import BotRunner
from kits.http import person, running

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_bots_of_the_page_play(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        app = create_app(fairdeal)
        with running(app) as client:
            runner = BotRunner(fairdeal).start()
            environment = {**os.environ, "SERVER": str(client.base_url).rstrip("/")}
            bot = blocks("python")[0]
            played = subprocess.run(
                [sys.executable, "-c", bot], env=environment, capture_output=True, text=True, timeout=120, check=False
            )
            assert played.returncode == 0, played.stderr
            assert re.search(r"^Outcome\(winners=.*\) True True$", played.stdout, re.MULTILINE)
            curled = subprocess.run(
                ["/bin/sh", "-e", "-c", blocks("sh")[0]],
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert re.fullmatch(r'{"winners":\[\d?\],"scores":.*"reason":"\w+"}\n', curled.stdout), curled.stderr
            runner.stop()


def test_the_seal_of_the_page_is_taken_and_opened(tmp_path: Path) -> None:
    said = subprocess.run(["/bin/sh", "-e", "-c", blocks("sh")[1]], cwd=tmp_path, capture_output=True, check=True)
    sealed, opened = map(json.loads, said.stdout.splitlines())
    with Fairdeal("memory:") as fairdeal, TestClient(create_app(fairdeal, accounts="memory:")) as client:
        ann, bob = person(client, "Ann"), person(client, "Bob")
        game = ann.post("/games", {"kind": "red7"}).json()["game"]
        for answer in (
            ann.post(f"/games/{game}/commands", sealed),
            bob.command(game, "join_game"),
            ann.command(game, "start_game"),
        ):
            assert answer.status_code == 200
        assert ann.look(game)["phase"] == "sealed"
        assert ann.post(f"/games/{game}/commands", opened).status_code == 200
        assert ann.look(game)["phase"] == "running"


def test_the_service_of_the_page_has_the_games_below_its_path(tmp_path: Path) -> None:
    script = blocks("python")[1] + (
        "\nfrom starlette.testclient import TestClient\n"
        "assert TestClient(service).get('/cards/api/v1/kinds').status_code == 200\n"
        "games.state.backend.close()\nfairdeal.close()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
