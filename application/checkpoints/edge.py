"""The right edge of the tree: what it takes to go on from the last checkpoint without reading what came before."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from fairdeal.application.checkpoints import merkle
from fairdeal.application.checkpoints.proofs import NO_NUMBERS, Checkpoint, InclusionProof, NoProof
from fairdeal.application.ports import Ledger


@dataclass(frozen=True, slots=True)
class Edge:
    """The roots of the complete subtrees, and the way from the last leaf up to the root that was signed."""

    last: InclusionProof
    roots: tuple[str, ...]

    @property
    def checkpoint(self) -> Checkpoint:
        return self.last.checkpoint

    def frontier(self) -> merkle.Frontier:
        """The tree as it was, ready to grow; raises NoProof if it is not the tree of the checkpoint."""
        try:
            frontier = merkle.Frontier(self.checkpoint.size, [bytes.fromhex(root) for root in self.roots])
            fits = self.last.index == self.checkpoint.size - 1 and self.last.position == self.checkpoint.position
            if fits and self.last.holds() and frontier.root().hex() == self.checkpoint.root:
                return frontier
        except NO_NUMBERS:
            pass
        raise NoProof("The edge that was kept does not lead to its checkpoint: somebody has changed it.")


class GrowingEdge(Protocol):
    """One transaction: how far each game has come, and in the end the new edge; or nothing of both."""

    def keep_heads(self, heads: Iterable[tuple[UUID, int, bytes]]) -> None: ...

    def keep(self, edge: Edge) -> None: ...


class KeptEdge(Protocol):
    """Where the edge is kept, and how far each game had come; it belongs to who signs, not to who owns the database."""

    def edge(self) -> Edge | None: ...

    def head(self, game_id: UUID) -> tuple[int, bytes] | None:
        """The version and the link of a game's last record under the edge; None if it had no record."""
        ...

    def growing(self) -> AbstractContextManager[GrowingEdge]: ...


def must_be_of(ledger: Ledger, edge: Edge) -> None:
    """Raises NoProof unless the ledger still holds the record at which the edge ends."""
    last = edge.last
    found = [record for position, record in ledger.since(last.position - 1, 1) if position == last.position]
    if [(str(record.game_id), record.version, record.link.hex()) for record in found] != [
        (last.game, last.version, last.link)
    ]:
        raise NoProof(
            f"The ledger does not hold the record at position {last.position}, at which the last checkpoint ended: it "
            "was set back or changed. Compare it with that checkpoint; what is there now needs a new beginning."
        )
