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
    "without blanks: say spaces": r"\bwithout blanks\b",
    "is none: say what it is not": r"\b(?:it|time|which|that) is none\b",
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
