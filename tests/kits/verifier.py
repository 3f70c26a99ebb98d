"""The independent verifier, as it is installed with the package."""

from fairdeal import verify as VERIFIER  # noqa: N812 – tests say VERIFIER.verify(…)

__all__ = ["VERIFIER"]
