"""One walk over a whole ledger by position: batches in one piece, links that fit, and how far each game has come.

Audits, exports and games read a database by game, checkpoints by position. Whoever owns the database can make the two
show different records, so the walk by game is compared with this one: each game's last link covers all before it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

import msgspec

from fairdeal.application.checkpoints.proofs import NoProof, leaf_bytes
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NO_LINK
from fairdeal.application.log.reader import BatchWalk, must_be_in_order, must_be_version, must_fit_links
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
        must_be_version(record.version, self.version + 1)
        if self.version == 0:
            try:
                self.seed = codec.seed_of(record)
            except LedgerError as error:
                raise Fault(record.version, error.message) from None
        must_fit_links((record,), self.seed, self.link)
        self.version, self.link = record.version, record.link


T = TypeVar("T")


class GamesInMemory(Generic[T]):
    """What a walk knows of the games that come after one of them; of those with the lowest ids, if there are many."""

    def __init__(self, after: UUID | None) -> None:
        self._after = after
        self.last: UUID | None = None
        """The last game that there is room for; None if there is room for all."""
        self.known: dict[UUID, T] = {}

    def of(self, game_id: UUID, begin: Callable[[UUID], T]) -> T | None:
        """What is known of a game, which may be nothing yet; None if another walk is for it."""
        found = self.known.get(game_id)
        if found is None and self._is_for(game_id):
            self.known[game_id] = found = begin(game_id)
            if len(self.known) > MOST_GAMES:
                self._leave_half()
                found = self.known.get(game_id)
        return found

    def _is_for(self, game_id: UUID) -> bool:
        return (self._after is None or game_id > self._after) and (self.last is None or game_id <= self.last)

    def _leave_half(self) -> None:
        """The games with the higher ids are left to the next walk."""
        ids = sorted(self.known)
        kept = ids[: max(1, len(ids) // 2)]
        self.last = kept[-1]
        self.known = {game_id: self.known[game_id] for game_id in kept}


@dataclass(frozen=True, slots=True)
class Start:
    """A position at which a walk begins, and how far each game had come there."""

    position: int
    head: Callable[[UUID], tuple[int, bytes] | None]


FROM_THE_BEGINNING = Start(0, lambda _: None)


class LedgerWalk:
    """A walk up to a position, for the games that come after one of them; `last` is the last game it was for."""

    def __init__(
        self,
        ledger: Ledger,
        codec: Codec,
        up_to: int,
        watch: Watch = no_progress,
        *,
        after: UUID | None = None,
        start: Start = FROM_THE_BEGINNING,
    ) -> None:
        self._ledger = ledger
        self._codec = codec
        self._watch = watch
        self._start = start
        self.up_to = up_to
        self._games: GamesInMemory[Head | Fault] = GamesInMemory(after)

    @property
    def games(self) -> dict[UUID, Head | Fault]:
        """How far each game has come, or what is wrong with it."""
        return self._games.known

    @property
    def last(self) -> UUID | None:
        """None if the walk was for all that come."""
        return self._games.last

    def run(self) -> "LedgerWalk":
        for _ in self.leaves():
            pass
        return self

    def after(self) -> "LedgerWalk":
        """A walk for the games that this one had no room for."""
        return LedgerWalk(self._ledger, self._codec, self.up_to, self._watch, after=self.last, start=self._start)

    def leaves(self) -> Iterator[Leaf]:
        """One leaf for each stored batch, in the order of the ledger; none for a batch at which something is wrong."""
        position, version = self._start.position, 0
        game: UUID | None = None
        head: Head | None = None
        batches = BatchWalk()
        for at, record in self._records():
            goes_on = batches.left > 0 and (record.game_id is game or record.game_id == game) and at == position + 1
            if not goes_on:
                if batches.left:
                    self._found(game, version + 1, "its batch is not stored in one piece")
                game, batches.left, head = record.game_id, 0, self._head(record.game_id)
                version = _version_before(record) if head is None else head.version
            position = at
            try:
                is_whole = batches.step(record.version, self._codec.batch(record))
                if head is not None:
                    head.follow(record, self._codec)
                else:
                    must_be_version(record.version, version + 1)
            except Fault as fault:
                self._found(game, fault.record, f"{fault.why}, in the order of the ledger")
                batches.left, head = 0, None
                continue
            except LedgerError as error:
                self._found(game, record.version, error.message)
                batches.left, head = 0, None
                continue
            version += 1
            if is_whole:
                yield Leaf(position, record.game_id, version, record.link)
        if batches.left:
            self._found(game, version, "the ledger ends inside its batch")

    def _records(self) -> Iterator[tuple[int, Record]]:
        position = self._start.position
        while position < self.up_to and (chunk := self._ledger.since(position, CHUNK)):
            self._watch(position)
            for position, record in chunk:
                if position > self.up_to:
                    return
                yield position, record

    def _head(self, game_id: UUID) -> Head | None:
        """How far the game has come; nothing if another walk is for it, or if something was found wrong already."""
        found = self._games.of(game_id, self._first_head)
        return found if isinstance(found, Head) else None

    def _first_head(self, game_id: UUID) -> Head | Fault:
        """Where a game stands that this walk meets for the first time: at its beginning, or where it had come to."""
        version, link = self._start.head(game_id) or (0, NO_LINK)
        if version == 0:
            return Head()
        try:
            # A wrong seed gives wrong links, so it may come from the walk that is to be compared.
            return Head(version, link, self._codec.seed_of(self._ledger.records(game_id, up_to=1)[0]))
        except (LedgerError, IndexError):
            return Fault(1, "it does not show by game")

    def _found(self, game_id: UUID | None, version: int, why: str) -> None:
        if game_id is not None and isinstance(self.games.get(game_id), Head):
            self.games[game_id] = Fault(version, why)


def _version_before(record: Record) -> int:
    """A database may hold anything in the place of a number."""
    version = record.version
    return version - 1 if isinstance(version, int) and version > 0 else 0  # pyright: ignore[reportUnnecessaryIsInstance]


def sound_leaves(
    ledger: Ledger,
    codec: Codec,
    up_to: int,
    watch: Watch = no_progress,
    *,
    start: Start = FROM_THE_BEGINNING,
    note: Callable[[Mapping[UUID, Head]], None] = lambda _: None,
) -> Iterator[Leaf]:
    """The leaves up to a position; raises NoProof in the end unless every game is the same by position and by game.

    Games without a record after the start are not looked at. `note` hears of the others, when they were.
    """
    walk = LedgerWalk(ledger, codec, up_to, watch, start=start)
    yield from walk.leaves()
    while True:
        heads: dict[UUID, Head] = {}
        for game_id, head in walk.games.items():
            if isinstance(head, Fault):
                raise NoProof(f"Record {head.record} of game {game_id}: {head.why}; run an audit.")
            heads[game_id] = head
            if not _is_head(head, ledger.records(game_id, up_to=head.version)):
                raise NoProof(f"The ledger holds two histories of game {game_id}, by position and by game.")
        note(heads)
        if walk.last is None:
            return
        walk = walk.after().run()


def _is_head(head: Head, records: Sequence[Record]) -> bool:
    """Whether this is where the records of a game, as everybody reads them, lead to."""
    try:
        must_be_in_order(records)
    except Fault:
        return False
    return len(records) == head.version and records[-1].link == head.link
