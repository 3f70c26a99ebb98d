"""Commands that are awaited: gathered by the event loop, and those that are there together stored together."""

import asyncio
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from contextvars import copy_context
from time import monotonic
from typing import Any, TypeVar

from fairdeal.application.commands.handlers import Answer, Outcome, Sent
from fairdeal.infrastructure.call_pool import Answers, AwaitedPool, call_all

T = TypeVar("T")
Steps = Generator[Sent, Answer, T]
"""What is done with commands: it gives one, gets its answer, perhaps gives another one, and ends with a result."""
Done = Callable[[int, Outcome], object]
Handle = Callable[[Sequence[Sent], Done], Sequence[tuple[int, Sent]]]
"""Says of each what came of it; answers with those that it leaves over, and their numbers."""
MOST_TOGETHER = 64
QUIET_TURNS = 3
"""An answer takes one turn until it is sent, and what comes next takes one until it is read, and one until it asks."""
MOST_SECONDS = 0.002
"""So long those who have asked wait for others, whatever the loop does."""


class Job:
    """What somebody does with commands, and waits for."""

    __slots__ = ("answers", "context", "future", "is_at_hand", "sent", "steps")

    def __init__(self, steps: Steps[Any], future: "asyncio.Future[Any]", answers: Answers, *, is_at_hand: bool) -> None:
        self.steps = steps
        self.context = copy_context()
        self.future = future
        self.answers = answers
        self.is_at_hand = is_at_hand
        """Whether it comes to its command, and from there to its end, without waiting for anything else."""
        self.sent: Sent | None = None
        """The command that is next, if it has come to that."""

    def go_on(self, outcome: Outcome | None) -> bool:
        """To the next command; False if there is none, and then the result is on its way."""
        self.sent = None
        try:
            if isinstance(outcome, Exception):
                self.sent = self.context.run(self.steps.throw, outcome)
            else:
                self.sent = self.context.run(self.steps.send, outcome)  # type: ignore[arg-type] # None begins
        except StopIteration as end:
            self.answers.put(self.future, end.value, None)
        except BaseException as error:
            self.answers.put(self.future, None, error)
        return self.sent is not None


class CommandPool(AwaitedPool[Job]):
    """As calls on a `CallPool`, but for commands, which wait for a disk: one thread takes all that are there.

    A transaction costs more than the commands in it. So after one that has stored several, or to which others came
    meanwhile, commands are gathered for some turns of the loop: those who were answered may ask again. Whoever is alone
    waits for nobody. To wake a thread, and to be woken by it, costs as much as several commands. So a loop that nobody
    else uses does by itself what waits for nothing but a quick disk.
    """

    def __init__(self, handle_all: Handle, threads: int, name: str, *, handle_at_once: Handle | None = None) -> None:
        """`handle_at_once` is for a loop of our own."""
        super().__init__(threads, name)
        self._handle_all = handle_all
        self._handle_at_once = handle_at_once
        self._was_alone = True
        self._due = 0
        """So many threads have ended while commands waited: as many may take those up, even if others are held up."""
        self._is_closing = False

    def send(self, steps: Steps[T], *, is_at_hand: bool = False) -> "asyncio.Future[T]":
        """To be called and awaited in a loop; what was begun goes on, also when its caller gives up.

        `is_at_hand` says that it waits for nothing but its command.
        """
        future, answers = self._future()
        self._add(Job(steps, future, answers, is_at_hand=is_at_hand), answers)
        return future

    def shutdown(self) -> None:
        self._is_closing = True
        super().shutdown()

    # -- in the loop ---------------------------------------------------------------------------------------------------

    def _wake_for(self, answers: Answers) -> None:
        if self._awake and self._handle_at_once is None:
            answers.will_wake = False  # whoever is awake says so when they are done
        else:
            self._gather(answers)

    def _gather(self, answers: Answers) -> None:
        answers.will_wake = True
        if self._was_alone:
            self._begin(answers)
        else:
            self._wait_for_others(answers, -1, 0, monotonic() + MOST_SECONDS)

    def _wait_for_others(self, answers: Answers, asked: int, quiet: int, until: float) -> None:
        """Turn after turn, until nobody else asks any more, or for so long."""
        quiet = quiet + 1 if asked == self._asked else 0
        if quiet == QUIET_TURNS or len(self._jobs) >= MOST_TOGETHER or monotonic() > until:
            self._begin(answers)
        else:
            answers.loop.call_soon(self._wait_for_others, answers, self._asked, quiet, until)

    def _begin(self, answers: Answers) -> None:
        answers.will_wake = False
        if self._handle_at_once is not None:
            self._do_at_once(answers, self._handle_at_once)
        with self._lock:
            if self._jobs and (self._due or not self._awake):
                self._wake_one()
            self._due = max(0, self._due - 1) if self._jobs else 0

    def _do_at_once(self, answers: Answers, handle_at_once: Handle) -> None:
        with self._lock:
            jobs = [job for job in self._jobs if job.is_at_hand and job.answers is answers][:MOST_TOGETHER]
            for job in jobs:
                self._jobs.remove(job)
        if not jobs:
            return
        self._was_alone = len(jobs) == 1 and not self._jobs
        left_over = self._handled([job for job in jobs if job.go_on(None)], handle_at_once)
        for job in left_over:
            job.is_at_hand = False
        with self._lock:
            self._taken += len(jobs) - len(left_over)
            self._jobs.extendleft(reversed(left_over))
        answers.deliver()

    # -- in a thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while jobs := self._take(MOST_TOGETHER):
            begun = [job for job in jobs if job.sent is not None or job.go_on(None)]
            while begun:
                begun = self._handled(begun, self._handle_all)
            with self._lock:
                waiting = {job.answers for job in self._jobs}
                self._was_alone = len(jobs) == 1 and not waiting
                ends = not self._is_closing
                self._awake -= ends
                self._due += bool(waiting)
            call_all({job.answers for job in jobs})
            if ends:
                self._tell(waiting)
                return

    def _tell(self, waiting: Iterable[Answers]) -> None:
        """The loops of those who came meanwhile: it is their turn."""
        for answers in waiting:
            with suppress(RuntimeError):  # it is closed, so nobody waits any more
                answers.loop.call_soon_threadsafe(self._gather_after, answers)

    def _gather_after(self, answers: Answers) -> None:
        if not answers.will_wake:
            self._gather(answers)

    # -- in either -----------------------------------------------------------------------------------------------------

    def _handled(self, jobs: Sequence[Job], handle: Handle) -> list[Job]:
        """Does the commands that are next; answers with those jobs that have another one, or whose is left over."""
        under_way = dict(enumerate(jobs))
        again: list[Job] = []

        def done(number: int, outcome: Outcome) -> None:
            job = under_way.pop(number)
            if job.go_on(outcome):
                again.append(job)
            elif isinstance(outcome, Exception):
                job.answers.call()  # nothing was stored for it, so it need not wait until the others are

        sent = [job.sent for job in jobs if job.sent is not None]
        try:
            for number, left_over in handle(sent, done):
                job = under_way.pop(number)
                job.sent = left_over
                again.append(job)
        except BaseException as error:
            for job in under_way.values():
                job.steps.close()
                job.answers.put(job.future, None, error)
        return again
