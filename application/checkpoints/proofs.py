"""Checkpoints and proofs as files that somebody keeps, and what they prove without any ledger."""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import msgspec

from fairdeal.application.checkpoints import merkle
from fairdeal.application.log.canonical import bytes_of
from fairdeal.application.log.record import Receipt
from fairdeal.domain.kernel.refusals import FairdealError

NO_NUMBERS = (ValueError, OverflowError, RecursionError)
"""What a file that somebody wrote by hand may hold instead of hashes and positions."""


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
        try:
            leaf = leaf_bytes(self.position, game_of(self.game), self.version, bytes_of(self.link))
            path = [bytes_of(step) for step in self.path]
            return merkle.includes(leaf, self.index, self.checkpoint.size, path, bytes_of(self.checkpoint.root))
        except NO_NUMBERS:
            return False


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """That the ledger of a newer checkpoint begins with all that an older one held."""

    old: Checkpoint
    new: Checkpoint
    path: tuple[str, ...]

    def holds(self) -> bool:
        try:
            path = [bytes_of(step) for step in self.path]
            old_root, new_root = bytes_of(self.old.root), bytes_of(self.new.root)
            return merkle.continues(self.old.size, old_root, self.new.size, new_root, path)
        except NO_NUMBERS:
            return False


Evidence = Checkpoint | InclusionProof | ConsistencyProof
FILE_KINDS: dict[str, type[Evidence]] = {
    "checkpoint": Checkpoint,
    "inclusion": InclusionProof,
    "consistency": ConsistencyProof,
}


def to_plain(evidence: Evidence) -> dict[str, Any]:
    """Any of them as a file holds it."""
    name = next(name for name, cls in FILE_KINDS.items() if cls is type(evidence))
    return {"fairdeal": name, **asdict(evidence)}


def to_json(evidence: Evidence) -> str:
    """Any of them as the text of a file."""
    return json.dumps(to_plain(evidence), indent=1) + "\n"


def from_json(text: bytes) -> Evidence:
    """Recognises by its content what a file holds."""
    try:
        plain: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
        evidence = msgspec.convert(plain, FILE_KINDS[plain["fairdeal"]])
    except (msgspec.MsgspecError, KeyError, TypeError, UnicodeDecodeError, RecursionError):
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


def must_match_kept(evidence: Evidence, kept: Collection[Checkpoint], receipts: Collection[Receipt]) -> None:
    """A proof speaks of the checkpoints and the record inside it: whoever kept some must find them there."""
    for checkpoint in checkpoints_in(evidence):
        if any(checkpoint.size == other.size and checkpoint.root != other.root for other in kept):
            raise NoProof(f"Two checkpoints over {checkpoint.size} batches have different roots: two histories.")
        if kept and checkpoint not in kept:
            raise NoProof(f"It is about a checkpoint of {checkpoint.at} that is not among the given ones.")
    if isinstance(evidence, ConsistencyProof) and any(evidence.old == evidence.new != other for other in kept):
        raise NoProof("It compares a checkpoint with itself, which proves nothing of the others.")
    if isinstance(evidence, InclusionProof) and receipts:
        known = {(str(receipt.game_id), receipt.version, receipt.link) for receipt in receipts}
        if (evidence.game, evidence.version, evidence.link) not in known:
            raise NoProof("It is about a record for which no receipt was given.")


def game_of(text: str) -> UUID:
    """The id that was written so; ValueError for any other way to write it."""
    found = UUID(text)
    if str(found) != text:
        raise ValueError("not the usual form of an id")
    return found


def leaf_bytes(position: int, game_id: UUID, version: int, link: bytes) -> bytes:
    return position.to_bytes(8) + game_id.bytes + version.to_bytes(8) + link
