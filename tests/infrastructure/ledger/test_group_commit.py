"""Group commit: who waits together is written together, and nobody waits for ever."""

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger import group_commit
from fairdeal.infrastructure.ledger.group_commit import Group, GroupCommit, StillLocked
from kits.waiting import until


class Interruption(BaseException):
    """Something like Ctrl-C."""


class Book:
    """Writes down groups of words; holds still while the gate is shut."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.error: BaseException | None = None
        self.interruptions = 1
        self.is_locked = False
        self.commit: GroupCommit[str, str] = GroupCommit(self.write)

    def submit(self, word: str, seconds: float = 30) -> str:
        return self.commit.submit(word, TimeLimit(seconds))

    def write(self, words: Sequence[str], _: TimeLimit) -> Sequence[str | Exception]:
        self.entered.set()
        self.gate.wait()
        if self.error is not None and self.interruptions:
            self.interruptions -= 1
            raise self.error
        if self.is_locked:
            time.sleep(0.01)
            return [StillLocked() for _ in words]
        self.groups.append(list(words))
        return [ValueError(word) if word == "bad" else word.upper() for word in words]


class PatientBook(Book):
    """Takes in whoever came while the gate was shut."""

    def write(self, words: Sequence[str], _: TimeLimit) -> Sequence[str | Exception]:
        self.entered.set()
        self.gate.wait()
        assert isinstance(words, Group)
        return super().write(words.gather(), _)


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(40) as pool:
        yield pool


def shut_in(book: Book, pool: ThreadPoolExecutor, words: Sequence[str]) -> tuple[Future[str], list[Future[str]]]:
    """One caller who is writing, and others who wait for them."""
    book.gate.clear()
    book.entered.clear()
    first = pool.submit(book.submit, "first")
    assert book.entered.wait(5)
    others: list[Future[str]] = []
    for count, word in enumerate(words, 1):
        others.append(pool.submit(book.submit, word))
        until_waiting(book, count)
    return first, others


def until_waiting(book: Book, count: int) -> None:
    commit = book.commit
    until(lambda: len(commit._waiting) >= count, every=0)  # pyright: ignore[reportPrivateUsage] — nothing else shows who waits


def test_a_lone_caller_writes_at_once(book: Book) -> None:
    assert book.submit("hello") == "HELLO"
    assert book.submit("again") == "AGAIN"
    assert book.groups == [["hello"], ["again"]]


def test_who_has_waited_for_the_right_to_write_takes_in_those_who_came_meanwhile(pool: ThreadPoolExecutor) -> None:
    book = PatientBook()
    first, others = shut_in(book, pool, ["a", "bad", "c"])
    book.gate.set()
    assert first.result(5) == "FIRST"
    assert [others[0].result(5), others[2].result(5)] == ["A", "C"]
    assert isinstance(others[1].exception(5), ValueError)
    assert book.groups == [["first", "a", "bad", "c"]]


def test_those_who_come_while_one_writes_are_written_together(book: Book, pool: ThreadPoolExecutor) -> None:
    first, others = shut_in(book, pool, ["a", "b", "c"])
    book.gate.set()
    assert first.result(5) == "FIRST"
    assert [other.result(5) for other in others] == ["A", "B", "C"]
    assert book.groups == [["first"], ["a", "b", "c"]]


def test_each_learns_what_became_of_their_own(book: Book, pool: ThreadPoolExecutor) -> None:
    _, (good, bad, fine) = shut_in(book, pool, ["good", "bad", "fine"])
    book.gate.set()
    assert good.result(5) == "GOOD"
    assert fine.result(5) == "FINE"
    with pytest.raises(ValueError, match="bad"):
        bad.result(5)


def test_if_the_one_who_writes_is_interrupted_the_others_are_written_all_the_same(
    book: Book, pool: ThreadPoolExecutor
) -> None:
    first, others = shut_in(book, pool, ["a", "b"])
    book.error = Interruption()
    book.interruptions = 2  # of the first one, and of whoever writes after that
    book.gate.set()
    with pytest.raises(Interruption):
        first.result(5)
    told = [other.exception(5) for other in others]
    assert sorted(type(error).__name__ for error in told) == ["Interruption", "NoneType"]
    assert book.submit("later") == "LATER"


def test_who_waits_for_a_locked_database_fails_when_their_own_time_is_over(
    book: Book, pool: ThreadPoolExecutor
) -> None:
    book.is_locked = True
    hasty, patient = pool.submit(book.submit, "hasty", 0.05), pool.submit(book.submit, "patient", 30)
    with pytest.raises(StillLocked):
        hasty.result(5)
    assert not patient.done()
    book.is_locked = False
    assert patient.result(5) == "PATIENT"


def test_who_waits_for_another_who_never_comes_back_fails_when_their_time_is_over(
    book: Book, pool: ThreadPoolExecutor
) -> None:
    shut_in(book, pool, [])
    with pytest.raises(StillLocked):
        book.submit("hasty", 0.05)
    book.gate.set()
    assert book.submit("later") == "LATER"
    assert book.groups == [["first"], ["later"]]


def test_who_is_interrupted_while_waiting_is_not_written_unasked(book: Book, pool: ThreadPoolExecutor) -> None:
    def interrupt(*_: object) -> None:
        raise Interruption

    shut_in(book, pool, [])
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interruption):
            book.submit("mine")
    finally:
        signal.signal(signal.SIGALRM, before)
    book.gate.set()
    assert book.submit("later") == "LATER"
    assert book.groups == [["first"], ["later"]]


def test_who_is_interrupted_when_it_is_their_turn_to_write_hands_over(
    book: Book, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    class RestlessTicket(group_commit.Ticket[str, str]):
        def wait(self) -> None:
            super().wait()
            if self.batch == "restless":
                raise Interruption

    monkeypatch.setattr(group_commit, "Ticket", RestlessTicket)
    _, (restless, patient) = shut_in(book, pool, ["restless", "patient"])
    book.gate.set()
    with pytest.raises(Interruption):
        restless.result(5)
    assert patient.result(5) == "PATIENT"
    assert book.groups == [["first"], ["patient"]]


def test_many_callers_all_get_their_answers(book: Book, pool: ThreadPoolExecutor) -> None:
    words = [f"word{number}" for number in range(2000)]
    assert list(pool.map(book.submit, words)) == [word.upper() for word in words]
    assert sorted(word for group in book.groups for word in group) == sorted(words)
