"""A runner keeps the read models fresh: as a thread of the service, or as a process of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import Self

from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.readmodels.folding.projector import Projector
from fairdeal.infrastructure.readmodels.folding.same_ledger import Followed, followed, link_at
from fairdeal.infrastructure.wakeup import Wakeup

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
"""After an error a runner waits, each time twice as long, and tries again."""


@dataclass(frozen=True, slots=True)
class RunnerStatus:
    """What a runner is doing: how far it has come, and what holds it up if anything does."""

    position: int
    error: str | None


class Runner:
    """Folds whatever comes until it is stopped. Errors hold it up, they never end it."""

    def __init__(self, projector: Projector, ledger: Ledger, wakeup: Wakeup, *, first: Callable[[], object]) -> None:
        self._projector = projector
        self._ledger = ledger
        self._wakeup = wakeup
        self._first = first
        self._stop = Event()
        self._thread: Thread | None = None
        self._politely = False
        self.status = RunnerStatus(0, None)
        self._link: str | None = None

    def start(self) -> Self:
        """In a thread of its own; it lets commands of the same process go first."""
        self._politely = True
        self._thread = Thread(target=self.run, name="fairdeal-runner", daemon=True)
        self._thread.start()
        return self

    def stop(self, timeout: float = 10.0) -> None:
        """Ends after the transaction in hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self) -> None:
        """In this thread, until somebody calls `stop`."""
        pause = FIRST_PAUSE
        begun = False
        while not self._stop.is_set():
            try:
                if not begun:
                    self._first()
                    begun = True
                self._fold()
                pause = FIRST_PAUSE
                self._wakeup.wait(self._stop)
            except Exception as error:
                self.status = RunnerStatus(self.status.position, f"{type(error).__name__}: {error}")
                self._stop.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
        self._wakeup.close()

    def _fold(self) -> None:
        while not self._stop.is_set():
            position = self.status.position
            if followed(self._ledger, position, self._link) is Followed.ALL and (position == 0 or self._link):
                break
            # Also if it is another ledger: the projector says so, and begins anew.
            self._projector.catch_up(self._ledger.head(), after_each=self._note, politely=self._politely)
            self._link = link_at(self._ledger, self.status.position)
        self.status = RunnerStatus(self.status.position, None)

    def _note(self, position: int) -> bool:
        self.status = RunnerStatus(position, None)
        return not self._stop.is_set()
