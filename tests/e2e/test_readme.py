"""The README tells the truth: its Python runs, and its table lists the games."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from fairdeal.application.catalogue import KINDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "README.md", "exec"), {})
    assert "unknown_player" in printed.getvalue()
    assert printed.getvalue().endswith("yes not_yet yes\n")
    assert "ann plays" in printed.getvalue() or "ann moves" in printed.getvalue() or "ann draws" in printed.getvalue()


def test_the_table_lists_every_game_with_its_players_and_presets() -> None:
    rows = re.findall(r"^\| `(\w+)` \| \[[^]]+\]\([^)]+\) \| (\d+)(?:–(\d+))? \| (.+) \|$", README, re.M)
    assert {(kind, int(least), int(most or least), presets) for kind, least, most, presets in rows} == {
        (rules.kind, rules.seats[0], rules.seats[-1], ", ".join(f"`{name}`" for name in rules.setup.presets))
        for rules in KINDS.values()
    }


def test_every_page_of_the_documents_is_linked() -> None:
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert pages - set(re.findall(r"\]\(([^)]+)\)", README)) == set()


def test_it_is_short_and_has_a_picture() -> None:
    assert len(README.splitlines()) < 80
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
