"""Threads for commands that are awaited: those that wait together are stored by one transaction."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextvars import Context, copy_context
from typing import Any, TypeVar

from fairdeal.application.commands.handlers import Answer, Outcome, Sent
from fairdeal.infrastructure.call_pool import Answers, AwaitedPool, call_all
from fairdeal.infrastructure.quiet_turns import QuietTurns

T = TypeVar("T")
Steps = Generator[Sent, Answer, T]
"""What is done with commands: it gives one, gets its answer, perhaps gives another one, and ends with a result."""
HandleAll = Callable[[Sequence[Sent], Callable[[int, Outcome], object]], object]
MOST_TOGETHER = 64
_Job = tuple[Steps[Any], Context, "asyncio.Future[Any]", Answers]


class CommandPool(AwaitedPool[_Job]):
    """As calls on a `CallPool`, but for commands, which wait for a disk: one thread takes all that are there.

    Threads that each wait for their own command to be stored wake each other once for every command. And a transaction
    costs more than the commands in it. So a thread that has answered several, or to which others came meanwhile, lets
    the loop read first what is on its way: those who were answered may ask again. Whoever is alone waits for nobody.
    """

    def __init__(self, handle_all: HandleAll, threads: int, name: str) -> None:
        super().__init__(threads, name)
        self._handle_all = handle_all

    def send(self, steps: Steps[T]) -> "asyncio.Future[T]":
        """To be called and awaited in a loop; what was begun goes on, also when its caller gives up."""
        future, answers = self._future()
        self._add((steps, copy_context(), future, answers), answers)
        return future

    def _work(self) -> None:
        while jobs := self._take(MOST_TOGETHER):
            self._go_on_with(jobs)
            is_alone = len(jobs) == 1 and not self._jobs
            asking = {answers for *_, answers in jobs}
            call_all(asking)
            if not is_alone and len(self._jobs) < MOST_TOGETHER:
                QuietTurns(asking.pop().loop, lambda: self._asked).wait()

    def _go_on_with(self, jobs: Sequence[_Job]) -> None:
        begun = [(job, sent) for job in jobs if (sent := _next(job, None)) is not None]
        while begun:
            under_way = dict(enumerate(job for job, _ in begun))
            again: list[tuple[_Job, Sent]] = []

            def done(number: int, outcome: Outcome, under_way: Any = under_way, again: Any = again) -> None:
                job: _Job = under_way.pop(number)
                sent = _next(job, outcome)
                if sent is not None:
                    again.append((job, sent))
                elif isinstance(outcome, Exception):
                    job[-1].call()  # nothing was stored for it, so it need not wait until the others are

            try:
                self._handle_all([sent for _, sent in begun], done)
            except BaseException as error:
                for steps, _, future, answers in under_way.values():
                    steps.close()
                    answers.put(future, None, error)
            begun = again


def _next(job: _Job, outcome: Outcome | None) -> Sent | None:
    """The next command; None if there is none, and then the result is on its way."""
    steps, context, future, answers = job
    try:
        if isinstance(outcome, Exception):
            return context.run(steps.throw, outcome)
        return context.run(steps.send, outcome)  # type: ignore[arg-type] # None begins
    except StopIteration as end:
        answers.put(future, end.value, None)
    except BaseException as error:
        answers.put(future, None, error)
    return None
