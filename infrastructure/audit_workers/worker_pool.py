"""The processes of an audit: started when there is work, killed when nobody wants them any more."""

import multiprocessing
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import wait as wait_for
from uuid import UUID

from fairdeal.application.audit.two_walks import Audited
from fairdeal.infrastructure.audit_workers.worker import Failure, WorkerLost, WorkerTask, work
from fairdeal.infrastructure.interrupts import nobody_interrupts

CONTEXT = multiprocessing.get_context("spawn")
"""Never fork: connections and threads of the host do not survive it."""
MOST_GAMES = 256
"""In a run: their ids alone, 4 KB, always find room in a pipe, so that giving never waits for somebody who sends."""
MOST_RUNS = 2
"""For one process: while it audits one run, the next lies ready."""
PATIENCE_SECONDS = 5.0
GUARD = 'if __name__ == "__main__":'
"""What a new process, which imports the program, must not run again."""


class Worker:
    """A process, and the numbers of the runs that it was given."""

    def __init__(self, task: WorkerTask) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        # The end of this process ends that one: its pipe closes, and a daemon is killed on a regular exit.
        self.process = CONTEXT.Process(target=work, args=(theirs, task), daemon=True)
        with theirs:
            self.process.start()
        self.runs: deque[int] = deque()

    def give(self, number: int, run: Sequence[UUID]) -> None:
        self.runs.append(number)
        with suppress(ConnectionError):  # if it is gone, its answer will be missed
            self.pipe.send_bytes(b"".join(game_id.bytes for game_id in run))

    def take(self) -> tuple[int, list[Audited]]:
        try:
            answer: list[Audited] | Failure = self.pipe.recv()
        except (EOFError, OSError):  # also in the midst of a message
            raise WorkerLost(
                f"A process that was auditing died ({self._end()}), so the audit is not complete: audit with jobs=1."
            ) from None
        if isinstance(answer, Failure):
            raise answer.error()
        return self.runs.popleft(), answer

    def _end(self) -> str:
        self.process.join(PATIENCE_SECONDS)
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"signal {-code}; is memory scarce?"
        return f"exit status {code}; is the program guarded by {GUARD}?"


class WorkerPool:
    """Up to `jobs` processes that audit one ledger."""

    def __init__(self, jobs: int, task: WorkerTask) -> None:
        self.jobs = jobs
        self._task = task
        self._workers: list[Worker] = []

    def has_time(self) -> bool:
        return len(self._workers) < self.jobs or len(self._idlest().runs) < MOST_RUNS

    def give(self, number: int, run: Sequence[UUID]) -> None:
        """Hands a run to whoever has least to do; to somebody new rather than to one who has something."""
        if len(self._workers) < self.jobs and all(worker.runs for worker in self._workers):
            self._hire()
        self._idlest().give(number, run)

    def collect(self, *, wait: bool = True) -> list[tuple[int, list[Audited]]]:
        """Whichever runs are done, by their numbers; waits until one is if that is wished."""
        busy = {worker.pipe: worker for worker in self._workers if worker.runs}
        done = set(wait_for(list(busy), None if wait else 0))
        return [worker.take() for pipe, worker in busy.items() if pipe in done]

    def stop(self) -> None:
        """Lets them go in peace, with their connections closed as it should be."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(PATIENCE_SECONDS)

    def kill(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def _idlest(self) -> Worker:
        return min(self._workers, key=lambda worker: len(worker.runs))

    def _hire(self) -> None:
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # its own start would let interrupts through again
        with nobody_interrupts():
            try:
                self._workers.append(Worker(self._task))
            except RuntimeError as error:
                raise WorkerLost(f"The program must be guarded by {GUARD} to audit with several jobs.") from error
            except (OSError, AssertionError) as error:  # no memory; this is a daemon, which may have no children
                raise WorkerLost(f"No process could be started for the audit ({error}): audit with jobs=1.") from error
