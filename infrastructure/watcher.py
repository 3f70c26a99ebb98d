"""One watcher for all followers of a process: it learns of new records and wakes those whom they concern."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import chain
from threading import Event, Lock, Thread
from uuid import UUID

from fairdeal.application.errors import LedgerError
from fairdeal.application.log.record import Record
from fairdeal.application.one_process import OneProcess
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.wakeup import Wakeup, wakeup_for

POLL_SECONDS = 0.02
"""While anybody watches; otherwise nobody asks anything."""
PAUSE_SECONDS = 0.25
"""After an error of the ledger."""
MOST_RECORDS = 1000
"""Read at once to learn of which games they are."""

Wake = Callable[[], object]
"""Called from any thread; it must not block."""


class Watcher:
    """Knows who follows which game. Being woken means: look again; nothing is ever queued for anybody."""

    def __init__(self, ledger: Ledger, address: str) -> None:
        self._ledger = ledger
        self._address = address
        self._process = OneProcess()
        self._lock = Lock()
        self._followers: dict[UUID, list[Wake]] = {}
        self._somebody = Event()
        self._stop = Event()
        self._thread: Thread | None = None

    @contextmanager
    def watching(self, game_id: UUID, wake: Wake) -> Generator[None]:
        """Calls `wake` whenever there may be something new in the game; it may be called too often."""
        self._process.must_be_ours()
        with self._lock:
            self._followers.setdefault(game_id, []).append(wake)
            if self._thread is None and not self._stop.is_set():
                self._thread = Thread(target=self._run, name="fairdeal-watcher", daemon=True)
                self._thread.start()
            self._somebody.set()
        try:
            yield
        finally:
            with self._lock:
                others = self._followers[game_id]
                others.remove(wake)
                if not others:
                    del self._followers[game_id]
                if not self._followers and not self._stop.is_set():
                    self._somebody.clear()

    def wake(self, game_id: UUID) -> None:
        """Something was stored by this process: nobody here needs to wait for the news to come round."""
        if not self._followers:
            return
        with self._lock:
            followers = tuple(self._followers.get(game_id, ()))
        for wake in followers:
            wake()

    def close(self) -> None:
        """Followers are woken a last time; what they read then says that the ledger is closed."""
        if not self._process.is_ours:
            return
        self._stop.set()
        self._somebody.set()
        self.wake_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._somebody.wait()
            wakeup = wakeup_for(self._address, poll=POLL_SECONDS)
            try:
                self._watch(wakeup)
            except LedgerError:
                # Followers learn by themselves what is wrong, and this goes on when it is mended.
                self.wake_all()
                self._stop.wait(PAUSE_SECONDS)
            finally:
                wakeup.close()

    def _watch(self, wakeup: Wakeup) -> None:
        last = self._newest()
        # What was stored before this moment was perhaps missed: everybody looks once more.
        self.wake_all()
        while self._somebody.is_set() and not self._stop.is_set():
            wakeup.wait(self._stop)
            last = self._wake_for_what_came_after(last)

    def _newest(self) -> Sequence[tuple[int, Record]]:
        """The last record of the ledger, if it has any."""
        head = self._ledger.head()
        return self._ledger.since(head - 1, 1) if head else ()

    def _wake_for_what_came_after(self, last: Sequence[tuple[int, Record]]) -> Sequence[tuple[int, Record]]:
        """Answers which record is the last one that was seen now."""
        while True:
            # The last one is read once more: a ledger that was set back does not hold it.
            found = self._ledger.since(last[0][0] - 1 if last else 0, MOST_RECORDS)
            if list(found[: len(last)]) != list(last):
                last = self._newest()
                self.wake_all()
                return last
            new = found[len(last) :]
            if not new:
                return last
            last = new[-1:]
            for game_id in {record.game_id for _, record in new}:
                self.wake(game_id)

    def wake_all(self) -> None:
        """Everybody shall look again."""
        with self._lock:
            everybody = tuple(chain.from_iterable(self._followers.values()))
        for wake in everybody:
            wake()
