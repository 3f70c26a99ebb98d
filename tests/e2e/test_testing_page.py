"""The page on testing tells the truth: its blocks run one after the other, and it names every sentence of the kit."""

import re
from pathlib import Path

from fairdeal.testing import Handled

PAGE = (Path(__file__).parents[2] / "docs" / "testing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def test_the_blocks_run_one_after_the_other() -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/testing.md", "exec"), names)


def test_every_sentence_is_in_the_table() -> None:
    told = set(re.findall(r"^\| `(then\w*)\(", PAGE, re.M))
    assert told == {name for name in vars(Handled) if name.startswith("then")}
