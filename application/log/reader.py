"""Reads logs: whether records stand in order, linked, in whole batches, and what they say.

Whoever walks over records asks here, and gets a Fault with the first record at which something is wrong. Those who load
a game raise DamagedRecord instead: what was touched is for an audit to explain, not to be shown as if nothing were.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Protocol, TypeVar
from uuid import UUID

from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NOTHING_YET, Head, first_bad_link
from fairdeal.application.log.record import Batch, DecodedRecord, Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import is_opening
from fairdeal.domain.kernel.lobby import Lobby

# -- order and links ---------------------------------------------------------------------------------------------


def must_be_version(found: object, number: int) -> None:
    """A database, or a file, may hold anything in the place of a version."""
    if found != number:
        raise Fault(number, f"version {found} stands in its place")


def must_be_in_order(records: Sequence[Record], after: int = 0) -> None:
    """The records are one game's, version by version."""
    mine = records[0].game_id if records else None
    record: Any  # the compiled build would insist on a number where a database may hold anything
    for number, record in enumerate(records, after + 1):
        if record.version != number:
            must_be_version(record.version, number)
        # Most often it is the same object, and comparing ids takes longer than all the rest.
        if record.game_id is not mine and record.game_id != mine:
            raise Fault(number, f"version {record.version} of game {record.game_id} stands in its place")


def must_fit_links(records: Sequence[Record], seed: bytes, link: bytes) -> None:
    """Each record follows from the one before, the first one from this link."""
    bad = first_bad_link(seed, link, records)
    if bad is not None:
        raise Fault(bad.version, "the link does not fit")


# -- batches and times -------------------------------------------------------------------------------------------


class BatchHead(Protocol):
    """What the first record of a batch says of it; a redacted record of an export says no more than that."""

    @property
    def size(self) -> int: ...
    @property
    def at(self) -> str: ...


HeadT = TypeVar("HeadT", bound=BatchHead)


class BatchWalk:
    """Where a walk over records stands: inside a batch, or between two of them."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0
        """So many records of the batch are still to come."""

    def step(self, number: int, head: BatchHead | None) -> bool:
        """Goes on by one record, with the head if it begins a batch; True when its batch is whole."""
        if head is None:
            if not self.left:
                raise Fault(number, "it belongs to no batch")
            self.left -= 1
        else:
            if self.left:
                raise Fault(number, "a batch begins inside another one")
            self.left = head.size - 1
        return not self.left


def whole_batches(heads: Iterable[HeadT | None], after: int = 0) -> Iterator[tuple[int, HeadT]]:
    """The version of the first record of each batch, and its head; `heads` has None for all other records."""
    walk, number, begun = BatchWalk(), after, None
    for number, head in enumerate(heads, after + 1):
        is_whole = walk.step(number, head)
        if head is not None:
            begun = number, head
        if is_whole and begun is not None:
            yield begun
    if walk.left:
        raise Fault(number, "the rest of its batch is missing")


def going_forward(batches: Iterable[tuple[int, HeadT]]) -> Iterator[tuple[int, HeadT]]:
    """The same batches; raises Fault at the first one that is older than the one before."""
    time = ""
    for first, head in batches:
        if head.at < time:
            raise Fault(first, "it is older than the one before")
        time = head.at
        yield first, head


def without_cut_batch(found: Sequence[tuple[int, Record]], codec: Codec) -> Sequence[tuple[int, Record]]:
    """A page of the ledger without its last batch, if not all of that is on the page."""
    for at in range(len(found) - 1, -1, -1):
        try:
            batch = codec.batch(found[at][1])
        except Exception:
            return found  # a database may hold anything; whoever folds the record says what is wrong
        if batch is not None:
            return found if at + batch.size <= len(found) else found[:at]
    return found


# -- loading a game ----------------------------------------------------------------------------------------------


@contextmanager
def damage(game_id: UUID) -> Generator[None]:
    """What is wrong with a log, for those who wanted to load a game."""
    try:
        yield
    except Fault as fault:
        raise DamagedRecord(game_id, fault.record, f"{fault.why}; run an audit") from None


def must_be_linked(
    records: Sequence[Record], codec: Codec, *, head: Head = NOTHING_YET, seed: bytes | None = None
) -> None:
    """The records go on from a head of their game. Nothing is made of a record before that is known."""
    version, link = head
    with damage(records[0].game_id):
        must_be_in_order(records, version)
        must_fit_links(records, codec.seed_of(records[0]) if seed is None else seed, link)


def read_log(records: Sequence[Record], codec: Codec) -> tuple[list[DecodedRecord], Game]:
    """The records of one game, read and followed; DamagedRecord where nobody could have stored that."""
    first = records[0]
    with damage(first.game_id):
        must_be_in_order(records)
    codec.seed_of(first)
    decoded_records = [codec.read(record) for record in records]
    batches_of(first.game_id, decoded_records)
    game = opened_by(first, decoded_records[0].event, codec)
    follow(game, (decoded.event for decoded in decoded_records[1:]))
    return decoded_records, game


def batches_of(game_id: UUID, decoded_records: Sequence[DecodedRecord], after: int = 0) -> list[tuple[int, Batch]]:
    """The batches of records that were read; one of which a part is missing was tampered with."""
    with damage(game_id):
        return list(whole_batches((decoded.batch for decoded in decoded_records), after))


def opened_by(record: Record, event: Any, codec: Codec) -> Game:
    """The game as its first record opens it."""
    if not is_opening(event):
        raise DamagedRecord(record.game_id, record.version, "the game does not begin with its opening")
    return Game(record.game_id, codec.rules_of(record), Lobby(event))


def note_time(game: Game, at: str, by: str, command: Mapping[str, Any]) -> None:
    """Tells the clocks of a table when a command came, and whether its player moved by it."""
    if game.lobby.clocks is not None:
        moves = "move" in command or command.get("do") == "reveal_entropy"
        game.it_is(datetime.fromisoformat(at), by if moves else None)


def follow_batch(game: Game, batch: Batch, events: Iterable[object]) -> None:
    """Brings a game forward by what came of one command, its time included."""
    try:
        note_time(game, batch.at, batch.by, batch.command)
        game.apply(*events)
    except Exception as error:
        raise cannot_follow(game, error) from error


def follow(game: Game, events: Iterable[object]) -> None:
    """Brings a game forward, in place; what it cannot follow was not stored so."""
    try:
        game.apply(*events)
    except Exception as error:
        raise cannot_follow(game, error) from error


def cannot_follow(game: Game, error: Exception) -> DamagedRecord:
    """Not what the error says: there may be a card in it."""
    return DamagedRecord(game.id, game.version, f"the game cannot follow it ({type(error).__name__})")
