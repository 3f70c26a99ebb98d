"""The page docs/errors.md, written from the code: every code that a caller can meet, and the refusals of each game."""

import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path

from fairdeal.application.catalogue import KINDS
from fairdeal.application.error_table import REFUSED, TABLE
from fairdeal.domain.kernel.refusals import HouseRefusal
from fairdeal.domain.kernel.rules import AnyRules

INTRODUCTION = f"""# Errors

Written from the code by `make docs`; a test fails when it is out of date.

Everything that is refused or fails is a `FairdealError` with a stable `code` and a sentence for people (`message`).
When one is raised, nothing was stored, except where the table says otherwise. Over HTTP an error is an RFC 9457
problem with `code`, `detail` and `errors`; a dash in the column HTTP means that HTTP cannot meet it, a dash in the
column of classes that only HTTP does. Codes keep their meaning for ever.

The rules of a game refuse with codes of their own, listed below by game; they are `IllegalMove`, {REFUSED} over
HTTP, and sending the same again does not help.
"""
HEADER = "| code | class | meaning | HTTP | send it again? |\n|---|---|---|---|---|"


def page(games: Iterable[AnyRules]) -> str:
    """The whole page as Markdown."""
    rows = [
        f"| `{one.code}` | {_classes(one.error)} | {one.meaning} | {one.status or '–'} | {one.again} |" for one in TABLE
    ]
    return "\n".join([INTRODUCTION, HEADER, *rows, "", "## Refusals of the games", "", *_games(games)])


def _classes(text: str) -> str:
    return text if text == "–" else ", ".join(f"`{name}`" for name in text.split(", "))


def _games(games: Iterable[AnyRules]) -> Iterator[str]:
    for rules in games:
        codes = ", ".join(f"`{code}`" for code in refusals_of(rules))
        yield f"- {rules.title}: {codes}; in which order they are given says its RULES.md."


def refusals_of(rules: AnyRules) -> list[str]:
    """The codes that only this game gives, in the order of its rules."""
    refusal: type[StrEnum] = import_module(f"fairdeal.domain.{rules.kind}.refusals").Refusal
    shared = {one.value for one in HouseRefusal}
    return [one.value for one in refusal if one.value not in shared]


def main(path: str) -> None:
    Path(path).write_text(page(KINDS.values()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
