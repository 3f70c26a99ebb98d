"""What a viewer may see of a game after a version, made once for everybody who asks for the same."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, TypeVar, cast
from uuid import UUID

from fairdeal.application.errors import BeyondHead, DamagedRecord, must_be_a_number
from fairdeal.application.history.look import Look, Queries, look_of
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK
from fairdeal.application.log.reader import damage, must_be_in_order, must_fit_links
from fairdeal.application.log.record import Batch, Record
from fairdeal.application.log.seen_event import SeenEvent, seen_event
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game

ROOM = 64 * 2**20
"""Messages are kept for others who ask for the same, in so many bytes; each one holds on to its game."""

T = TypeVar("T")
Key = tuple[UUID, int, int, str | None]


class NewEvents:
    """What happened between two versions of a game, as one viewer may see it.

    The events are redacted as they were while the game went on, also after its end: whoever comes late is sent
    what the others were sent.
    """

    __slots__ = ("_game", "_kept", "_link", "_lock", "after", "events", "game_id", "over", "version", "viewer")

    def __init__(self, game: Game, link: bytes, viewer: str | None, after: int, events: tuple[SeenEvent, ...]) -> None:
        self.game_id = game.id
        self.viewer = viewer
        self.after = after
        self.version = game.version
        self.events = events
        self.over = game.over
        self._game = game
        self._link = link
        self._kept: dict[object, Any] = {}
        self._lock = Lock()

    def look(self) -> Look[Any, Any]:
        """The game at exactly this version, as the viewer may see it."""
        return self.once("look", lambda: look_of(self._game, self._link, self.viewer))

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What `make` gives, made once and kept here: for bytes that are sent to many."""
        with self._lock:
            if key in self._kept:
                return cast("T", self._kept[key])
        made = make()
        with self._lock:
            return cast("T", self._kept.setdefault(key, made))


class LiveGames:
    """Answers what is new in a game without walking through its log."""

    def __init__(self, ledger: Ledger, codec: Codec, queries: Queries, *, room: int = ROOM) -> None:
        self._ledger = ledger
        self._codec = codec
        self._queries = queries
        self._room = room
        self._made: OrderedDict[Key, tuple[NewEvents, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def events(self, game_id: UUID, viewer: str | None, after: int) -> NewEvents:
        """What the viewer may see after that version, up to the head."""
        must_be_a_number("after", after)
        game, link = self._queries.fresh(game_id, viewer)
        if after > game.version:
            raise BeyondHead(after, game.version)
        key = (game_id, after, game.version, viewer)
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key][0]
        made = NewEvents(game, link, viewer, after, self._seen(game, link, viewer, after))
        with self._lock:
            # Of two who made it at the same time the first one counts, so that it is really one.
            if key in self._made:
                return self._made[key][0]
            size = self._queries.bytes_of(game_id)
            self._made[key] = made, size
            self._bytes += size
            while self._bytes > self._room:
                _, (_, freed) = self._made.popitem(last=False)
                self._bytes -= freed
        return made

    def _seen(self, game: Game, link: bytes, viewer: str | None, after: int) -> tuple[SeenEvent, ...]:
        if after == game.version:
            return ()
        # One record more than asked for: its link is what the first new one must follow.
        records = self._ledger.records(game.id, after=max(after - 1, 0), up_to=game.version)
        _must_follow(game, link, after, records)
        known, new = (records[:1], records[1:]) if after else (records[:0], records)
        batch = self._codec.batch(known[0]) if known else None
        seen: list[SeenEvent] = []
        rules, players = game.rules, game.players
        for record in new:
            decoded = self._codec.read(record)
            batch = decoded.batch or batch or self._batch_around(game.id, record.version)
            shown = game.redact(decoded.event, viewer)
            seen.append(seen_event(rules, players, version=record.version, event=shown, at=batch.at, by=batch.by))
        return tuple(seen)

    def _batch_around(self, game_id: UUID, version: int) -> Batch:
        """Where a record in the middle of a batch came from: looked for backwards, further and further."""
        up_to, stride = version - 1, 8
        while up_to > 0:
            for record in reversed(self._ledger.records(game_id, after=max(up_to - stride, 0), up_to=up_to)):
                batch = self._codec.batch(record)
                if batch is not None:
                    return batch
            up_to, stride = up_to - stride, stride * 2
        raise DamagedRecord(game_id, version, "its batch has no beginning")


def _must_follow(game: Game, link: bytes, after: int, records: Sequence[Record]) -> None:
    """The records are those that the game in memory was made of; what was touched since is not shown."""
    before = max(after - 1, 0)
    with damage(game.id):
        must_be_in_order(records, before)
    if len(records) != game.version - before or records[-1].link != link:
        raise DamagedRecord(game.id, game.version, "it is not what it was; run an audit")
    known, new = (records[0].link, records[1:]) if after else (NO_LINK, records)
    with damage(game.id):
        must_fit_links(new, game.seed, known)
