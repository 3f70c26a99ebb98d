"""Combining: one does what all want who come at the same time; nobody waits for ever, nothing is done unasked."""

import signal
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from multiprocessing import get_context
from threading import Event, Lock
from typing import Any

import pytest

from fairdeal.application.commands.combining import MOST_TOGETHER, Combining, Task, run
from fairdeal.application.errors import LedgerUnavailable
from fairdeal.application.time_limit import TimeLimit
from kits.compiled import plain_python_only
from kits.waiting import until

CALLER = ContextVar("CALLER", default="nobody")


class Interruption(BaseException):
    """Something like Ctrl-C."""


class Office:
    """Writes down words, in groups; whoever writes waits at the gate first, and again at each word that is stuck."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.gate = Event()
        self.gate.set()
        self.entered = Event()
        self.stuck: dict[str, Event] = {}
        self.error: BaseException | None = None
        self.callers: dict[str, str] = {}
        self.combining = Combining[str, str](self.write_one, self.write_all)

    def submit(self, word: str, seconds: float = 30) -> str | None:
        return self.combining.do(word, word[0], TimeLimit(seconds))

    def write_one(self, word: str, here: Lock) -> str | None:
        outcomes: list[str | Exception | None] = []
        self.write_all([(word, outcomes.append, run)], here, lambda: bool(outcomes))
        (outcome,) = outcomes
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def write_all(self, tasks: Iterable[Task[str, str]], _: Lock, __: Callable[[], bool]) -> None:
        self.entered.set()
        assert self.gate.wait(30)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        begun: list[Task[str, str]] = []
        for word, tell, run_as_they in tasks:
            if word in self.stuck:
                assert self.stuck[word].wait(30)
            self.callers[word] = run_as_they(CALLER.get)
            begun.append((word, tell, run_as_they))
        self.groups.append([task[0] for task in begun])
        for word, tell, _run in begun:
            tell(ValueError(word) if "bad" in word else None if "alone" in word else word.upper())


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.fixture
def pool() -> Generator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(40) as pool:
        yield pool


def shut_in(office: Office, pool: ThreadPoolExecutor, *words: str) -> tuple[Future[Any], list[Future[Any]]]:
    """One caller who leads, and others who wait for them, in this order."""
    office.gate.clear()
    office.entered.clear()
    first = pool.submit(office.submit, "1st")
    assert office.entered.wait(5)
    others: list[Future[Any]] = []
    for count, word in enumerate(words, 1):
        others.append(pool.submit(office.submit, word))
        until_waiting(office, count)
    return first, others


def until_waiting(office: Office, count: int) -> None:
    waiting = office.combining._waiting  # pyright: ignore[reportPrivateUsage] — nothing else shows who waits
    until(lambda: len(waiting) >= count, every=0)


@pytest.fixture
def nobody_is_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is: nobody takes the lead over."""
    monkeypatch.setattr("fairdeal.application.commands.combining.HELD_UP_SECONDS", 30)


def test_a_lone_caller_does_it_at_once(office: Office) -> None:
    assert [office.submit("hello"), office.submit("again")] == ["HELLO", "AGAIN"]
    assert office.groups == [["hello"], ["again"]]
    with pytest.raises(ValueError, match="bad"):
        office.submit("bad")
    assert office.submit("alone") is None


@pytest.mark.usefixtures("nobody_is_held_up")
def test_those_who_come_while_one_leads_are_done_together_and_each_gets_their_own(
    office: Office, pool: ThreadPoolExecutor
) -> None:
    first, others = shut_in(office, pool, "one", "bad", "alone", "two")
    office.gate.set()
    assert first.result(5) == "1ST"
    assert [others[0].result(5), others[2].result(5), others[3].result(5)] == ["ONE", None, "TWO"]
    assert isinstance(others[1].exception(5), ValueError)
    assert office.groups == [["1st"], ["one", "bad", "alone", "two"]]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_what_is_about_the_same_is_done_one_after_the_other(office: Office, pool: ThreadPoolExecutor) -> None:
    _, others = shut_in(office, pool, "a1", "a2", "b1", "a3")
    office.gate.set()
    assert [other.result(5) for other in others] == ["A1", "A2", "B1", "A3"]
    assert all(len({word[0] for word in group}) == len(group) for group in office.groups)
    assert [word for group in office.groups for word in group if word[0] == "a"] == ["a1", "a2", "a3"]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_no_group_is_larger_than_it_may_be(office: Office) -> None:
    words = [f"{chr(0x4E00 + number)}" for number in range(2 * MOST_TOGETHER)]
    with ThreadPoolExecutor(len(words) + 1) as pool:
        _, others = shut_in(office, pool, *words)
        office.gate.set()
        assert [other.result(5) for other in others] == words
    assert max(map(len, office.groups)) == MOST_TOGETHER + 1


def test_nobody_waits_for_a_leader_who_is_stuck(office: Office, pool: ThreadPoolExecutor) -> None:
    office.stuck["slow"] = Event()
    slow = pool.submit(office.submit, "slow")
    assert office.entered.wait(5)
    assert [office.submit(word) for word in ("one", "two")] == ["ONE", "TWO"]
    assert not slow.done()
    office.stuck["slow"].set()
    assert slow.result(5) == "SLOW"
    assert office.submit("later") == "LATER"


@pytest.mark.usefixtures("nobody_is_held_up")
def test_who_was_not_begun_when_the_time_is_over_is_done_alone_and_by_nobody_else(
    office: Office, pool: ThreadPoolExecutor
) -> None:
    first, _ = shut_in(office, pool)
    assert office.submit("hasty", 0.05) is None
    office.gate.set()
    assert first.result(5) == "1ST"
    assert office.submit("later") == "LATER"
    assert office.groups == [["1st"], ["later"]]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_who_was_begun_when_the_time_is_over_is_told_so_and_the_others_are_woken(
    office: Office, pool: ThreadPoolExecutor
) -> None:
    office.stuck["two"] = Event()
    _, (one,) = shut_in(office, pool, "one")
    hasty = pool.submit(office.submit, "hasty", 0.5)
    until_waiting(office, 2)
    two = pool.submit(office.submit, "two")
    until_waiting(office, 3)
    three = pool.submit(office.submit, "+three")
    until_waiting(office, 4)
    office.gate.set()
    with pytest.raises(LedgerUnavailable):
        hasty.result(5)
    assert not one.done()
    office.stuck["two"].set()
    assert [one.result(5), two.result(5), three.result(5)] == ["ONE", "TWO", "+THREE"]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_if_whoever_leads_is_interrupted_the_others_are_done_all_the_same(
    office: Office, pool: ThreadPoolExecutor
) -> None:
    first, others = shut_in(office, pool, "one", "two")
    office.error = Interruption()
    office.gate.set()
    with pytest.raises(Interruption):
        first.result(5)
    assert [other.result(5) for other in others] == ["ONE", "TWO"]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_who_was_begun_by_somebody_who_is_interrupted_does_it_alone(office: Office, pool: ThreadPoolExecutor) -> None:
    first, (one, two) = shut_in(office, pool, "one", "two")
    tell = office.write_all

    def interrupted(tasks: Iterable[Task[str, str]], _: Lock, __: Callable[[], bool]) -> None:
        assert [word for word, _, _ in tasks] == ["one", "two"]
        raise Interruption

    office.combining._do_all = interrupted  # pyright: ignore[reportPrivateUsage] — the one who leads is interrupted
    office.gate.set()
    assert first.result(5) == "1ST"
    with pytest.raises(Interruption):
        one.result(5)
    assert two.result(5) is None
    office.combining._do_all = tell  # pyright: ignore[reportPrivateUsage]
    assert office.submit("later") == "LATER"


@plain_python_only
def test_an_interrupt_where_the_others_would_be_woken_keeps_nobody_waiting_for_ever(
    office: Office, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal.application.commands.combining.HELD_UP_SECONDS", 1)
    _, (one, two, three) = shut_in(office, pool, "one", "two", "three")
    leave, interruptions = Combining[str, str]._leave, [Interruption()]  # pyright: ignore[reportPrivateUsage]

    def interrupted(combining: Combining[str, str], here: Lock, group: Any) -> None:
        if group and interruptions:
            raise interruptions.pop()
        leave(combining, here, group)

    monkeypatch.setattr(Combining, "_leave", interrupted)
    office.gate.set()
    told = [other.exception(5) for other in (one, two, three)]
    assert sorted(type(error).__name__ for error in told) == ["Interruption", "NoneType", "NoneType"]
    assert office.submit("later") == "LATER"


@pytest.mark.usefixtures("nobody_is_held_up")
def test_who_is_interrupted_while_waiting_is_not_done_unasked(office: Office, pool: ThreadPoolExecutor) -> None:
    def interrupt(*_: object) -> None:
        raise Interruption

    first, (other,) = shut_in(office, pool, "other")
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interruption):
            office.submit("mine")
    finally:
        signal.signal(signal.SIGALRM, before)
    office.gate.set()
    assert [first.result(5), other.result(5)] == ["1ST", "OTHER"]
    assert office.submit("later") == "LATER"
    assert sorted(word for group in office.groups for word in group) == ["1st", "later", "other"]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_each_is_done_in_the_context_of_who_wants_it(office: Office, pool: ThreadPoolExecutor) -> None:
    office.gate.clear()
    first = pool.submit(in_context_of, "ann", office, "1st")
    assert office.entered.wait(5)
    others = [pool.submit(in_context_of, name, office, word) for name, word in (("bob", "one"), ("cy", "two"))]
    until_waiting(office, 2)
    office.gate.set()
    assert [first.result(5), *(other.result(5) for other in others)] == ["1ST", "ONE", "TWO"]
    assert office.callers == {"1st": "ann", "one": "bob", "two": "cy"}


def in_context_of(name: str, office: Office, word: str) -> str | None:
    def submit() -> str | None:
        CALLER.set(name)
        return office.submit(word)

    return copy_context().run(submit)


@pytest.mark.usefixtures("nobody_is_held_up")
def test_many_of_one_caller_take_along_those_who_wait_for_them(office: Office, pool: ThreadPoolExecutor) -> None:
    office.gate.clear()
    told: list[Any] = []
    many = pool.submit(office.combining.do_all, tasks(told, "x", "y"))
    assert office.entered.wait(5)
    one = pool.submit(office.submit, "one")
    until_waiting(office, 1)
    office.gate.set()
    many.result(5)
    assert (told, one.result(5)) == (["X", "Y"], "ONE")
    assert office.groups == [["x", "y", "one"]]


@pytest.mark.usefixtures("nobody_is_held_up")
def test_many_of_one_caller_wait_for_nobody_who_leads(office: Office, pool: ThreadPoolExecutor) -> None:
    office.stuck["slow"] = Event()
    slow = pool.submit(office.submit, "slow")
    assert office.entered.wait(5)
    told: list[Any] = []
    office.combining.do_all(tasks(told, "x", "y"))
    assert told == ["X", "Y"]
    assert not slow.done()
    office.stuck["slow"].set()
    assert slow.result(5) == "SLOW"


def tasks(told: list[Any], *words: str) -> list[Task[str, str]]:
    return [(word, told.append, run) for word in words]


def test_many_callers_all_get_their_answers(office: Office, pool: ThreadPoolExecutor) -> None:
    words = [f"{number % 7}{'bad' if number % 11 == 0 else 'word'}{number}" for number in range(3000)]
    outcomes = [future.exception(30) or future.result() for future in [pool.submit(office.submit, w) for w in words]]
    told = [str(one) if isinstance(one, ValueError) else one for one in outcomes]
    assert told == [word if "bad" in word else word.upper() for word in words]
    assert sorted(word for group in office.groups for word in group) == sorted(words)


def test_a_child_that_was_forked_while_somebody_led_is_told_so(office: Office) -> None:
    combining_lock = office.combining._lock  # pyright: ignore[reportPrivateUsage]

    def child() -> None:
        with pytest.raises(LedgerUnavailable):
            office.submit("mine")
        with pytest.raises(LedgerUnavailable):
            office.combining.do_all([])

    with combining_lock:
        process = get_context("fork").Process(target=child)
        process.start()
    process.join(30)
    assert process.exitcode == 0
