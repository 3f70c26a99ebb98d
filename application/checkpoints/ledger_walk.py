"""One walk over a whole ledger by position: batches in one piece, links that fit, and how far each game has come.

Audits, exports and games read a database by game, checkpoints by position. Whoever owns the database can make the two
show different records, so the walk by game is compared with this one: each game's last link covers all before it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from fairdeal.application.checkpoints.proofs import NoProof, leaf_bytes
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NO_LINK, linker_of
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger

CHUNK = 1000
MOST_GAMES = 100_000
"""Kept in memory, some 40 MB; a ledger with more of them is walked several times, for some of the games each time."""

Watch = Callable[[int], None]
"""Is told how far one has come, by positions in the ledger."""


def no_progress(position: int) -> None:
    """For work that takes no time."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One stored batch: where its last record stands, and that record's link."""

    position: int
    game_id: UUID
    version: int
    link: bytes

    def data(self) -> bytes:
        return leaf_bytes(self.position, self.game_id, self.version, self.link)


class Head(msgspec.Struct, gc=False):
    """How far a game has come, and what the link of its next record needs."""

    version: int = 0
    link: bytes = NO_LINK
    seed: bytes = b""

    def follow(self, record: Record, codec: Codec) -> None:
        """Goes on to the next record of the game; raises Fault if this is not it."""
        if record.version != self.version + 1:
            raise Fault(self.version + 1, f"version {record.version} stands in its place in the order of the ledger")
        try:
            if self.version == 0:
                self.seed = codec.seed_of(record)
            link = linker_of(self.seed, record.game_id).link(self.link, record.version, record.name, record.payload)
        except LedgerError as error:
            raise Fault(record.version, error.message) from None
        except (AttributeError, OverflowError, TypeError, UnicodeEncodeError):
            link = b""  # a database may hold text where bytes or a number stood
        if link != record.link:
            raise Fault(record.version, "the link does not fit in the order of the ledger")
        self.version, self.link = record.version, link


class LedgerWalk:
    """A walk up to a position, for the games that come after one of them; `last` is the last game it was for."""

    def __init__(
        self, ledger: Ledger, codec: Codec, up_to: int, watch: Watch = no_progress, *, after: UUID | None = None
    ) -> None:
        self._ledger = ledger
        self._codec = codec
        self._watch = watch
        self._after = after
        self.up_to = up_to
        self.last: UUID | None = None
        """None if the walk was for all that come."""
        self.games: dict[UUID, Head | Fault] = {}

    def run(self) -> "LedgerWalk":
        for _ in self.leaves():
            pass
        return self

    def after(self) -> "LedgerWalk":
        """A walk for the games that this one had no room for."""
        return LedgerWalk(self._ledger, self._codec, self.up_to, self._watch, after=self.last)

    def leaves(self) -> Iterator[Leaf]:
        """One leaf for each stored batch, in the order of the ledger; none for a batch at which something is wrong."""
        position = left = version = 0
        game: UUID | None = None
        head: Head | None = None
        for at, record in self._records():
            goes_on = left > 0 and (record.game_id is game or record.game_id == game) and at == position + 1
            if not goes_on:
                if left:
                    self._found(game, Fault(version + 1, "its batch is not stored in one piece"))
                game, left, head = record.game_id, 0, self._head(record.game_id)
                version = _version_before(record) if head is None else head.version
            position = at
            try:
                left = self._size(record, left) - 1
                if head is not None:
                    head.follow(record, self._codec)
                elif record.version != version + 1:
                    raise Fault(version + 1, f"version {record.version} stands in its place in the order of the ledger")
            except Fault as fault:
                self._found(game, fault)
                left, head = 0, None
                continue
            version += 1
            if left == 0:
                yield Leaf(position, record.game_id, version, record.link)
        if left:
            self._found(game, Fault(version, "the ledger ends inside its batch"))

    def _records(self) -> Iterator[tuple[int, Record]]:
        position = 0
        while position < self.up_to and (chunk := self._ledger.since(position, CHUNK)):
            self._watch(position)
            for position, record in chunk:
                if position > self.up_to:
                    return
                yield position, record

    def _size(self, record: Record, left: int) -> int:
        """How many records of the batch are left, with this one."""
        try:
            batch = self._codec.batch(record)
        except LedgerError as error:
            raise Fault(record.version, error.message) from None
        if (batch is None) == (left == 0):
            why = "it belongs to no batch" if batch is None else "a batch begins inside another one"
            raise Fault(record.version, f"{why}, in the order of the ledger")
        return left if batch is None else batch.size

    def _head(self, game_id: UUID) -> Head | None:
        """How far the game has come; nothing if another walk is for it, or if something was found wrong already."""
        found = self.games.get(game_id)
        if found is None and self._is_for(game_id):
            self.games[game_id] = Head()
            if len(self.games) > MOST_GAMES:
                self._leave_half()
            found = self.games.get(game_id)
        return found if isinstance(found, Head) else None

    def _is_for(self, game_id: UUID) -> bool:
        return (self._after is None or game_id > self._after) and (self.last is None or game_id <= self.last)

    def _leave_half(self) -> None:
        """The games with the higher ids are left to the next walk."""
        ids = sorted(self.games)
        kept = ids[: max(1, len(ids) // 2)]
        self.last = kept[-1]
        self.games = {game_id: self.games[game_id] for game_id in kept}

    def _found(self, game_id: UUID | None, fault: Fault) -> None:
        if game_id is not None and isinstance(self.games.get(game_id), Head):
            self.games[game_id] = fault


def _version_before(record: Record) -> int:
    """A database may hold anything in the place of a number."""
    version = record.version
    return version - 1 if isinstance(version, int) and version > 0 else 0  # pyright: ignore[reportUnnecessaryIsInstance]


def sound_leaves(ledger: Ledger, codec: Codec, up_to: int, watch: Watch = no_progress) -> Iterator[Leaf]:
    """The leaves up to a position; raises NoProof in the end unless every game is the same by position and by game."""
    walk = LedgerWalk(ledger, codec, up_to, watch)
    yield from walk.leaves()
    while True:
        for game_id, head in walk.games.items():
            if isinstance(head, Fault):
                raise NoProof(f"Record {head.record} of game {game_id}: {head.why}; run an audit.")
            if not _is_head(head, ledger.records(game_id, up_to=head.version)):
                raise NoProof(f"The ledger holds two histories of game {game_id}, by position and by game.")
        if walk.last is None:
            return
        walk = walk.after().run()


def _is_head(head: Head, records: Sequence[Record]) -> bool:
    """Whether this is where the records of a game, as everybody reads them, lead to."""
    if len(records) != head.version or records[-1].link != head.link:
        return False
    return all(record.version == number for number, record in enumerate(records, 1))
