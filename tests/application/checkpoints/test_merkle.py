"""The Merkle tree: RFC 6962's own shape, proofs that hold, and proofs that do not."""

import hashlib

import pytest

from fairdeal.application.checkpoints.merkle import (
    consistency_proof,
    continues,
    includes,
    inclusion_proof,
    leaf_hash,
    node_hash,
    tree_root,
)

LEAVES = [bytes([number]) * 3 for number in range(20)]
HASHES = [leaf_hash(leaf) for leaf in LEAVES]


def test_the_empty_tree_and_small_trees_have_the_shape_of_the_rfc() -> None:
    a, b, c = HASHES[:3]
    assert tree_root([]) == hashlib.sha256().digest()
    assert tree_root(LEAVES[:1]) == a
    assert tree_root(LEAVES[:2]) == node_hash(a, b)
    assert tree_root(LEAVES[:3]) == node_hash(node_hash(a, b), c)


def test_the_known_roots_of_other_implementations() -> None:
    # The reference inputs of the certificate-transparency test data.
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    leaves = [bytes.fromhex(text) for text in inputs]
    assert tree_root(leaves[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert tree_root(leaves).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@pytest.mark.parametrize("size", range(1, 20))
def test_every_leaf_is_included_and_no_other_is(size: int) -> None:
    root = tree_root(LEAVES[:size])
    for index in range(size):
        proof = inclusion_proof(HASHES[:size], index)
        assert includes(LEAVES[index], index, size, proof, root)
        assert not includes(b"other", index, size, proof, root)
        assert not includes(LEAVES[index], index, size, [*proof, bytes(32)], root)
        assert size == 1 or not includes(LEAVES[index], (index + 1) % size, size, proof, root)
        assert size == 1 or not includes(LEAVES[index], index, size, proof[:-1], root)
    assert not includes(LEAVES[0], size, size, [], root)


@pytest.mark.parametrize("size", range(1, 20))
def test_every_older_tree_is_the_beginning_of_a_newer_one(size: int) -> None:
    root = tree_root(LEAVES[:size])
    for old_size in range(size + 1):
        old_root = tree_root(LEAVES[:old_size])
        proof = consistency_proof(HASHES[:size], old_size) if old_size else []
        assert continues(old_size, old_root, size, root, proof)
        if old_size:
            assert not continues(old_size, bytes(32), size, root, proof)
            assert not continues(old_size, old_root, size, bytes(32), proof)
            assert not continues(old_size, old_root, size, root, [*proof, bytes(32)])
        assert not proof or not continues(old_size, old_root, size, root, proof[1:])


def test_a_newer_tree_is_not_the_beginning_of_an_older_one() -> None:
    assert not continues(5, tree_root(LEAVES[:5]), 3, tree_root(LEAVES[:3]), [])


def test_a_rewritten_history_has_no_proof() -> None:
    rewritten = [b"forged", *LEAVES[1:8]]
    hashes = [leaf_hash(leaf) for leaf in rewritten]
    old_root = tree_root(LEAVES[:5])
    assert not continues(5, old_root, 8, tree_root(rewritten), consistency_proof(hashes, 5))
