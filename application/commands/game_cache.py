"""Games kept cached: loaded once, checked against the ledger whenever it counts."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from fairdeal.application.errors import LedgerRolledBack, LedgerUnavailable, UnknownGame
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, Head, Linker, linker_of
from fairdeal.application.log.reader import batches_of, follow_batch, must_be_linked, opened_by
from fairdeal.application.log.record import Batch, Record
from fairdeal.application.one_process import OneProcess
from fairdeal.application.ports import Ledger
from fairdeal.application.semaphore import InterruptSafeSemaphore
from fairdeal.application.size_of import SMALLEST, Size, UsualSizes
from fairdeal.application.time_limit import TimeLimit
from fairdeal.domain.kernel.game import Game

UNCOUNTED = 1024
"""Bytes that a game may grow by before the cache hears of it."""
ROOM = 256 * 2**20
"""Bytes for the games that are cached, unless somebody says otherwise."""


class Published(NamedTuple):
    """A game as the ledger holds it up to one of its records; never changed, so that anybody may read it."""

    game: Game | None
    link: bytes
    at: str

    @property
    def head(self) -> Head:
        return (0 if self.game is None else self.game.version), self.link


NOTHING = Published(None, NO_LINK, "")


class BroughtForward(NamedTuple):
    """A game brought forward by what was found in the ledger."""

    published: Published
    batches: Sequence[tuple[int, Batch]]
    """Those that were found, each with the version of its first record."""
    written: int
    """So many bytes."""


class CachedGame:
    """One game in memory; whoever has the turn may bring it forward, anybody may read what is published."""

    def __init__(self, game_id: UUID, ledger: Ledger, codec: Codec, usual: UsualSizes | None = None) -> None:
        self.semaphore = InterruptSafeSemaphore()
        self.game_id = game_id
        self.published = NOTHING
        self.done: dict[tuple[str, str], tuple[int, int]] = {}
        """The first and the last version of each accepted command, by player and id; the ledger has the rest."""
        self.is_slow = False
        """Whether its last move took long to decide."""
        self.size = Size(usual)
        self.counted = 0
        """So many bytes of it are counted in the cache."""
        self._confirmed = 0
        self._opened: object = None
        self._linker: Linker
        """Of the game as it was opened so: another opening has another seed."""
        self._ledger = ledger
        self._codec = codec

    def wait_for_turn(self, here: Lock, limit: TimeLimit) -> None:
        """From then on nobody else changes the game until whoever holds `here` leaves."""
        if not self.semaphore.acquire(here, limit):
            raise LedgerUnavailable(
                f"Others were changing game {self.game_id} all the while; sending the same command again is safe."
            )

    @property
    def game(self) -> Game | None:
        return self.published.game

    @property
    def known(self) -> Game:
        """The game, which must have been found in the ledger."""
        if self.published.game is None:
            raise UnknownGame(self.game_id)
        return self.published.game

    def catch_up(self) -> bool:
        """Follows what others have stored since; False if there was nothing new."""
        try:
            followed = self._followed(self.published)
        except LedgerRolledBack:
            self._forget()
            raise
        if followed is not None:
            self._publish(followed)
        return followed is not None

    def read(self) -> Published:
        """The game as the ledger holds it now, for whoever does not have the turn.

        Most often nothing is new, and then nobody needs it. What is new is kept if the turn is free.
        """
        published = self.published
        try:
            followed = self._followed(published)
        except LedgerRolledBack:
            self._if_free(published, self._forget)
            raise
        if followed is None:
            return published
        self._if_free(published, lambda: self._publish(followed))
        return followed.published

    def _if_free(self, published: Published, work: Callable[[], None]) -> None:
        """Does it in turn, unless others have the turn, or have had it since this was published."""
        here = Lock()
        with here:
            try:
                if self.semaphore.try_acquire(here) and self.published is published:
                    work()
            finally:
                self.semaphore.release(here)

    def _publish(self, followed: BroughtForward) -> None:
        for first, batch in followed.batches:
            self._remember(first, batch)
        self.published = followed.published
        self.size.grow(followed.written, (followed.published.game, self.done), self.known.rules.kind)

    def _followed(self, published: Published) -> BroughtForward | None:
        """What others have stored since, followed on a copy; None if there is nothing."""
        game = published.game
        version = 0 if game is None else game.version
        records = self._ledger.records(self.game_id, after=max(version - 1, 0))
        if version:
            # The record at our head is read once more: a ledger that was set back does not hold it.
            head: Any = records[0] if records else None  # whatever stands there, as in `must_be_in_order`
            if head is None or (head.version, head.link) != published.head:
                raise LedgerRolledBack(self.game_id, version)
            records = records[1:]
        if not records:
            return None
        must_be_linked(records, self._codec, head=published.head, seed=None if game is None else game.seed)
        decoded_records = [self._codec.read(record) for record in records]
        batches = batches_of(self.game_id, decoded_records, version)
        events = [decoded.event for decoded in decoded_records]
        work = opened_by(records[0], events[0], self._codec) if game is None else game.copy()
        for first, batch in batches:
            at = work.version - version
            follow_batch(work, batch, events[at : first + batch.size - version - 1])
        return BroughtForward(Published(work, records[-1].link, batches[-1][1].at), batches, bytes_of(records))

    def confirm(self, version: int) -> None:
        """Returns when nobody can lose this version any more; what this process stored after it says so, too."""
        if version > self._confirmed:
            reached = self.known.version
            self._ledger.confirm()
            self._confirmed = reached

    def _forget(self) -> None:
        # In this order, because an interrupt may come between: without the ids, what is published is found wrong again.
        self.done = {}
        self.published = NOTHING
        self._confirmed = 0

    def advance(self, work: Game, records: Sequence[Record], batch: Batch) -> None:
        """Publishes what this process has just stored."""
        self._remember(records[0].version, batch)
        self.published = Published(work, records[-1].link, batch.at)
        self.size.grow(bytes_of(records), (work, self.done), work.rules.kind)
        self._confirmed = work.version

    def linker(self, game: Game) -> Linker:
        """What links the records of this game."""
        opened = game.lobby.opened
        if self._opened is not opened:
            self._linker = linker_of(game.seed, self.game_id)
            self._opened = opened
        return self._linker

    def _remember(self, version: int, batch: Batch) -> None:
        self.done[batch.by, batch.id] = version, version + batch.size - 1


def bytes_of(records: Sequence[Record]) -> int:
    total = 0
    for record in records:
        total += len(record.payload)
    return total


class GameCache:
    """The games that are cached: as many as there is memory for, the longest unused go first.

    `room` is in bytes; with `most`, there are never more games than that either.
    """

    def __init__(self, ledger: Ledger, codec: Codec, *, room: int = ROOM, most: int | None = None) -> None:
        self._ledger = ledger
        self._codec = codec
        self._room = room
        self._most = most
        self._bytes = 0
        self._usual = UsualSizes()
        self._process = OneProcess()
        self._lock = Lock()
        self._cached: OrderedDict[int, CachedGame] = OrderedDict()
        """By the number that an id is: to look up an id takes Python three calls."""

    def kind_of(self, game_id: UUID | None) -> str | None:
        """The kind of a game that is cached just now."""
        cached = None if game_id is None else self._cached.get(game_id.int)
        return None if cached is None or cached.game is None else cached.game.rules.kind

    def loaded(self, game_id: UUID) -> CachedGame | None:
        """A game that is loaded just now."""
        cached = self._cached.get(game_id.int)
        return None if cached is None or cached.published.game is None else cached

    def turn_if_free(self, game_id: UUID, here: Lock) -> CachedGame | None:
        """The game for whoever holds `here` and waits for nobody; None if somebody else changes it just now."""
        cached = self.place(game_id)
        return cached if cached.semaphore.try_acquire(here) else None

    def leave(self, cached: CachedGame, here: Lock) -> None:
        """After a turn; a game that is not there is not kept."""
        cached.semaphore.release(here)
        self._count(cached.game_id, cached)

    def read(self, game_id: UUID) -> tuple[Game, bytes]:
        """A game as the ledger holds it now, and its link. Readers never wait for writers, who may be waiting, too."""
        cached = self.place(game_id)
        try:
            published = cached.read()
        finally:
            self._count(game_id, cached)
        if published.game is None:
            raise UnknownGame(game_id)
        return published.game, published.link

    def place(self, game_id: UUID) -> CachedGame:
        """Where the game is cached, be it loaded or not; whoever took the turn there leaves by `leave`."""
        self._process.must_be_ours()
        key = game_id.int
        with self._lock:
            cached = self._cached.get(key)
            if cached is None:
                cached = self._cached[key] = CachedGame(game_id, self._ledger, self._codec, self._usual)
            self._cached.move_to_end(key)
            return cached

    def bytes_of(self, game_id: UUID) -> int:
        """How much memory a game takes, as far as is known."""
        cached = self._cached.get(game_id.int)
        return SMALLEST if cached is None else cached.size.bytes

    def _count(self, game_id: UUID, cached: CachedGame) -> None:
        """After it was used: one that is not there, or that alone is too large, is not kept; others may have to go."""
        if 0 <= cached.size.bytes - cached.counted < UNCOUNTED and cached.published.game is not None:
            return
        key = game_id.int
        with self._lock:
            if self._cached.get(key) is not cached:
                return
            self._bytes += cached.size.bytes - cached.counted
            cached.counted = cached.size.bytes
            if cached.game is None or cached.size.bytes > self._room:
                self._drop(key)
            while self._bytes > self._room or len(self._cached) > (self._most or len(self._cached)):
                self._drop(next(iter(self._cached)))

    def _drop(self, key: int) -> None:
        self._bytes -= self._cached.pop(key).counted
