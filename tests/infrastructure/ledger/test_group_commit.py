"""Group commit: who waits together is written together, and nobody waits for ever."""

import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from fairdeal.infrastructure.ledger import group_commit
from fairdeal.infrastructure.ledger.group_commit import GroupCommit


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
        self.commit: GroupCommit[str, str] = GroupCommit(self.write)

    def write(self, words: Sequence[str]) -> Sequence[str | Exception]:
        self.entered.set()
        self.gate.wait()
        if self.error is not None:
            raise self.error
        self.groups.append(list(words))
        return [ValueError(word) if word == "bad" else word.upper() for word in words]


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(40) as pool:
        yield pool


def shut_in(book: Book, pool: ThreadPoolExecutor, words: Sequence[str]) -> tuple[Future[str], list[Future[str]]]:
    """One caller who is writing, and others who wait for him."""
    book.gate.clear()
    book.entered.clear()
    first = pool.submit(book.commit.submit, "first")
    assert book.entered.wait(5)
    others: list[Future[str]] = []
    for count, word in enumerate(words, 1):
        others.append(pool.submit(book.commit.submit, word))
        until_waiting(book, count)
    return first, others


def until_waiting(book: Book, count: int) -> None:
    while len(book.commit._waiting) < count:  # pyright: ignore[reportPrivateUsage] — nothing else shows who waits
        pass


def test_a_lone_caller_writes_at_once(book: Book) -> None:
    assert book.commit.submit("hello") == "HELLO"
    assert book.commit.submit("again") == "AGAIN"
    assert book.groups == [["hello"], ["again"]]


def test_those_who_come_while_one_writes_are_written_together(book: Book, pool: ThreadPoolExecutor) -> None:
    first, others = shut_in(book, pool, ["a", "b", "c"])
    book.gate.set()
    assert first.result(5) == "FIRST"
    assert [other.result(5) for other in others] == ["A", "B", "C"]
    assert book.groups == [["first"], ["a", "b", "c"]]


def test_each_learns_what_became_of_his_own(book: Book, pool: ThreadPoolExecutor) -> None:
    _, (good, bad, fine) = shut_in(book, pool, ["good", "bad", "fine"])
    book.gate.set()
    assert good.result(5) == "GOOD"
    assert fine.result(5) == "FINE"
    with pytest.raises(ValueError, match="bad"):
        bad.result(5)


def test_if_the_one_who_writes_is_interrupted_the_others_are_told_and_it_goes_on(
    book: Book, pool: ThreadPoolExecutor
) -> None:
    first, others = shut_in(book, pool, ["a", "b"])
    book.error = Interruption()
    book.gate.set()
    with pytest.raises(Interruption):
        first.result(5)
    told = [type(other.exception(5)) for other in others]
    # One of the others wrote for both, and was interrupted too.
    assert sorted(cls.__name__ for cls in told) == ["Interruption", "OperationalError"]
    book.error = None
    assert book.commit.submit("later") == "LATER"


def test_who_is_interrupted_while_waiting_is_not_written_behind_his_back(book: Book, pool: ThreadPoolExecutor) -> None:
    def interrupt(*_: object) -> None:
        raise Interruption

    shut_in(book, pool, [])
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interruption):
            book.commit.submit("mine")
    finally:
        signal.signal(signal.SIGALRM, before)
    book.gate.set()
    assert book.commit.submit("later") == "LATER"
    assert book.groups == [["first"], ["later"]]


def test_who_is_interrupted_when_it_is_his_turn_to_write_hands_over(
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
    assert list(pool.map(book.commit.submit, words)) == [word.upper() for word in words]
    assert sorted(word for group in book.groups for word in group) == sorted(words)
