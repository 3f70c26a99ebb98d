"""The documents keep their promises: links lead somewhere, decisions are short and name their proof."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "domain").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
TEST_FILE = re.compile(r"`(tests/[\w/.]+)`")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_to_a_file_leads_to_one(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("decision", DECISIONS, ids=name_of)
def test_the_tests_that_confirm_a_decision_exist(decision: Path) -> None:
    named = TEST_FILE.findall(decision.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("decision", DECISIONS, ids=name_of)
def test_a_decision_fits_on_a_page_and_says_how_it_is_confirmed(decision: Path) -> None:
    lines = decision.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60
    assert any(re.match(r"(#+ )?Confirmation", line) for line in lines)


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:4] for path in DECISIONS]
    assert len(set(numbers)) == len(numbers)
