"""Workers that are killed or replaced under load: clients insist, nothing answered is lost, nothing happens twice."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from subprocess import Popen
from threading import Event, Thread
from time import sleep

import pytest

from fairdeal import Receipt
from fairdeal.client import Client
from kits.http import served
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("workers")

TABLES = 4


class Table(Thread):
    """Two people who play one game after the other, each move with a key of its own, until they are told to stop."""

    def __init__(self, server: str, number: int, stop: Event) -> None:
        super().__init__(name=f"table {number}")
        self.people = [Client.register(server, name, patience=60) for name in ("Ann", "Bob")]
        self.receipts: list[Receipt] = []
        self.moves: dict[str, int] = {}
        """Of each game, how many were answered."""
        self.error: Exception | None = None
        self._rng = Random(number)
        self._told = stop

    def run(self) -> None:
        try:
            while not self._told.is_set():
                self._play()
        except Exception as error:
            self.error = error

    def _play(self) -> None:
        ann = self.people[0]
        game = str(ann.open_game("kings_corners").game_id)
        self.moves[game] = 0
        for one in self.people:
            self.receipts.append(one.join(game).receipt)
        self.receipts.append(ann.start(game).receipt)
        while not self._told.is_set() and (active := ann.look(game).active):
            mover = self.people[active[0]]
            look = mover.look(game)
            answer = mover.move(game, self._rng.choice(look.legal), expected_version=look.version)
            self.receipts.append(answer.receipt)
            self.moves[game] += 1


def workers_of(process: Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(pid) for pid in children if _is_worker(pid)]


def _is_worker(pid: str) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:  # it has ended since it was listed
        return False


def kill_one_after_the_other(process: Popen[str], tables: list[Table]) -> None:
    rng = Random(5)
    for _ in range(4):
        wait_for_moves(tables, 15)
        os.kill(rng.choice(workers_of(process)), signal.SIGKILL)


def start_all_again(process: Popen[str], tables: list[Table]) -> None:
    for _ in range(2):
        wait_for_moves(tables, 15)
        before = set(workers_of(process))
        process.send_signal(signal.SIGHUP)
        until_gone(process, before)


def until_gone(process: Popen[str], workers: set[int]) -> None:
    until(lambda: not workers & set(workers_of(process)), every=0.05)


def wait_for_moves(tables: list[Table], more: int) -> None:
    enough = sum(len(table.receipts) for table in tables) + more
    until(lambda: not all(table.is_alive() for table in tables) or sum(len(one.receipts) for one in tables) >= enough)


@pytest.mark.parametrize("what", [kill_one_after_the_other, start_all_again])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_under_load_nothing_that_was_answered_is_lost_and_nothing_happens_twice(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    kind: str,
    what: Callable[[Popen[str], list[Table]], None],
) -> None:
    ledger = f"sqlite:///{tmp_path}/games.db" if kind == "sqlite" else str(request.getfixturevalue("postgres"))
    with served(ledger, "--workers", "2", "--no-bots") as (http, process):
        server, stop = str(http.base_url), Event()
        tables = [Table(server, number, stop) for number in range(TABLES)]
        for table in tables:
            table.start()
        try:
            what(process, tables)
            wait_for_moves(tables, 15)
        finally:
            stop.set()
            for table in tables:
                table.join()
        assert [table.error for table in tables] == [None] * TABLES
        for table in tables:
            must_be_whole(table)


def must_be_whole(table: Table) -> None:
    with table.people[0] as ann, table.people[1]:
        for game, moves in table.moves.items():
            kept = ann.games(player=ann.me().player, limit=500).items
            assert next(one for one in kept if str(one.id) == game).moves == moves
            assert ann.audit(game).good
        assert all(ann.holds(receipt) for receipt in table.receipts)


def test_streams_go_on_while_workers_are_started_again(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/games.db", "--workers", "2", "--no-bots") as (http, process):
        stop = Event()
        table = Table(str(http.base_url), 1, stop)
        with Client(str(http.base_url), patience=60) as watching:
            table.start()
            wait_for_moves([table], 5)
            game = next(iter(table.moves))
            listening = watching.follow(game)
            heard: list[int] = [event.version for event in next(listening).events]
            process.send_signal(signal.SIGHUP)
            wait_for_moves([table], 30)
            stop.set()
            table.join()
            assert table.error is None
            if watching.look(game).outcome is None:
                table.people[0].leave(game)
            for news in listening:
                heard += [event.version for event in news.events]
            assert heard == list(range(1, watching.look(game).version + 1))
        for one in table.people:
            one.close()


SLOW_TO_START = """
import os, pathlib, time
from fairdeal.games import PARDON as KIND

hold = pathlib.Path(os.environ["FAIRDEAL_TEST_HOLD"])
while hold.exists():
    time.sleep(0.02)
hold.with_name(f"{os.getpid()} goes on").touch()
"""


def test_a_worker_is_stopped_only_when_the_one_in_its_place_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = tmp_path / "hold"
    (tmp_path / "slow_to_start.py").write_text(SLOW_TO_START, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("FAIRDEAL_TEST_HOLD", str(hold))
    with served(f"sqlite:///{tmp_path}/games.db", "--workers", "2", "--no-bots", kinds="slow_to_start:KIND") as (
        http,
        process,
    ):
        until(lambda: len(list(tmp_path.glob("* goes on"))) >= 3)  # the server itself and two workers
        before = set(workers_of(process))
        hold.touch()
        try:
            process.send_signal(signal.SIGHUP)
            until(lambda: not set(workers_of(process)) <= before)
            sleep(1)  # whoever stops a worker too soon has done so by now
            assert before < set(workers_of(process))
            assert http.get("/healthz").status_code == 200
        finally:
            hold.unlink()
        until_gone(process, before)
        assert http.get("/healthz").status_code == 200


def test_a_token_is_good_after_the_server_was_stopped_and_started(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/games.db") as (http, process):
        ann = Client.register(str(http.base_url), "Ann", patience=0.5)
        game = ann.open_game("red7").game_id
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with served(f"sqlite:///{tmp_path}/games.db") as (http, _), Client(str(http.base_url), ann.token) as again:
        assert again.look(game).opener == again.me().player
    ann.close()
