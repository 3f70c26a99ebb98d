"""Whatever the pages describe can be done with public names alone."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
MODULES = ("", ".auditing", ".games", ".projections", ".rules", ".signing", ".testing")
INNER = re.compile(r"^\s*(?:from|import) fairdeal\.(?:application|domain|infrastructure)\b.*", re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_imports_an_inner_module(page: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert [found for block in blocks for found in INNER.findall(block)] == []


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module: str) -> None:
    public = import_module(f"fairdeal{module}")
    assert [name for name in public.__all__ if not hasattr(public, name)] == []
    assert sorted(set(public.__all__)) == sorted(public.__all__)
    assert set(public.__all__) <= set(dir(public))
