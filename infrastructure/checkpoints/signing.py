"""Ed25519 signatures of checkpoints; needs the extra `checkpoints`."""

from collections.abc import Collection
from dataclasses import replace

from fairdeal.application.checkpoints.proofs import Checkpoint, Evidence, NoProof, checkpoints_in, must_match_kept
from fairdeal.application.log.canonical import bytes_of
from fairdeal.application.log.record import Receipt
from fairdeal.domain.kernel.refusals import FairdealError

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError as missing:
    raise FairdealError(
        "Signatures need one more package: pip install 'fairdeal[checkpoints]'.", code="not_installed"
    ) from missing


class BadKey(FairdealError):
    """Not the key of an Ed25519 signature."""

    code = "bad_key"


def new_keys() -> tuple[str, str]:
    """A secret key and its public key, 64 hex digits each."""
    secret = Ed25519PrivateKey.generate()
    return secret.private_bytes_raw().hex(), secret.public_key().public_bytes_raw().hex()


def sign(checkpoint: Checkpoint, secret: str) -> Checkpoint:
    key = Ed25519PrivateKey.from_private_bytes(_bytes_of(secret))
    return replace(checkpoint, signature=key.sign(checkpoint.signed_bytes()).hex())


def is_signed(checkpoint: Checkpoint, public: str) -> bool:
    """Whether the owner of the key has signed exactly this."""
    key = Ed25519PublicKey.from_public_bytes(_bytes_of(public))
    try:
        key.verify(bytes_of(checkpoint.signature), checkpoint.signed_bytes())
    except (InvalidSignature, ValueError):
        return False
    return True


def must_prove(
    evidence: Evidence, public: str, *, kept: Collection[Checkpoint] = (), receipts: Collection[Receipt] = ()
) -> None:
    """The complete check of a checkpoint or a proof; raises NoProof with the reason why it proves nothing.

    The owner of the key has signed every checkpoint in it, its path leads there, and it speaks of the checkpoints and
    the record that the caller kept: a proof from a house that has two histories holds in itself.
    """
    for checkpoint in checkpoints_in(evidence):
        if not is_signed(checkpoint, public):
            raise NoProof(f"the checkpoint of {checkpoint.at} is not signed by this key")
    if not isinstance(evidence, Checkpoint) and not evidence.holds():
        raise NoProof("the proof does not lead to the root of the checkpoint")
    must_match_kept(evidence, kept, receipts)


def _bytes_of(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BadKey("A key is 64 hex digits.")
    return key
