"""Checkpoints: one number for all that a ledger holds, so that even its owner cannot rewrite it unseen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

from fairdeal.application.checkpoints import merkle
from fairdeal.application.checkpoints.proofs import Checkpoint, ConsistencyProof, InclusionProof, NoProof, leaf_bytes
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt, Record
from fairdeal.application.ports import Ledger

CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Leaf:
    """One stored batch: where its last record stands, and that record's link."""

    position: int
    game_id: UUID
    version: int
    link: bytes

    def data(self) -> bytes:
        return leaf_bytes(self.position, self.game_id, self.version, self.link)


Watch = Callable[[int], None]
"""Is told how far one has come, by positions in the ledger."""


def no_progress(position: int) -> None:
    """For work that takes no time."""


def leaves(ledger: Ledger, codec: Codec, up_to: int, watch: Watch = no_progress) -> Iterator[Leaf]:
    """One leaf per stored batch, in the order of the ledger, a chunk at a time."""
    position = left = 0
    while position < up_to and (chunk := ledger.since(position, CHUNK)):
        watch(position)
        for position, record in chunk:
            if position > up_to:
                break
            left = (left or _batch_size(codec, record)) - 1
            if left == 0:
                _must_have_a_version(record)
                yield Leaf(position, record.game_id, record.version, record.link)
    if left:
        raise LedgerError("The ledger ends inside a batch; run an audit.")


def _must_have_a_version(record: Record) -> None:
    """A database may hold anything in the place of a number."""
    if not isinstance(record.version, int) or record.version < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise LedgerError(f"Game {record.game_id} has a record of version {record.version}; run an audit.")


def _batch_size(codec: Codec, record: Record) -> int:
    batch = codec.batch(record)
    if batch is None:
        raise LedgerError(f"Record {record.version} of game {record.game_id} belongs to no batch; run an audit.")
    return batch.size


def make_checkpoint(ledger: Ledger, codec: Codec, at: str, watch: Watch = no_progress) -> Checkpoint:
    """The checkpoint of all that is stored now."""
    return _checkpoint(ledger, codec, ledger.head(), at, watch)


def _checkpoint(ledger: Ledger, codec: Codec, head: int, at: str, watch: Watch) -> Checkpoint:
    frontier = merkle.Frontier()
    position = 0
    for leaf in leaves(ledger, codec, head, watch):
        frontier.add(leaf.data())
        position = leaf.position
    return Checkpoint(frontier.size, frontier.root().hex(), position, at)


def must_still_hold(ledger: Ledger, codec: Codec, checkpoint: Checkpoint, watch: Watch = no_progress) -> None:
    """Raises if the ledger does not begin with exactly what it held when the checkpoint was made."""
    if ledger.head() < checkpoint.position:
        raise NoProof("The ledger holds less than the checkpoint: its end was cut off.")
    now = _checkpoint(ledger, codec, checkpoint.position, checkpoint.at, watch)
    if (now.size, now.root, now.position) != (checkpoint.size, checkpoint.root, checkpoint.position):
        raise NoProof("The ledger is not the one of the checkpoint: its history was changed.")


def prove_inclusion(
    ledger: Ledger, codec: Codec, checkpoint: Checkpoint, receipt: Receipt, watch: Watch = no_progress
) -> InclusionProof:
    """Shows that the receipt's batch is in the checkpoint; an owner who rewrote the ledger cannot."""
    found: tuple[int, Leaf] | None = None
    hashes: list[bytes] = []
    for index, leaf in enumerate(leaves(ledger, codec, checkpoint.position, watch)):
        hashes.append(merkle.leaf_hash(leaf.data()))
        if (leaf.game_id, leaf.version, leaf.link.hex()) == (receipt.game_id, receipt.version, receipt.link):
            found = index, leaf
    if found is None:
        raise NoProof(f"Version {receipt.version} of game {receipt.game_id} with this link is not in the checkpoint.")
    index, leaf = found
    path = tuple(step.hex() for step in merkle.inclusion_proof(hashes, index))
    proof = InclusionProof(checkpoint, leaf.position, str(leaf.game_id), leaf.version, leaf.link.hex(), index, path)
    if not proof.holds():
        raise NoProof("The ledger is not the one of the checkpoint: its history was changed.")
    return proof


def prove_consistency(
    ledger: Ledger, codec: Codec, old: Checkpoint, new: Checkpoint, watch: Watch = no_progress
) -> ConsistencyProof:
    """Shows that nothing of the older checkpoint was changed or dropped up to the newer one."""
    hashes = [merkle.leaf_hash(leaf.data()) for leaf in leaves(ledger, codec, new.position, watch)]
    if len(hashes) < old.size:
        raise NoProof("The ledger holds less than the older checkpoint.")
    steps = merkle.consistency_proof(hashes, old.size) if old.size else []
    proof = ConsistencyProof(old, new, tuple(step.hex() for step in steps))
    if not proof.holds():
        raise NoProof("The ledger is not the continuation of the older checkpoint: its history was changed.")
    return proof
