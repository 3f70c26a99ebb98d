"""Threads for calls that are awaited: answers come back to the event loop together, not one by one."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")
_Job = tuple[Callable[[], Any], "asyncio.Future[Any]", "_Answers"]


class CallPool:
    """A bounded number of threads, started when they are needed.

    An executor of the standard library wakes the loop for every answer and makes a lock for every call, which takes a
    third of the throughput of many short calls. Here threads leave their answers in one place, and the loop is woken
    once for all that are there.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._most = threads
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._idle: deque[None] = deque()
        """One for each thread that waits, as long as more may be started."""
        self._answers: _Answers | None = None

    def run(self, call: Callable[[], T]) -> "asyncio.Future[T]":
        """To be called and awaited in a loop; a call whose caller gives up goes on."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        answers = self._answers
        if answers is None or answers.loop is not loop:
            answers = self._answers = _Answers(loop)
        if len(self._threads) < self._most:
            self._see_to_a_thread()
        self._jobs.put((call, future, answers))
        return future

    def _see_to_a_thread(self) -> None:
        """One that is idle is taken for the next call; where there is none, another one starts."""
        with self._lock:
            if self._idle:
                self._idle.pop()
            elif len(self._threads) < self._most:
                thread = Thread(target=self._work, name=f"{self._name}_{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            call, future, answers = job
            try:
                result, error = call(), None
            except BaseException as raised:
                result, error = None, raised
            if len(self._threads) < self._most:
                self._idle.append(None)
            answers.put(future, result, error)
            del job, call, future, answers, result, error  # nothing is kept alive while it waits for the next

    def shutdown(self) -> None:
        """Waits for all that was asked for; nothing may be asked for later."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()


class _Answers:
    """Answers on their way to one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._there: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._is_called = False

    def put(self, future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
        self._there.append((future, result, error))
        # Set and read without a lock: called once too often is harmless, and `_deliver` clears it before it looks.
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._is_called = False
        while self._there:
            future, result, error = self._there.popleft()
            if future.done():
                continue  # who asked has given up
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
