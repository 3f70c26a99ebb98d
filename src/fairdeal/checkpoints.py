"""`fairdeal.checkpoints`: one number over all that is stored, and proofs about it (docs/audit.md)."""

from collections.abc import Callable
from datetime import UTC, datetime

from fairdeal.application.checkpoints.edge import KeptEdge
from fairdeal.application.checkpoints.ledger_walk import Watch, no_progress
from fairdeal.application.checkpoints.proofs import Checkpoint, ConsistencyProof, InclusionProof
from fairdeal.application.checkpoints.tree import (
    Sign,
    grow_checkpoint,
    make_checkpoint,
    must_still_hold,
    prove_consistency,
    prove_inclusion,
)
from fairdeal.application.errors import must_be
from fairdeal.application.log.record import Receipt
from fairdeal.infrastructure.bootstrap import Parts


class Checkpoints:
    """Makes checkpoints, and shows what follows from those that somebody kept."""

    def __init__(self, parts: Parts, clock: Callable[[], datetime]) -> None:
        self._ledger = parts.ledger
        self._codec = parts.codec
        self._clock = clock

    def make(self, *, watch: Watch = no_progress) -> Checkpoint:
        """One number over all that is stored now, yet to be signed."""
        return make_checkpoint(self._ledger, self._codec, self._now(), watch)

    def grow(self, edge: KeptEdge, sign: Sign = lambda made: made, *, watch: Watch = no_progress) -> Checkpoint:
        """The same, signed; only what came after the last one is read. `edge` keeps what the next one needs.

        `sign` is asked twice: for the new checkpoint, and whether the kept one bears its signature.
        """
        return grow_checkpoint(self._ledger, self._codec, self._now(), edge, sign=sign, watch=watch)

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def must_still_hold(self, checkpoint: Checkpoint, *, watch: Watch = no_progress) -> None:
        """Raises NoProof if the ledger does not begin with exactly what it held then."""
        must_be("checkpoint", checkpoint, Checkpoint, "a checkpoint")
        must_still_hold(self._ledger, self._codec, checkpoint, watch)

    def prove_inclusion(
        self, checkpoint: Checkpoint, receipt: Receipt, *, watch: Watch = no_progress
    ) -> InclusionProof:
        """Shows that the receipt's record is in the checkpoint, or raises NoProof."""
        must_be("checkpoint", checkpoint, Checkpoint, "a checkpoint")
        must_be("receipt", receipt, Receipt, "a receipt")
        return prove_inclusion(self._ledger, self._codec, checkpoint, receipt, watch)

    def prove_consistency(self, old: Checkpoint, new: Checkpoint, *, watch: Watch = no_progress) -> ConsistencyProof:
        """Shows that a checkpoint continues an older one, or raises NoProof."""
        must_be("old", old, Checkpoint, "a checkpoint")
        must_be("new", new, Checkpoint, "a checkpoint")
        return prove_consistency(self._ledger, self._codec, old, new, watch)
