"""Looks as they were written last, for whoever asks again before anything has happened."""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from fairdeal.application.history.look import AnyLook, look_of
from fairdeal.application.wire.encoding import look_to_json
from fairdeal.domain.kernel.game import Game

ROOM = 8 * 2**20
LARGEST = 2**16
"""Bytes of all that are kept, and of one."""


class SeenTable(NamedTuple):
    """A game as the ledger holds it up to the record with this link, and the player who looks; None is a spectator."""

    game: Game
    link: bytes
    player: str | None

    def look(self) -> AnyLook:
        return look_of(*self)


class _Kept(NamedTuple):
    link: bytes
    names: tuple[str, ...]
    spectators: str
    written: bytes


class WrittenLooks:
    """Safe to share between threads. Of each game and viewer only the newest look is kept, the oldest go first."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._bytes = 0
        self._kept: dict[tuple[int, str | None], _Kept] = {}
        self._lock = Lock()

    def written(self, table: SeenTable, *, names: Sequence[str], spectators: str) -> bytes:
        """The look as JSON. It follows from the record and from who looks; names and who may watch stand elsewhere."""
        key, asked = (table.game.id.int, table.player), (table.link, tuple(names), spectators)
        kept = self._kept.get(key)
        if kept is not None and kept[:3] == asked:
            return kept.written
        written = look_to_json(table.look(), names=names, spectators=spectators)
        with self._lock:
            self._drop(key)
            if len(written) <= LARGEST:
                self._kept[key] = _Kept(*asked, written)
                self._bytes += len(written)
            while self._bytes > self._room:
                self._drop(next(iter(self._kept)))
        return written

    def _drop(self, key: tuple[int, str | None]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._bytes -= len(kept.written)
