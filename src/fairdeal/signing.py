"""Signatures of checkpoints for those who make and check them in Python; needs the extra `checkpoints`."""

from fairdeal.infrastructure.checkpoints.signing import BadKey, is_signed, new_keys, sign

__all__ = ["BadKey", "is_signed", "new_keys", "sign"]
