"""docs/projections.md tells the truth: its Python runs, its table of filters is complete."""

import contextlib
import inspect
import io
import re
from pathlib import Path
from typing import Any

import pytest

from fairdeal.infrastructure.readmodels.questions import Questions

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "projections.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)
ALWAYS = {"self", "limit", "cursor", "player", "kind", "name", "game_id", "first", "second"}


@pytest.mark.parametrize("block", BLOCKS, ids=["asking", "a projection of ones own"])
def test_the_python_on_the_page_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "projections.md", "exec"), names)
    if "engine" in names:
        assert "('ann', datetime.datetime(" in printed.getvalue()
        assert (tmp_path / "service.db").exists()
        names["engine"].dispose()
    else:
        assert (tmp_path / "games.read.db").exists()


def test_a_projection_takes_a_dozen_lines() -> None:
    body = BLOCKS[1].partition("class LastSeen")[2].partition("engine =")[0]
    assert len([line for line in body.splitlines() if line.strip()]) <= 12


def test_the_page_names_every_question_and_every_filter() -> None:
    for name, question in inspect.getmembers(Questions, inspect.isfunction):
        if name.startswith("_") or name == "connection":
            continue
        assert f"`{name}`" in PAGE
        (row,) = [line for line in PAGE.splitlines() if line.startswith("|") and f"`{name}`" in line.split("|")[1]]
        for filter_name in set(inspect.signature(question).parameters) - ALWAYS:
            assert filter_name in row, f"{name}({filter_name}=…)"
