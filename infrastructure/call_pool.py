"""Threads for calls that are awaited: as few as are enough, and their answers come back to the event loop together."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")
JobT = TypeVar("JobT")
HELD_UP_SECONDS = 0.003
"""When something still waits that waited so long ago, one more thread takes part."""


class AwaitedPool(ABC, Generic[JobT]):
    """A bounded number of threads, of which no more are awake than are needed.

    To wake each other, and to wait for Python's lock, takes threads longer than most calls. So one of them does all
    that waits, and the loop is woken once for all of the answers. Only if something is held up, by a disk, a database
    or a long call before it, more threads take part.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._most = threads
        self._name = name
        self._lock = Lock()
        self._jobs: deque[JobT] = deque()
        self._asked = 0
        self._taken = 0
        """Jobs that were asked for, and those that were taken up."""
        self._wakeups: SimpleQueue[bool] = SimpleQueue()
        """True for a thread that shall work, False for one that shall end."""
        self._awake = 0
        self._threads: list[Thread] = []
        self._answers: dict[asyncio.AbstractEventLoop, Answers] = {}

    def _future(self) -> "tuple[asyncio.Future[Any], Answers]":
        loop = asyncio.get_running_loop()
        answers = self._answers.get(loop)
        if answers is None:
            answers = Answers(loop)
            with self._lock:
                others = {other: its for other, its in self._answers.items() if not other.is_closed()}
                self._answers = {**others, loop: answers}
        return loop.create_future(), answers

    def _add(self, job: JobT, answers: "Answers") -> None:
        with self._lock:
            self._jobs.append(job)
            self._asked += 1
        if not answers.will_wake:
            # When the loop has seen to all who ask just now: a thread that woke for the first of them would leave
            # the others for later, and take Python's lock from the loop in between.
            answers.will_wake = True
            answers.loop.call_soon(self._wake_for, answers)
        if not answers.is_watched:
            answers.is_watched = True
            answers.loop.call_later(HELD_UP_SECONDS, self._watch, answers, self._asked)

    def _wake_for(self, answers: "Answers") -> None:
        answers.will_wake = False
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            if self._jobs and not self._awake:
                self._wake_one()

    def _wake_one(self) -> None:
        self._awake += 1
        if self._awake > len(self._threads):
            thread = Thread(target=self._live, name=f"{self._name}_{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._wakeups.put(True)

    def _watch(self, answers: "Answers", asked_before: int) -> None:
        """In the loop, as long as there is work: sees to it that nobody waits for somebody else's long call."""
        with self._lock:
            if self._jobs and self._taken < asked_before and self._awake < self._most:
                self._wake_one()
            answers.is_watched = self._awake > 0 or bool(self._jobs)
        answers.deliver()
        if answers.is_watched:
            answers.loop.call_later(HELD_UP_SECONDS, self._watch, answers, self._asked)

    def _live(self) -> None:
        while self._wakeups.get():
            self._work()

    @abstractmethod
    def _work(self) -> None:
        """Takes jobs until there are no more."""

    def _take(self, most: int = 1) -> list[JobT]:
        """Those that have waited longest; if there are none, this thread counts as asleep from now on."""
        with self._lock:
            jobs = [self._jobs.popleft() for _ in range(min(most, len(self._jobs)))]
            self._taken += len(jobs)
            if not jobs:
                self._awake -= 1
            return jobs

    def shutdown(self) -> None:
        """Waits for all that was asked for; nothing may be asked for later."""
        self._wake()
        for _ in self._threads:
            self._wakeups.put(False)
        for thread in self._threads:
            thread.join()


class CallPool(AwaitedPool["tuple[Callable[[], Any], asyncio.Future[Any], Answers]"]):
    """Calls that are done one by one."""

    def run(self, call: Callable[[], T]) -> "asyncio.Future[T]":
        """To be called and awaited in a loop; a call whose caller gives up goes on."""
        future, answers = self._future()
        self._add((call, future, answers), answers)
        return future

    def _work(self) -> None:
        untold = set[Answers]()
        while jobs := self._take():
            ((call, future, answers),) = jobs
            try:
                result, error = call(), None
            except BaseException as raised:
                result, error = None, raised
            answers.put(future, result, error)
            untold.add(answers)
            if not self._jobs:
                call_all(untold)
                untold.clear()
            del jobs, call, future, answers, result, error  # nothing is kept alive while it waits for the next
        call_all(untold)  # somebody else has taken what came after it


class Answers:
    """Answers on their way to one loop, and what a pool has that loop do."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.will_wake = False
        self.is_watched = False
        """Whether the loop wakes a thread at the end of its turn, and looks whether somebody is held up: its own."""
        self._there: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._is_called = False

    def put(self, future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
        self._there.append((future, result, error))

    def call(self) -> None:
        """Has what is there delivered."""
        # Set and read without a lock: called once too often is harmless, and `deliver` clears it before it looks.
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
                self.loop.call_soon_threadsafe(self.deliver)

    def deliver(self) -> None:
        self._is_called = False
        while self._there:
            future, result, error = self._there.popleft()
            if future.done():
                continue  # who asked has given up
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


def call_all(several: Iterable[Answers]) -> None:
    for answers in several:
        answers.call()
