"""Whoever is killed, at whatever moment: what was answered is stored, and nothing is half there."""

from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from kits.players import Heard, check_everything_that_was_answered, kill_while_playing, playing_process
from kits.postgres import MortalServer


def kill_again_and_again(address: str, times: int) -> None:
    rng = Random(7)
    tables: list[UUID] = []
    for time in range(times):
        answers = rng.choice((0, 1, 3, 5, 8, 13, 21))
        heard = kill_while_playing(address, seed=time, tables=tables, answers=answers, then=rng.uniform(0, 0.005))
        assert heard.errors == []
        with Fairdeal(address) as fairdeal:
            check_everything_that_was_answered(fairdeal, heard)
        tables = sorted({*tables, *heard.games})[-6:]


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
                heard.listen_for(pipe, rng.randint(5, 40))
                server.kill()
                server.start()
            heard.listen_for(pipe, 20)
        with Fairdeal(server.address) as fairdeal:
            check_everything_that_was_answered(fairdeal, heard)
    finally:
        server.stop()
