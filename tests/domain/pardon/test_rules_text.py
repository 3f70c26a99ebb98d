"""The rules text and the tests belong together."""

import re
from pathlib import Path

from fairdeal.domain import pardon

HERE = Path(__file__).parent
RULES = (Path(str(pardon.__file__)).parent / "RULES.md").read_text(encoding="utf-8")


def test_every_ruling_names_tests_that_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", RULES))
    there = {name for path in HERE.glob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))}
    assert len(named) > 20
    assert named <= there


def test_every_section_that_a_comment_refers_to_exists() -> None:
    code = "".join(path.read_text("utf-8") for path in Path(str(pardon.__file__)).parent.glob("*.py"))
    sections = set(re.findall(r"RULES (\d+)", code))
    assert sections
    assert all(f"\n## {section}. " in RULES for section in sections)
