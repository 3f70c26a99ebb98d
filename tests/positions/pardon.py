"""Positions of Pardon written as text, for the tests of its rules."""

from fairdeal.testing.positions import pardon as position

__all__ = ["position"]
