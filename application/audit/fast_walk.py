"""The walk over a ledger by position, as fast as can be: it asks whether it meets what the walk by game meets.

The plain walk, `checkpoints.ledger_walk`, hashes every link again. This one leaves that to the audit of each game, and
takes the fingerprint of the records instead: if it is that of the audited ones, all that was found of those holds here,
too: their order, their links, their whole batches. One thing is left to ask, because only positions show it: that no
batch is stored in several pieces. Records of a game that stand next to each other are a piece, and each has to begin
with a batch. What differs here is looked at again by the plain walk, which says where and why.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from fairdeal.application.audit.fingerprint import Fingerprint
from fairdeal.application.checkpoints.ledger_walk import CHUNK, GamesInMemory, Watch, no_progress
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger


@dataclass(frozen=True, slots=True)
class Gap:
    """Positions at which no record stands, though every engine gives them without leaving one out."""

    first: int
    count: int

    def __str__(self) -> str:
        others = f", and at {self.count - 1} more" if self.count > 1 else ""
        return f"the ledger holds no record at position {self.first}{others}"


class FastWalk:
    """A walk up to a position, for the games that come after one of them; `last` is the last game it was for."""

    def __init__(
        self,
        ledger: Ledger,
        codec: Codec,
        up_to: int,
        watch: Watch = no_progress,
        *,
        after: UUID | None = None,
        note: Callable[[Sequence[Record]], None] | None = None,
    ) -> None:
        """`note` is told of all records, some at a time."""
        self._ledger = ledger
        self._codec = codec
        self._watch = watch
        self._note = note
        self.up_to = up_to
        self._games: GamesInMemory[Fingerprint] = GamesInMemory(after)
        self.gap: Gap | None = None
        """All positions without a record that the walk came across."""

    @property
    def games(self) -> dict[UUID, Fingerprint]:
        """What was met of each game."""
        return self._games.known

    @property
    def last(self) -> UUID | None:
        """None if the walk was for all that come."""
        return self._games.last

    def after(self) -> "FastWalk":
        """A walk for the games that this one had no room for."""
        return FastWalk(self._ledger, self._codec, self.up_to, self._watch, after=self.last)

    def run(self) -> "FastWalk":
        position, game, number = 0, None, -1
        while position < self.up_to and (chunk := self._ledger.since(position, CHUNK)):
            self._watch(position)
            if chunk[-1][0] > self.up_to:
                chunk = [(at, record) for at, record in chunk if at <= self.up_to]
            games: dict[int, tuple[Fingerprint | None, list[Record]]] = {}
            """Of each game what was met of it, and its records here."""
            mine: list[Record] | None = None
            for at, record in chunk:
                game_id = record.game_id
                # Most often it is the same object; the numbers that ids are can be compared without a call.
                begins = at != position + 1 or (game_id is not game and game_id.int != number)
                if begins or mine is None:
                    game, number = game_id, game_id.int
                    known = games.get(number)
                    if known is None:
                        known = games[number] = self._games.of(game_id, _nothing_yet), []
                    met, mine = known
                    if begins:
                        self._missed(position + 1, at)
                        if met is not None and not self._codec.begins_batch(record):
                            met.broken = True
                mine.append(record)
                position = at
            for met, records in games.values():
                self._add(met, records)
            if not chunk:
                break
        return self

    def _missed(self, expected: int, at: int) -> None:
        if at > expected:
            known = self.gap or Gap(expected, 0)
            self.gap = Gap(known.first, known.count + at - expected)

    def _add(self, met: Fingerprint | None, records: Sequence[Record]) -> None:
        if met is not None:
            met.add(records)
        if self._note is not None:
            self._note(records)


def _nothing_yet(_: UUID) -> Fingerprint:
    return Fingerprint()
