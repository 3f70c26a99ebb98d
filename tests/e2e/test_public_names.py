"""Whatever the pages describe can be done with public names alone."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
MODULES = (
    *("", ".auditing", ".bots", ".client", ".games", ".http", ".policy", ".projections", ".rules", ".signing"),
    *(".testing", ".testing.positions"),
)
IMPORTED = re.compile(r"^\s*(?:from|import) fairdeal((?:\.\w+)*)", re.M)
INNER = re.compile(r"fairdeal\.(?:application|domain|infrastructure)\.")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_needs_an_inner_module(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert {module for block in blocks for module in IMPORTED.findall(block)} <= set(MODULES)
    if page.name != "adding-a-game.md":  # for those who work inside
        assert INNER.findall(text) == []


def test_the_page_on_embedding_lists_the_public_modules() -> None:
    text = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    listed = text.partition("Public names come from")[2].partition(";")[0]
    found = {name.removeprefix("fairdeal") for name in re.findall(r"`(fairdeal[.\w]*)`", listed)}
    assert found == set(MODULES) - {".testing.positions"}


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module: str) -> None:
    public = import_module(f"fairdeal{module}")
    assert [name for name in public.__all__ if not hasattr(public, name)] == []
    assert sorted(set(public.__all__)) == sorted(public.__all__)
    assert set(public.__all__) <= set(dir(public))
