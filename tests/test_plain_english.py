"""Code, messages and documents are written for readers who learned English late."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("application", "benchmarks", "docs", "domain", "infrastructure", "src", "tests", "tools")
GIVEN = ("tests/specs/", "tests/golden/logs/")
"""Files that are not ours to word: scenario files, and stored logs."""
WRITTEN = (".css", ".html", ".js", ".json", ".md", ".py", ".toml", ".ts")

RIDDLES = {
    "he, his, him: a player is they": r"\b(?:he|his|him|himself|she|hers|herself)\b",
    "blanks: say spaces": r"(?<!about:)\bblanks?\b",
    "is none: say what it is not": r"\b(?:it|time|which|that) is none\b",
    "is no …: say is not a …": r"(?<!there )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|choice)\b)",
    "behind: say after": r"\b(?:comes?|stands?|waits?|written|said|blank|space) behind\b",
    "neither at the end: say it in a sentence of its own": r"\bneither(?:[.;:)]|$)",
    "nor can it: say that it cannot": r"\bnor (?:is|are|was|does|do|did|can|could|may|must|has|have|will|would)\b",
    "only then does it: the subject comes first": r"\bonly (?:then|so|there) (?:does|do|did|is|are|can|may) ",
    "were it, should they: say if": r"(?:^|[.;,:] |\* )(?:were|had|should) (?:it|they|one|somebody|anybody)\b",
    "words that are seldom heard": r"\b(?:lest|whence|hence|thereof|therein|whereby|fares?|naught|aught|ere)\b",
}


def written_files() -> list[Path]:
    files = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "pyproject.toml"]
    for part in PARTS:
        for folder, folders, names in os.walk(ROOT / part):
            folders[:] = [name for name in folders if name not in ("__pycache__", "node_modules")]
            files += [Path(folder) / name for name in names if name.endswith(WRITTEN)]
    return [file for file in files if not str(file.relative_to(ROOT)).startswith(GIVEN) and file != Path(__file__)]


def words_of(text: str) -> str:
    """Names, too: what stands between underscores is a word."""
    return text.replace("_", " ")


@pytest.mark.parametrize("pattern", RIDDLES.values(), ids=RIDDLES)
def test_no_word_is_used_that_readers_stumble_over(pattern: str) -> None:
    riddle = re.compile(pattern, re.IGNORECASE)
    files = written_files()
    assert len(files) > 300
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for file in files
        for number, line in enumerate(words_of(file.read_text(encoding="utf-8")).splitlines(), 1)
        if riddle.search(line)
    ]
    assert not found, "\n".join(found)
