"""Of the threads that come at the same time, one does what all of them want, and each gets its own answer.

Whoever finds nobody leading leads at once, and hands nothing to anybody. Who comes meanwhile leaves in a list what they
want, and waits. Whoever leads takes it from there, does it together with their own, and leaves the lead to one of those
who came later. Interrupts are borne as by `InterruptSafeSemaphore`: everybody holds a lock of their own by `with` for
as long as they are here. Whoever is interrupted while leading leaves what is not done to those who wait for it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextvars import copy_context
from itertools import chain
from threading import Lock
from typing import Any, Generic, TypeVar

from fairdeal.application.errors import LedgerUnavailable
from fairdeal.application.lead import Lead
from fairdeal.application.one_process import OneProcess
from fairdeal.application.semaphore import SECONDS_BETWEEN_LOOKS
from fairdeal.application.time_limit import TimeLimit

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

HELD_UP_SECONDS = 0.005
"""Whoever has waited so long, while the same one led all the time, takes the lead over."""
MOST_TOGETHER = 64

Tell = Callable[[ResultT | Exception | None], object]
"""To be told what came of a job; None if whoever wants it has to do it alone."""
Run = Callable[..., Any]
"""Calls a function with its arguments, as if whoever wants the job had called it."""
Task = tuple[JobT, Tell[ResultT], Run]


def run(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


class WaitingJob(Generic[JobT, ResultT]):
    """A job that waits for whoever leads, and later what came of it."""

    __slots__ = ("about", "context", "following", "is_gone", "is_left_over", "job", "outcome", "taker", "wakeup")

    def __init__(self, job: JobT, about: Hashable) -> None:
        self.job = job
        self.about = about
        """Jobs about the same thing are done one after the other."""
        self.context = copy_context()
        self.outcome: ResultT | Exception | None = None
        self.is_left_over = False
        """Whether it has to be done alone."""
        self.is_gone = False
        """Whether nobody waits for it any more."""
        self.taker: Lock | None = None
        """Whoever has begun to do it holds this for as long as they are here."""
        self.following: WaitingJob[JobT, ResultT] | None = None
        """Whom to wake next: one after the other, because all of them want to hold Python's lock."""
        self.wakeup = Lock()
        self.wakeup.acquire()

    def tell(self, outcome: ResultT | Exception | None) -> None:
        self.outcome = outcome
        self.is_left_over = outcome is None
        if outcome is None or isinstance(outcome, Exception):
            self.wake()  # those who get an answer are woken when all is done

    def wake(self) -> None:
        if self.wakeup.locked():
            self.wakeup.release()

    @property
    def is_forsaken(self) -> bool:
        """Whether whoever had begun to do it was interrupted and is gone."""
        return self.taker is not None and not self.taker.locked()

    def result(self) -> ResultT | None:
        """What came of it; None if it has to be done alone."""
        nobody_does_it = self.is_left_over or self.taker is None or self.is_forsaken
        outcome = self.outcome
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is None and not nobody_does_it:
            raise LedgerUnavailable("Others were busy with this all the while; sending the same command again is safe.")
        return outcome


class Combining(Generic[JobT, ResultT]):
    """Who leads, and who waits."""

    def __init__(
        self,
        do_one: Callable[[JobT, Lock], ResultT | None],
        do_all: Callable[[Iterable[Task[JobT, ResultT]], Lock, Callable[[], bool]], None],
    ) -> None:
        """Both wait for nobody who changes the same; what could only be done after such a wait is to be done alone.

        The second one asks, whenever it would have to try once more, whether whoever leads is served already.
        """
        self._do_one = do_one
        self._do_all = do_all
        self._process = OneProcess()
        self._lock = Lock()
        self._leads = Lead()
        self._waiting: list[WaitingJob[JobT, ResultT]] = []

    def do(self, job: JobT, about: Hashable, limit: TimeLimit) -> ResultT | None:
        """What comes of it; None if it has to be done alone."""
        self._process.must_be_ours()
        here = Lock()
        with here:
            if not self._try_lead(here):
                ticket: WaitingJob[JobT, ResultT] = WaitingJob(job, about)
                if not self._wait(ticket, here, limit):
                    return ticket.result()
            return self._lead(job, about, here)

    def do_all(self, tasks: Sequence[Task[JobT, ResultT]]) -> None:
        """Those of one caller, who waits for nobody, together with those that wait if nobody else leads."""
        self._process.must_be_ours()
        here = Lock()
        group: list[WaitingJob[JobT, ResultT]] = []
        with here:
            try:
                leads = self._try_lead(here)
                self._do_all(chain(tasks, self._taken(here, group)) if leads else tasks, here, lambda: False)
            finally:
                self._leave(here, group)

    def _lead(self, job: JobT, about: Hashable, here: Lock) -> ResultT | None:
        group: list[WaitingJob[JobT, ResultT]] = []
        try:
            if not self._waiting:
                return self._do_one(job, here)
            outcomes: list[ResultT | Exception | None] = []
            mine: Task[JobT, ResultT] = job, outcomes.append, run
            self._do_all(chain([mine], self._taken(here, group, about, outcomes)), here, lambda: bool(outcomes))
        finally:
            self._leave(here, group)
        (outcome,) = outcomes
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _try_lead(self, here: Lock) -> bool:
        with self._lock:
            return self._leads.take(here)

    def _leave(self, here: Lock, group: Sequence[WaitingJob[JobT, ResultT]]) -> None:
        """Whoever has waited longest may lead; of those whose jobs are done each wakes the next one."""
        with self._lock:
            self._leads.leave(here)
            if self._waiting:
                self._waiting[0].wake()
        following = None
        for ticket in reversed(group):
            if ticket.outcome is None:
                ticket.is_left_over = True
            if ticket.wakeup.locked() and not ticket.is_gone:
                ticket.following = following
                following = ticket
        if following is not None:
            following.wake()

    def _taken(
        self,
        here: Lock,
        group: list[WaitingJob[JobT, ResultT]],
        about: Hashable = None,
        outcomes: Sequence[object] = (),
    ) -> Iterator[Task[JobT, ResultT]]:
        """The jobs of those who wait, one after the other, until whoever leads is served, or leads no more."""
        there = {about}
        while not outcomes and len(group) < MOST_TOGETHER and (ticket := self._next(here, there)) is not None:
            group.append(ticket)
            there.add(ticket.about)
            yield ticket.job, ticket.tell, ticket.context.run

    def _next(self, here: Lock, there: set[Hashable]) -> WaitingJob[JobT, ResultT] | None:
        if self._waiting:
            with self._lock:
                if self._leads.leader is here:
                    for at, ticket in enumerate(self._waiting):
                        if ticket.about not in there:
                            ticket.taker = here
                            del self._waiting[at]
                            return ticket
        return None

    def _wait(self, ticket: WaitingJob[JobT, ResultT], here: Lock, limit: TimeLimit) -> bool:
        """Until it is known what came of it, until nobody is going to do it, or until the time is over.

        True if whoever waited leads now; then nobody else has begun to do it, and nobody will.
        """
        try:
            with self._lock:
                self._waiting.append(ticket)
                leader = self._leads.leader
            while ticket.outcome is None and not ticket.is_left_over:
                if self._lead_with(ticket, here):
                    return True
                is_begun = ticket.taker is not None
                seconds = SECONDS_BETWEEN_LOOKS if is_begun else HELD_UP_SECONDS
                if not ticket.wakeup.acquire(timeout=min(limit.left, seconds)):
                    if limit.is_over or ticket.is_forsaken:
                        break
                    if not is_begun:
                        leader = self._depose(leader)
            return False
        finally:
            self._withdraw(ticket)

    def _lead_with(self, ticket: WaitingJob[JobT, ResultT], here: Lock) -> bool:
        with self._lock:
            if ticket.taker is not None or not self._leads.take(here):
                return False
            self._waiting.remove(ticket)
            return True

    def _depose(self, leader: "Lock | None") -> "Lock | None":
        """If the same one still leads, they may be stuck: nobody shall wait for that. Answers who leads now."""
        with self._lock:
            if leader is not None:
                self._leads.leave(leader)
            return self._leads.leader

    def _withdraw(self, ticket: WaitingJob[JobT, ResultT]) -> None:
        """Nobody begins to do it any more."""
        ticket.is_gone = True
        if ticket.taker is None:
            with self._lock:
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
        if ticket.following is not None:
            ticket.following.wake()
