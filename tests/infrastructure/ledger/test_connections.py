"""Connections are shared, never used by two at once, and never closed under somebody's hands."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from eventsourcing.persistence import ConnectionPoolClosedError

from fairdeal.infrastructure.ledger import connections
from fairdeal.infrastructure.ledger.connections import ConnectionPool
from kits.waiting import until


class Line:
    """A connection that remembers what became of it."""

    def __init__(self) -> None:
        self.is_closed = False
        self.is_sound = True

    def close(self) -> None:
        self.is_closed = True


class Exchange:
    """Makes connections, unless it is out of order."""

    def __init__(self, most: int = 3) -> None:
        self.lines: list[Line] = []
        self.is_broken = False
        self.pool: ConnectionPool[Line] = ConnectionPool(self.connect, lambda line: line.is_sound, most=most)

    def connect(self) -> Line:
        if self.is_broken:
            raise ConnectionError
        self.lines.append(Line())
        return self.lines[-1]


def test_one_after_the_other_uses_the_same_connection() -> None:
    exchange = Exchange()
    for _ in range(5):
        with exchange.pool.connection():
            pass
    assert len(exchange.lines) == 1


def test_there_are_never_more_than_allowed_and_nobody_shares_one() -> None:
    exchange = Exchange(most=3)
    in_use: set[int] = set()
    lock = threading.Lock()

    def call(_: int) -> None:
        with exchange.pool.connection() as line:
            with lock:
                assert id(line) not in in_use
                in_use.add(id(line))
                assert len(in_use) <= 3
            with lock:
                in_use.remove(id(line))

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(call, range(500)))
    assert len(exchange.lines) <= 3


def test_one_that_is_not_sound_any_more_is_closed_and_replaced() -> None:
    exchange = Exchange()
    with exchange.pool.connection() as line:
        line.is_sound = False
    assert line.is_closed
    with exchange.pool.connection() as another:
        assert another is not line


def test_closing_leaves_those_in_use_alone_until_they_are_put_back() -> None:
    exchange = Exchange()
    with exchange.pool.connection() as busy:
        with exchange.pool.connection() as idle:
            pass
        exchange.pool.close()
        assert idle.is_closed
        assert not busy.is_closed
    assert busy.is_closed
    with pytest.raises(ConnectionPoolClosedError), exchange.pool.connection():
        pass


def test_who_cannot_connect_takes_nobodys_place() -> None:
    exchange = Exchange(most=1)
    exchange.is_broken = True
    for _ in range(3):
        with pytest.raises(ConnectionError), exchange.pool.connection():
            pass
    exchange.is_broken = False
    with exchange.pool.connection():
        pass


def test_short_work_is_done_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HELD_UP_SECONDS", 60)
    exchange = Exchange(most=3)
    at_work: list[Line] = []

    def work(line: Line) -> int:
        at_work.append(line)
        assert at_work == [line]
        time.sleep(0.0002)
        at_work.remove(line)
        return 7

    def call(_: int) -> int:
        return exchange.pool.use_in_turn(work)

    with ThreadPoolExecutor(10) as pool:
        assert set(pool.map(call, range(100))) == {7}
    assert len(exchange.lines) == 1


def test_nobody_waits_for_somebody_elses_long_work() -> None:
    exchange = Exchange(most=2)
    release = threading.Event()

    def wait(_: Line) -> bool:
        return release.wait(30)

    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(exchange.pool.use_in_turn, wait)
        until(lambda: exchange.lines)
        assert exchange.pool.use_in_turn(lambda line: line) is not exchange.lines[0]
        assert exchange.pool.use(lambda line: line) is not exchange.lines[0]
        release.set()
        assert long.result()


def test_whatever_goes_wrong_the_turn_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HELD_UP_SECONDS", 60)
    exchange = Exchange(most=1)

    def fail(_: Line) -> None:
        raise KeyError

    for _ in range(3):
        with pytest.raises(KeyError):
            exchange.pool.use_in_turn(fail)
    exchange.is_broken = True
    exchange.lines.pop().is_sound = False
    exchange.pool.use_in_turn(lambda line: line)
    with pytest.raises(ConnectionError):
        exchange.pool.use_in_turn(lambda line: line)
    exchange.is_broken = False
    exchange.pool.use_in_turn(lambda line: line)
