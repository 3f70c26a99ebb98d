"""Whoever is killed, at whatever moment: what was answered is stored, and nothing is half there."""

from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from crash_kit import Heard, check_everything_that_was_answered, kill_while_playing, playing_process
from fairdeal import Fairdeal
from postgres_kit import MortalServer


def kill_again_and_again(address: str, times: int) -> None:
    rng = Random(7)
    tables: list[UUID] = []
    answers = 0
    for time in range(times):
        # Some are killed while they open the ledger, most while they play.
        after = rng.uniform(-0.01, 0) if time % 10 == 9 else rng.uniform(0, 0.06)
        heard = kill_while_playing(address, seed=time, tables=tables, after=after)
        assert heard.errors == []
        with Fairdeal(address) as fairdeal:
            check_everything_that_was_answered(fairdeal, heard)
        answers += len(heard.answered)
        tables = sorted({*tables, *heard.games})[-6:]
    assert answers > times, "they were killed before they did anything"


def test_a_process_killed_50_times_on_sqlite_loses_nothing(tmp_path: Path) -> None:
    kill_again_and_again(f"sqlite:///{tmp_path / 'games.db'}", 50)


@pytest.mark.xdist_group("postgres")
def test_a_process_killed_20_times_on_postgresql_loses_nothing(postgres: str) -> None:
    kill_again_and_again(postgres, 20)


@pytest.mark.xdist_group("postgres")
def test_a_postgresql_server_killed_10_times_loses_nothing_and_those_who_play_go_on() -> None:
    server = MortalServer()
    rng = Random(3)
    heard = Heard()
    try:
        with playing_process(server.address, seed=1, tables=[]) as (_, pipe):
            for _ in range(10):
                enough = len(heard.answered) + rng.randint(5, 40)
                heard.listen(pipe, until=lambda enough=enough: len(heard.answered) >= enough)
                server.kill()
                server.start()
            enough = len(heard.answered) + 20
            heard.listen(pipe, until=lambda: len(heard.answered) >= enough)
        with Fairdeal(server.address) as fairdeal:
            check_everything_that_was_answered(fairdeal, heard)
    finally:
        server.stop()
