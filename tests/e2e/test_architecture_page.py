"""The pages on the architecture and the words are checked against the code: files and names exist."""

import re
from pathlib import Path

import pytest

from fairdeal.application.catalogue import KINDS

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
WORD = re.compile(r"`([A-Za-z_]+)`")
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for layer in ("domain", "application", "infrastructure", "src/fairdeal")
    for path in (ROOT / layer).rglob("*.py")
)
DEFINED = set(re.findall(r"\b(?:class|def) (\w+)", SOURCES)) | set(
    re.findall(r"^(\w+)(?:: .*)? = ", SOURCES, re.MULTILINE)
)


@pytest.mark.parametrize("page", ["architecture.md", "glossary.md"])
def test_every_file_that_the_page_names_exists(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (ROOT / "docs" / link).exists()]
    assert missing == []


def test_the_four_ways_are_told_with_their_files() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for way in ("Command → row", "Row → read model", "Row → frame", "Row → verdict"):
        section = text.partition(f"### {way}")[2].partition("\n#")[0]
        assert len(LINK.findall(section)) >= 3, way


CHANGES = (
    *("a field to an event", "an option", "a refusal", "a bot", "a game", "a storage engine", "a read model"),
    *("a command of the command line", "an endpoint", "a command", "a verdict, or a grade of one", "change a rule"),
)


def test_the_page_says_for_twelve_changes_which_files_one_touches_and_they_exist() -> None:
    section = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Where to change")[2]
    rows = dict(line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| "))
    assert {change if change in rows else f"add {change}" for change in CHANGES} <= set(rows)
    del rows["to"]  # the head of the table
    for change, touched in rows.items():
        paths = re.findall(r"`([\w<>.]+/[\w<>./]*)`", touched)
        assert paths, change
        for path in paths:
            places = [path.replace("<game>", kind) for kind in KINDS] if "<game>" in path else [path]
            assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_name_in_the_glossary_is_in_the_code() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [line.rpartition("(")[2] for line in text.splitlines() if line.startswith("|") and line.endswith(") |")]
    names = {name for row in rows for name in WORD.findall(row)}
    assert len(names) > 20
    assert sorted(names - DEFINED) == []
