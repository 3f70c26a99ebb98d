"""The independent verifier as a sceptic reads it: section by section of the format, one check in one line."""

import ast
import re
import sys
from pathlib import Path

from kits.verifier import VERIFIER

ROOT = Path(__file__).resolve().parents[3]
TEXT = Path(str(VERIFIER.__file__)).read_text(encoding="utf-8")
TREE = ast.parse(TEXT)
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}
BESIDE = ("Checkpoints", "Test vectors")
"""Sections of the format that are not about logs: `fairdeal verify` checks checkpoints."""


def calls(node: ast.AST) -> list[ast.Call]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]


def called(node: ast.AST) -> set[str]:
    return {one.func.id for one in calls(node) if isinstance(one.func, ast.Name)}


def test_it_goes_through_the_sections_of_the_format_in_their_order() -> None:
    format_page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    sections = [f"{number}. {title}" for number, title in re.findall(r"^## (\d)\. ([\w, ]+\w)", format_page, re.M)]
    parts = [part for part in re.findall(r"^# -- (\d\. [\w, ]+\w)", TEXT, re.M) if ":" not in part]
    assert list(dict.fromkeys(parts)) == [one for one in sections if not one.endswith(BESIDE)]


def test_every_check_is_one_line() -> None:
    checks = [call for call in calls(TREE) if isinstance(call.func, ast.Name) and call.func.id == "need"]
    assert len(checks) > 50
    assert [check.lineno for check in checks if check.lineno != check.end_lineno] == []


def test_every_check_is_reached_from_the_one_function_that_names_them() -> None:
    found, left = set[str](), ["verify"]
    while left:
        name = left.pop()
        if name in FUNCTIONS and name not in found:
            found.add(name)
            left += called(FUNCTIONS[name])
    assert {name for name in FUNCTIONS if name.startswith("check_")} <= found


def test_no_function_is_longer_than_a_screen() -> None:
    assert {name for name, node in FUNCTIONS.items() if (node.end_lineno or 0) - node.lineno > 30} == set()


def test_it_needs_the_standard_library_alone() -> None:
    names = {alias.name for node in ast.walk(TREE) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(TREE) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
