"""The Merkle tree of RFC 6962: one root for a whole ledger, short proofs that nothing in it was changed."""

import hashlib
from collections.abc import Iterable, Sequence


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The roots of the complete subtrees so far: all that is needed to grow, whatever the size."""

    def __init__(self, size: int = 0, roots: Iterable[bytes] = ()) -> None:
        self.size = size
        self._roots = list(roots)
        self._merged: list[bytes] = []
        if len(self._roots) != size.bit_count():
            raise ValueError("a tree of this size has another number of complete subtrees")

    def add(self, leaf: bytes) -> None:
        root = leaf_hash(leaf)
        size = self.size
        self._merged = []
        while size & 1:
            self._merged.append(self._roots.pop())
            root = node_hash(self._merged[-1], root)
            size >>= 1
        self._roots.append(root)
        self.size += 1

    @property
    def roots(self) -> tuple[bytes, ...]:
        return tuple(self._roots)

    def path_of_last(self) -> list[bytes]:
        """The path from the leaf that was added last to the root."""
        return [*self._merged, *reversed(self._roots[:-1])]

    def root(self) -> bytes:
        if not self._roots:
            return hashlib.sha256().digest()
        *rest, root = self._roots
        for left in reversed(rest):
            root = node_hash(left, root)
        return root


def tree_root(leaves: Iterable[bytes]) -> bytes:
    frontier = Frontier()
    for leaf in leaves:
        frontier.add(leaf)
    return frontier.root()


def _hashes_root(hashes: Sequence[bytes]) -> bytes:
    if len(hashes) == 1:
        return hashes[0]
    split = _split(len(hashes))
    return node_hash(_hashes_root(hashes[:split]), _hashes_root(hashes[split:]))


def _split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


def inclusion_proof(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """The path from a leaf to the root; `hashes` are the leaf hashes of the whole tree."""
    if len(hashes) == 1:
        return []
    split = _split(len(hashes))
    if index < split:
        return [*inclusion_proof(hashes[:split], index), _hashes_root(hashes[split:])]
    return [*inclusion_proof(hashes[split:], index - split), _hashes_root(hashes[:split])]


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf to the root of a tree of this size."""
    if not 0 <= index < size:
        return False
    try:
        return _root_by_path(leaf_hash(leaf), index, size, list(proof)) == root
    except IndexError:
        return False


def _root_by_path(node: bytes, index: int, size: int, proof: list[bytes]) -> bytes:
    if size == 1:
        if proof:
            raise IndexError
        return node
    split = _split(size)
    sibling = proof.pop()
    if index < split:
        return node_hash(_root_by_path(node, index, split, proof), sibling)
    return node_hash(sibling, _root_by_path(node, index - split, size - split, proof))


def consistency_proof(hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """What shows that the tree of the old size is the beginning of this one."""
    return _subproof(hashes, old_size, whole=True)


def _subproof(hashes: Sequence[bytes], old_size: int, *, whole: bool) -> list[bytes]:
    if old_size == len(hashes):
        return [] if whole else [_hashes_root(hashes)]
    split = _split(len(hashes))
    if old_size <= split:
        return [*_subproof(hashes[:split], old_size, whole=whole), _hashes_root(hashes[split:])]
    return [*_subproof(hashes[split:], old_size - split, whole=False), _hashes_root(hashes[:split])]


def continues(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the old tree is the beginning of the new one."""
    if old_size == size:
        return old_root == root and not proof
    if not 0 < old_size < size:
        return old_size == 0 and not proof
    try:
        rest = list(proof)
        found_old, found_new = _roots_by_subproof(old_size, size, rest, old_root, whole=True)
    except IndexError:
        return False
    return not rest and found_old == old_root and found_new == root


def _roots_by_subproof(
    old_size: int, size: int, proof: list[bytes], old_root: bytes, *, whole: bool
) -> tuple[bytes, bytes]:
    if old_size == size:
        node = old_root if whole else proof.pop()
        return node, node
    split = _split(size)
    sibling = proof.pop()
    if old_size <= split:
        old, new = _roots_by_subproof(old_size, split, proof, old_root, whole=whole)
        return old, node_hash(new, sibling)
    old, new = _roots_by_subproof(old_size - split, size - split, proof, old_root, whole=False)
    return node_hash(sibling, old), node_hash(sibling, new)
