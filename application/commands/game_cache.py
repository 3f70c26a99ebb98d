"""Games kept cached: loaded once, checked against the ledger whenever it counts."""

from collections import OrderedDict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import Lock, RLock
from uuid import UUID

from fairdeal.application.errors import DamagedRecord, LedgerRolledBack, UnknownGame
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, Head, first_bad_link
from fairdeal.application.log.reader import follow_batch, must_be_in_order, opened_by, whole_batches
from fairdeal.application.log.record import Batch, Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game


class CachedGame:
    """One game in memory; whoever holds the lock may bring it forward, anybody may read `game`."""

    def __init__(self, game_id: UUID, ledger: Ledger, codec: Codec) -> None:
        self.lock = RLock()
        self.game_id = game_id
        self.game: Game | None = None
        self.link = NO_LINK
        self.at = ""
        self.done: dict[str, tuple[int, int]] = {}
        """Of each command that was accepted, by its id, the first and the last version; the ledger knows the rest."""
        self._ledger = ledger
        self._codec = codec

    @property
    def known(self) -> Game:
        """The game, which must have been found in the ledger."""
        if self.game is None:
            raise UnknownGame(self.game_id)
        return self.game

    @property
    def head(self) -> Head:
        return (0 if self.game is None else self.game.version), self.link

    def catch_up(self) -> bool:
        """Follows what others have stored since; False if there was nothing new."""
        version = 0 if self.game is None else self.game.version
        records = self._ledger.records(self.game_id, after=max(version - 1, 0))
        if version:
            # The record at our head is read once more: a ledger that was set back does not hold it.
            if not records or (records[0].version, records[0].link) != self.head:
                self._forget()
                raise LedgerRolledBack(self.game_id, version)
            records = records[1:]
        if not records:
            return False
        must_be_in_order(records, version)
        # The links come first: nothing is made of a record before it is known to be what was stored.
        seed = self._codec.seed_of(records[0]) if self.game is None else self.game.seed
        bad = first_bad_link(seed, self.link, records)
        if bad is not None:
            raise DamagedRecord(self.game_id, bad.version, "its link does not fit; run an audit")
        decoded_records = [self._codec.read(record) for record in records]
        batches = whole_batches(records, decoded_records)
        events = [decoded.event for decoded in decoded_records]
        work = opened_by(records[0], events[0], self._codec) if self.game is None else self.game.copy()
        for first, batch in batches:
            at = work.version - version
            follow_batch(work, batch, events[at : first + batch.size - version - 1])
            self._remember(first, batch)
        self._publish(work, records)
        return True

    def _forget(self) -> None:
        self.game, self.link, self.at = None, NO_LINK, ""
        self.done.clear()

    def advance(self, work: Game, records: Sequence[Record], batch: Batch) -> None:
        """Publishes what this process has just stored."""
        self._remember(records[0].version, batch)
        self._publish(work, records)

    def _publish(self, work: Game, records: Sequence[Record]) -> None:
        self.link = records[-1].link
        self.game = work

    def _remember(self, version: int, batch: Batch) -> None:
        self.done[batch.id] = version, version + batch.size - 1
        self.at = batch.at


class GameCache:
    """The games that are cached: a bounded number, the longest unused go first."""

    def __init__(self, ledger: Ledger, codec: Codec, *, room: int) -> None:
        self._ledger = ledger
        self._codec = codec
        self._room = room
        self._lock = Lock()
        self._cached: OrderedDict[UUID, CachedGame] = OrderedDict()

    @contextmanager
    def locked(self, game_id: UUID) -> Generator[CachedGame]:
        """A game under its lock. One that cannot be loaded is not kept."""
        cached = self._place(game_id)
        try:
            with cached.lock:
                yield cached
        finally:
            if cached.game is None:
                self._drop(game_id, cached)

    def _place(self, game_id: UUID) -> CachedGame:
        with self._lock:
            cached = self._cached.get(game_id)
            if cached is None:
                cached = self._cached[game_id] = CachedGame(game_id, self._ledger, self._codec)
            self._cached.move_to_end(game_id)
            while len(self._cached) > self._room:
                self._cached.popitem(last=False)
            return cached

    def _drop(self, game_id: UUID, cached: CachedGame) -> None:
        with self._lock:
            if self._cached.get(game_id) is cached:
                del self._cached[game_id]
