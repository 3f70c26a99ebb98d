"""The independent verifier of docs/, as a module."""

import importlib.util
from pathlib import Path
from types import ModuleType


def _load() -> ModuleType:
    path = Path(__file__).parents[2] / "docs" / "verify.py"
    spec = importlib.util.spec_from_file_location("independent_verifier", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERIFIER = _load()
