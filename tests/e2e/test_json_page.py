"""The page on JSON tells the truth: its Python runs, and its tables name the fields that there are."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from fairdeal import Fairdeal, to_plain
from fairdeal.application.commands.observing import CommandObserved
from fairdeal.application.projections.results import (
    DeadLetter,
    Encounters,
    GameSummary,
    HeadToHead,
    Progress,
    Rating,
    Retried,
    Statistics,
    TimelineEntry,
)

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


def fields_of(what: str) -> list[str]:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {what} |")]
    return re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row.split("|")[2]))


def test_the_blocks_run_one_after_the_other() -> None:
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(compile(block, "docs/json.md", "exec"), names)


def test_the_table_names_exactly_the_fields_that_are_written() -> None:
    with Fairdeal("memory:") as fairdeal:
        answer = fairdeal.start_game("pardon", ["ann", "bob"])
        game = answer.game_id
        assert fields_of("`Look`") == list(to_plain(fairdeal.look(game)))
        assert fields_of("`Answer`") == list(to_plain(answer))
        assert fields_of("an event") == list(to_plain(answer)["events"][0])
        assert fields_of("`Frame`") == list(to_plain(fairdeal.replay(game).go_to(1)))
        assert fields_of("`NewEvents`") == list(to_plain(fairdeal.events(game)))
        assert fields_of("`Health`") == list(to_plain(fairdeal.health()))
        assert fields_of("`Page`") == list(to_plain(fairdeal.read.games()))


RENAMED = {GameSummary: {"id": "game"}, TimelineEntry: {"game_id": "game"}, DeadLetter: {"game_id": "game"}}
NAMED = (GameSummary, TimelineEntry, Statistics, Rating, HeadToHead, Encounters, Progress, DeadLetter, Retried)


@pytest.mark.parametrize("result", [*NAMED, CommandObserved], ids=lambda result: result.__name__)
def test_the_table_names_the_fields_of_every_other_result(result: type[Any]) -> None:
    renamed = RENAMED.get(result, {})
    assert fields_of(f"`{result.__name__}`") == [renamed.get(one.name, one.name) for one in fields(result)]


def test_the_table_names_the_fields_of_players_and_their_games() -> None:
    with Fairdeal("memory:") as fairdeal:
        fairdeal.start_game("pardon", ["ann", "bob"])
        assert fields_of("`Player`") == list(to_plain(fairdeal.read.player("ann")))
        (played,) = to_plain(fairdeal.read.games_of("ann"))["items"]
        assert list(played) == [*fields_of("`GameSummary`"), "seat", "result"]
