"""Checkpoints: one number for all that a ledger holds, so that even its owner cannot rewrite it unseen."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import msgspec

from fairdeal.application import merkle
from fairdeal.application.errors import LedgerError
from fairdeal.application.ports import Codec, Ledger
from fairdeal.application.records import Receipt, Record
from fairdeal.domain.kernel.errors import FairdealError

CHUNK = 1000


class NoProof(FairdealError):
    """The ledger cannot show what was asked for: that alone is a finding."""

    code = "no_proof"


class NotAProof(FairdealError):
    """The file is neither a checkpoint nor a proof."""

    code = "not_a_proof"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The Merkle root over all batches up to a position; docs/format.md defines leaves and signature."""

    size: int
    root: str
    position: int
    at: str
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """What is signed: these five lines and no other form of them."""
        return f"fairdeal checkpoint 1\n{self.size}\n{self.root}\n{self.position}\n{self.at}\n".encode()


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """That a receipt's record stands in the ledger of a checkpoint."""

    checkpoint: Checkpoint
    position: int
    game: str
    version: int
    link: str
    index: int
    path: tuple[str, ...]

    def holds(self) -> bool:
        leaf = leaf_bytes(self.position, UUID(self.game), self.version, bytes.fromhex(self.link))
        path = [bytes.fromhex(step) for step in self.path]
        return merkle.includes(leaf, self.index, self.checkpoint.size, path, bytes.fromhex(self.checkpoint.root))


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """That the ledger of a newer checkpoint begins with all that an older one held."""

    old: Checkpoint
    new: Checkpoint
    path: tuple[str, ...]

    def holds(self) -> bool:
        path = [bytes.fromhex(step) for step in self.path]
        old_root, new_root = bytes.fromhex(self.old.root), bytes.fromhex(self.new.root)
        return merkle.continues(self.old.size, old_root, self.new.size, new_root, path)


Evidence = Checkpoint | InclusionProof | ConsistencyProof
NAMES: dict[str, type[Evidence]] = {
    "checkpoint": Checkpoint,
    "inclusion": InclusionProof,
    "consistency": ConsistencyProof,
}


def to_plain(evidence: Evidence) -> dict[str, Any]:
    """Any of them as a file holds it."""
    name = next(name for name, cls in NAMES.items() if cls is type(evidence))
    return {"fairdeal": name, **asdict(evidence)}


def from_json(text: bytes) -> Evidence:
    """Recognises by its content what a file holds."""
    try:
        plain: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
        evidence = msgspec.convert(plain, NAMES[plain["fairdeal"]])
    except (msgspec.MsgspecError, KeyError, TypeError, UnicodeDecodeError):
        raise NotAProof("This is neither a checkpoint nor a proof, nor an exported log.") from None
    return evidence


def checkpoints_in(evidence: Evidence) -> tuple[Checkpoint, ...]:
    """The checkpoints whose signatures must hold for the evidence to mean anything."""
    match evidence:
        case Checkpoint():
            return (evidence,)
        case InclusionProof():
            return (evidence.checkpoint,)
        case ConsistencyProof():
            return (evidence.old, evidence.new)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One stored batch: where its last record stands, and that record's link."""

    position: int
    game_id: UUID
    version: int
    link: bytes

    def data(self) -> bytes:
        return leaf_bytes(self.position, self.game_id, self.version, self.link)


def leaf_bytes(position: int, game_id: UUID, version: int, link: bytes) -> bytes:
    return position.to_bytes(8) + game_id.bytes + version.to_bytes(8) + link


def leaves(ledger: Ledger, codec: Codec, up_to: int) -> Iterator[Leaf]:
    """One leaf per stored batch, in the order of the ledger, a chunk at a time."""
    position = left = 0
    while position < up_to and (chunk := ledger.since(position, CHUNK)):
        for position, record in chunk:
            if position > up_to:
                break
            left = (left or _batch_size(codec, record)) - 1
            if left == 0:
                yield Leaf(position, record.game_id, record.version, record.link)
    if left:
        raise LedgerError("The ledger ends inside a batch; run an audit.")


def _batch_size(codec: Codec, record: Record) -> int:
    batch = codec.batch(record)
    if batch is None:
        raise LedgerError(f"Record {record.version} of game {record.game_id} belongs to no batch; run an audit.")
    return batch.size


def make_checkpoint(ledger: Ledger, codec: Codec, at: str) -> Checkpoint:
    """The checkpoint of all that is stored now."""
    return _checkpoint(ledger, codec, ledger.head(), at)


def _checkpoint(ledger: Ledger, codec: Codec, head: int, at: str) -> Checkpoint:
    frontier = merkle.Frontier()
    position = 0
    for leaf in leaves(ledger, codec, head):
        frontier.add(leaf.data())
        position = leaf.position
    return Checkpoint(frontier.size, frontier.root().hex(), position, at)


def must_still_hold(ledger: Ledger, codec: Codec, checkpoint: Checkpoint) -> None:
    """Raises if the ledger does not begin with exactly what it held when the checkpoint was made."""
    if ledger.head() < checkpoint.position:
        raise NoProof("The ledger holds less than the checkpoint: its end was cut off.")
    now = _checkpoint(ledger, codec, checkpoint.position, checkpoint.at)
    if (now.size, now.root, now.position) != (checkpoint.size, checkpoint.root, checkpoint.position):
        raise NoProof("The ledger is not the one of the checkpoint: its history was changed.")


def prove_inclusion(ledger: Ledger, codec: Codec, checkpoint: Checkpoint, receipt: Receipt) -> InclusionProof:
    """Shows that the receipt's batch is in the checkpoint; an owner who rewrote the ledger cannot."""
    found: tuple[int, Leaf] | None = None
    hashes: list[bytes] = []
    for index, leaf in enumerate(leaves(ledger, codec, checkpoint.position)):
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


def prove_consistency(ledger: Ledger, codec: Codec, old: Checkpoint, new: Checkpoint) -> ConsistencyProof:
    """Shows that nothing of the older checkpoint was changed or dropped up to the newer one."""
    hashes = [merkle.leaf_hash(leaf.data()) for leaf in leaves(ledger, codec, new.position)]
    if len(hashes) < old.size:
        raise NoProof("The ledger holds less than the older checkpoint.")
    steps = merkle.consistency_proof(hashes, old.size) if old.size else []
    proof = ConsistencyProof(old, new, tuple(step.hex() for step in steps))
    if not proof.holds():
        raise NoProof("The ledger is not the continuation of the older checkpoint: its history was changed.")
    return proof
