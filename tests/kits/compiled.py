"""Whether the tests run on the compiled build (`make compiled`), and what only plain Python can do."""

import pytest

from fairdeal.domain.red7 import rules

IS_COMPILED = not str(rules.__file__).endswith(".py")

plain_python_only = pytest.mark.skipif(
    IS_COMPILED,
    reason="compiled classes check the types of their arguments, have no subclasses and keep their methods (ADR 0070)",
)
"""For tests that hand in what the types forbid, derive from the class of a state, or put something in the place of a
method or function."""
