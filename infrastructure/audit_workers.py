"""The processes behind an audit: started when there is work, given game ids, killed when nobody wants them any more."""

import multiprocessing
import pickle
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Self
from uuid import UUID

from fairdeal.application.audit import audit_games
from fairdeal.application.catalogue import GAMES
from fairdeal.application.errors import LedgerError
from fairdeal.application.records import Receipt
from fairdeal.application.verdicts import Report
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.bootstrap import open_ledger
from fairdeal.infrastructure.codec import JsonCodec

CONTEXT = multiprocessing.get_context("spawn")
"""Never fork: connections and threads of the host do not survive it."""
MOST_GAMES = 256
"""In a run: their ids alone, 4 KB, always find room in a pipe, so that giving never waits for somebody who sends."""
MOST_RUNS = 2
"""For one process: while it audits one run, the next lies ready."""
ID_SIZE = 16
PATIENCE_SECONDS = 5.0


class WorkerLost(LedgerError):
    """A process that was auditing could not be started, failed or died; the audit is not complete."""

    code = "worker_lost"


class NotSendable(LedgerError):
    """A registered game cannot be taken along by another process."""

    code = "not_sendable"


@dataclass(frozen=True, slots=True)
class Errand:
    """What a process must know."""

    address: str
    games: bytes
    kept: dict[UUID, list[Receipt]]


@dataclass(frozen=True, slots=True)
class Failure:
    """An error on its way home; pickled as it is, its class would be called with the wrong arguments."""

    kind: type[LedgerError]
    args: tuple[Any, ...]
    fields: dict[str, Any]

    @classmethod
    def of(cls, error: LedgerError) -> Self:
        return cls(type(error), error.args, vars(error))

    def error(self) -> LedgerError:
        error = self.kind.__new__(self.kind, *self.args)
        vars(error).update(self.fields)
        return error


def packed(games: Mapping[str, AnyRules]) -> bytes:
    """The register of games for another process: ours by name, others as they are, but for the bots."""
    # Bots play no part in an audit, and are often made by a function that cannot be sent.
    known = {kind: None if GAMES.get(kind) is rules else replace(rules, bots={}) for kind, rules in games.items()}
    try:
        return pickle.dumps(known)
    except Exception as error:  # pickle has no error of its own for all that it cannot do
        raise _not_sendable(error) from error


def unpacked(games: bytes) -> dict[str, AnyRules]:
    try:
        known = pickle.loads(games)  # noqa: S301 — it comes from the process that started this one
    except Exception as error:
        raise _not_sendable(error) from error
    return {kind: GAMES[kind] if rules is None else rules for kind, rules in known.items()}


def _not_sendable(error: Exception) -> NotSendable:
    return NotSendable(
        f"A registered game cannot be sent to another process ({error}): build its rules from functions and classes "
        "that can be imported, or audit with jobs=1."
    )


def work(pipe: Connection, errand: Errand) -> None:
    """What a process does: it audits runs of games until nobody wants it any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ConnectionError):  # nobody listens any more
        try:
            codec = JsonCodec(unpacked(errand.games))
            with closing(open_ledger(errand.address)) as ledger:
                for run in _runs(pipe):
                    pipe.send(list(audit_games(ledger, codec, run, errand.kept)))
        except LedgerError as error:
            pipe.send(Failure.of(error))
        except Exception as error:
            why = f"A process that was auditing failed ({error!r}): audit with jobs=1 to see where."
            pipe.send(Failure.of(WorkerLost(why)))


def _runs(pipe: Connection) -> Iterator[list[UUID]]:
    with suppress(EOFError, ConnectionError):
        while True:
            ids = pipe.recv_bytes()
            yield [UUID(bytes=ids[at : at + ID_SIZE]) for at in range(0, len(ids), ID_SIZE)]


class Worker:
    """A process, and the numbers of the runs that it was given."""

    def __init__(self, errand: Errand) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        # The end of this process ends that one: its pipe closes, and a daemon is killed on a regular exit.
        self.process = CONTEXT.Process(target=work, args=(theirs, errand), daemon=True)
        with theirs:
            self.process.start()
        self.runs: deque[int] = deque()

    def give(self, number: int, run: Sequence[UUID]) -> None:
        self.runs.append(number)
        with suppress(ConnectionError):  # if it is gone, its answer will be missed
            self.pipe.send_bytes(b"".join(game_id.bytes for game_id in run))

    def take(self) -> tuple[int, list[Report]]:
        try:
            answer: list[Report] | Failure = self.pipe.recv()
        except (EOFError, ConnectionError):
            raise WorkerLost(
                f"A process that was auditing died ({self._end()}): the audit is not complete; "
                "audit again, with jobs=1 if memory is scarce."
            ) from None
        if isinstance(answer, Failure):
            raise answer.error()
        return self.runs.popleft(), answer

    def _end(self) -> str:
        self.process.join(PATIENCE_SECONDS)
        code = self.process.exitcode
        return f"signal {-code}" if code is not None and code < 0 else f"exit status {code}"


class Crew:
    """Up to `jobs` processes that audit one ledger."""

    def __init__(self, jobs: int, errand: Errand) -> None:
        self.jobs = jobs
        self._errand = errand
        self._workers: list[Worker] = []

    def has_time(self) -> bool:
        return len(self._workers) < self.jobs or len(self._idlest().runs) < MOST_RUNS

    def give(self, number: int, run: Sequence[UUID]) -> None:
        """Hands a run to whoever has least to do; to somebody new rather than to one who has something."""
        if len(self._workers) < self.jobs and all(worker.runs for worker in self._workers):
            self._hire()
        self._idlest().give(number, run)

    def collect(self) -> list[tuple[int, list[Report]]]:
        """Waits until a run is done; whichever are done then, by their numbers."""
        busy = {worker.pipe: worker for worker in self._workers if worker.runs}
        done = set(wait(list(busy)))
        return [worker.take() for pipe, worker in busy.items() if pipe in done]

    def dismiss(self) -> None:
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
        with _nobody_interrupts():
            try:
                self._workers.append(Worker(self._errand))
            except (OSError, RuntimeError, AssertionError) as error:
                # No memory, a script that is not guarded by `if __name__ == "__main__":`, a daemon that may have no
                # children.
                raise WorkerLost(f"No process could be started for the audit ({error}): audit with jobs=1.") from error


@contextmanager
def _nobody_interrupts() -> Generator[None]:
    """Who is born in here never hears Ctrl-C, not even before `work` begins; this process hears it afterwards."""
    if sys.platform == "win32":
        yield
        return
    # Its own start would let interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
