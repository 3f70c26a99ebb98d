"""Processes that follow games and tell what they were sent, until they are killed."""

from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Any
from uuid import UUID

from fairdeal import Fairdeal
from kits.processes import CONTEXT, new_process


def follow(address: str, wanted: dict[UUID, int], pipe: Any) -> None:
    """Follows each game after a version, in threads, and tells every version that it was sent."""
    fairdeal, telling = Fairdeal(address), Lock()

    def tell(game: UUID, after: int) -> None:
        for new in fairdeal.follow(game, after=after):
            for event in new.events:
                with telling:
                    pipe.send((game, event.version))

    threads = [Thread(target=tell, args=one, daemon=True) for one in wanted.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class FollowingProcess:
    """A process that follows, and what it has told so far; killed, it is started again after the last version."""

    def __init__(self, address: str, games: list[UUID]) -> None:
        self.versions: dict[UUID, list[int]] = {game: [] for game in games}
        self._address = address
        self.start()

    def start(self) -> None:
        self._mine, theirs = CONTEXT.Pipe(duplex=False)
        wanted = {game: len(versions) for game, versions in self.versions.items()}
        self.process: BaseProcess = new_process(follow, self._address, wanted, theirs)
        theirs.close()

    def listen(self, seconds: float = 0) -> bool:
        """Takes in what is there; False if nothing is."""
        try:
            if not self._mine.poll(seconds):
                return False
            game, version = self._mine.recv()
        except EOFError:
            return False
        self.versions[game].append(version)
        return True

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        while self.listen():  # what it told before it died has arrived
            pass
        self._mine.close()


@contextmanager
def following_process(address: str, games: list[UUID]) -> Generator[FollowingProcess]:
    following = FollowingProcess(address, games)
    try:
        yield following
    finally:
        following.kill()
