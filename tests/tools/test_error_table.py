"""The table of errors is current and complete: no code is raised anywhere that it does not explain."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import fairdeal
from fairdeal import application, infrastructure
from fairdeal.application.catalogue import KINDS
from fairdeal.application.error_table import TABLE
from fairdeal.domain.kernel.refusals import FairdealError, HouseRefusal
from tools.error_table import page, refusals_of

ROOT = Path(__file__).resolve().parents[2]
LITERALS = re.compile(r'(?:HttpProblem|NoBranch)\(\s*"(\w+)"|code="(\w+)"')
OF_THE_TERMINAL = {"cannot_do", "receipt_not_checked", "invalid_move"}
"""Codes that only the command line has, which prints the message and ends."""
NEVER_SEEN = {"error", "version_conflict"}
"""The base class, and what handlers settle among themselves."""

KNOWN = {entry.code for entry in TABLE}


def test_the_page_is_current() -> None:
    written = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert written == page(KINDS.values()) + "\n", "run `make docs`"


def test_no_code_stands_there_twice() -> None:
    assert len(KNOWN) == len(TABLE)


def test_every_refusal_of_the_table_is_explained() -> None:
    assert {one.value for one in HouseRefusal} <= KNOWN


def test_every_class_of_errors_is_explained() -> None:
    for package in (application, infrastructure):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name and not module.name.endswith("__main__"):
                import_module(module.name)
    codes = {cls.code for cls in _all_below(FairdealError) if cls.__module__.startswith("fairdeal.")}
    assert codes - OF_THE_TERMINAL - NEVER_SEEN <= KNOWN


def _all_below(cls: type[FairdealError]) -> set[type[FairdealError]]:
    below = set(cls.__subclasses__())
    return below | {one for child in below for one in _all_below(child)}


def test_every_code_that_is_written_out_is_explained() -> None:
    found: set[str] = set()
    for folder in ("application", "infrastructure", "domain", "src"):
        for file in (ROOT / folder).rglob("*.py"):
            for one, other in LITERALS.findall(file.read_text(encoding="utf-8")):
                found.add(one or other)
    assert len(found) > 15
    assert found - OF_THE_TERMINAL <= KNOWN


def test_every_class_in_the_table_is_raised_by_that_code() -> None:
    for entry in TABLE:
        for name in entry.error.split(", ") if entry.error != "–" else ():
            if hasattr(fairdeal, name):
                cls = getattr(fairdeal, name)
                assert issubclass(cls, FairdealError)


def test_refusals_of_games_are_not_codes_of_the_table() -> None:
    for rules in KINDS.values():
        codes = refusals_of(rules)
        assert codes
        assert not set(codes) & KNOWN
