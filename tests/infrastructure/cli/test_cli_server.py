"""`fairdeal play --server`: a game in the terminal, on a server elsewhere."""

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from fairdeal import Fairdeal
from fairdeal.bots import BotRunner
from fairdeal.client import Client
from fairdeal.http import create_app
from fairdeal.infrastructure.cli import remote
from fairdeal.infrastructure.cli.screens import PlainScreen
from kits.cli import refused, run
from kits.http import running

pytestmark = pytest.mark.xdist_group("play on a server")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with Fairdeal(f"sqlite:///{tmp_path / 'server.db'}") as fairdeal, running(create_app(fairdeal)) as http:
        runner = BotRunner(fairdeal).start()
        yield str(http.base_url).rstrip("/")
        runner.stop()


@pytest.mark.parametrize("kind", ["red7", "tcg"])
def test_a_game_is_played_to_its_end_on_a_server(server: str, kind: str, tmp_path: Path) -> None:
    typed = "1\n" * 400
    said = run("play", kind, "--server", server, "--token", "@me.token", "--as", "Zoe", "--plain", typed=typed).output
    assert "You are new at" in said
    assert " won" in said
    assert f"See it again at {server}/games/" in said
    file = tmp_path / "me.token"
    assert file.stat().st_mode & 0o777 == 0o600
    with Client(server, file.read_text(encoding="ascii").strip()) as client:
        (game,) = client.games(player=client.me().player).items
        assert client.me().display_name == "Zoe"
        report = client.audit(game.id)
        assert (report.good, report.fair.grade) == (True, "sealed")


def test_who_quits_is_told_where_the_game_goes_on_and_is_known_there_again(server: str) -> None:
    for new in (True, False):
        said = run("play", "kings_corners", "--server", server, "--as", "Zoe", "--plain", "--no-seal", typed="quit\n")
        assert ("You are new at" in said.output) == new
        assert f"The game goes on at {server}/games/" in said.output


def test_who_was_interrupted_goes_on_in_the_same_terminal(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as leaving:
        leaving.setattr(PlainScreen, "choose", interrupted)
        said = run(
            "play", "red7", "--server", server, "--token", "@my own", "--as", "Zoe", "--plain", status=130
        ).stdout
    (words,) = re.findall("Go on here with: fairdeal (.*)", said)
    assert " won" in run(*shlex.split(words), "--plain", typed="1\n" * 400).stdout
    assert "No game of yours was left there" in refused("resume", "--server", server, "--token", "@my own")
    assert "makes one" in refused("resume", "--server", server, "--token", "@nobody")
    assert "No game of yours that goes on" in refused("resume", "f00", "--server", server, "--token", "@my own")


def test_a_seal_that_was_still_shut_on_a_server_is_opened_when_the_game_goes_on(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(remote, "_open_seal", interrupted)
        run("play", "red7", "--server", server, "--as", "Zoe", "--plain", status=130)
    assert " won" in run("resume", "--server", server, "--plain", typed="1\n" * 400).stdout


def test_a_server_that_is_not_there_is_told_before_anybody_wonders() -> None:
    began = time.monotonic()
    assert "cannot be reached" in refused("play", "red7", "--server", "http://127.0.0.1:1")
    assert time.monotonic() - began < 10


def interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_what_cannot_be_done_on_a_server_is_said_in_a_sentence(server: str, tmp_path: Path) -> None:
    asked = ("play", "red7", "--server", server)
    assert "@FILE" in refused(*asked, "--token", "fd1_typed")
    assert "--hotseat" in refused(*asked, "--hotseat")
    assert "write it as http://" in refused("play", "red7", "--server", "nonsense")
    assert "--server" in refused("play", "red7", "--token", "@file")
    (tmp_path / "old").write_text("fd1_" + "x" * 43)
    assert "does not know the token" in refused(*asked, "--token", "@old")
