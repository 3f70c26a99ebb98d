"""Checkpoints: one number for all that a ledger holds, so that even its owner cannot rewrite it unseen."""

from collections.abc import Callable, Mapping
from uuid import UUID

from fairdeal.application.checkpoints import merkle
from fairdeal.application.checkpoints.edge import Edge, KeptEdge, must_be_of
from fairdeal.application.checkpoints.ledger_walk import (
    FROM_THE_BEGINNING,
    Head,
    Leaf,
    Start,
    Watch,
    no_progress,
    sound_leaves,
)
from fairdeal.application.checkpoints.proofs import Checkpoint, ConsistencyProof, InclusionProof, NoProof
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt
from fairdeal.application.ports import Ledger

Sign = Callable[[Checkpoint], Checkpoint]
"""Signs a checkpoint; the same one again gets the same signature."""


def make_checkpoint(ledger: Ledger, codec: Codec, at: str, watch: Watch = no_progress) -> Checkpoint:
    """The checkpoint of all that is stored now."""
    return _checkpoint(ledger, codec, ledger.head(), at, watch)


def grow_checkpoint(
    ledger: Ledger, codec: Codec, at: str, kept: KeptEdge, *, sign: Sign, watch: Watch = no_progress
) -> Checkpoint:
    """The same, but only what came after the last one is read; and what the next one needs is kept.

    The tree goes on from the edge that was kept, if `sign` gives that checkpoint the signature which it bears, and if
    the ledger still holds the record at which it ended. Games with new records are compared as a whole.
    """
    with kept.growing() as growing:
        edge = kept.edge()
        frontier, start = merkle.Frontier(), FROM_THE_BEGINNING
        if edge is not None:
            if sign(edge.checkpoint) != edge.checkpoint:
                raise NoProof("The edge that was kept is not that of a checkpoint signed by this key.")
            frontier = edge.frontier()
            must_be_of(ledger, edge)
            start = Start(edge.checkpoint.position, kept.head)

        def note(heads: Mapping[UUID, Head]) -> None:
            growing.keep_heads((game_id, head.version, head.link) for game_id, head in heads.items())

        last: Leaf | None = None
        for leaf in sound_leaves(ledger, codec, ledger.head(), watch, start=start, note=note):
            frontier.add(leaf.data())
            last = leaf
        if last is None:
            return sign(Checkpoint(frontier.size, frontier.root().hex(), start.position, at))
        checkpoint = sign(Checkpoint(frontier.size, frontier.root().hex(), last.position, at))
        path = tuple(step.hex() for step in frontier.path_of_last())
        proof = InclusionProof(
            checkpoint, last.position, str(last.game_id), last.version, last.link.hex(), frontier.size - 1, path
        )
        growing.keep(Edge(proof, tuple(root.hex() for root in frontier.roots)))
        return checkpoint


def _checkpoint(ledger: Ledger, codec: Codec, head: int, at: str, watch: Watch) -> Checkpoint:
    frontier = merkle.Frontier()
    position = 0
    for leaf in sound_leaves(ledger, codec, head, watch):
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
    for index, leaf in enumerate(sound_leaves(ledger, codec, checkpoint.position, watch)):
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
    hashes = [merkle.leaf_hash(leaf.data()) for leaf in sound_leaves(ledger, codec, new.position, watch)]
    if len(hashes) < old.size:
        raise NoProof("The ledger holds less than the older checkpoint.")
    steps = merkle.consistency_proof(hashes, old.size) if old.size else []
    proof = ConsistencyProof(old, new, tuple(step.hex() for step in steps))
    if not proof.holds():
        raise NoProof("The ledger is not the continuation of the older checkpoint: its history was changed.")
    return proof
