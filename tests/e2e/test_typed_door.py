"""Type checkers know what a kind of game shows and takes, and find what is misspelled."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairdeal import Fairdeal, FairdealError, UnknownKind
from fairdeal.games import KINDS, PARDON, RED7, Red7View, red7_moves
from kits.outside import OUTSIDE

ROOT = Path(__file__).resolve().parents[2]

GOOD = """
from typing import assert_type

from fairdeal import Answer, Fairdeal, Look
from fairdeal.games import KINGS_CORNERS, PARDON, RED7, PardonView, Red7Move, Red7Options, Red7View, red7_moves

with Fairdeal("memory:") as fairdeal:
    red7 = fairdeal.of(RED7)
    game = red7.start_game(["ann", "bob"], Red7Options(actions=True), command_id="1").game_id
    look = red7.look(game, "ann")
    assert_type(look, Look[Red7View, Red7Move])
    assert_type(look.view, Red7View)
    assert_type(look.legal, tuple[Red7Move, ...])
    assert_type(fairdeal.of(PARDON).look(game).view, PardonView)
    assert_type(red7.move(game, "ann", look.legal[0], expected_version=3), Answer)
    red7.move(game, "ann", red7_moves.EndTurn())
"""
BAD = {
    'fairdeal.move(game, "ann", move, expected_versoin=3)': "expected_versoin",
    'red7.move(game, "ann", move, expected_versoin=3)': "expected_versoin",
    'fairdeal.start_game("red7", ["ann"], comand_id="1")': "comand_id",
    'red7.move(game, "ann", "end_turn")': "incompatible type",
    'red7.look(game, "ann").view.hands': "hands",
    'red7.start_game(["ann", "bob"], PardonOptions())': "incompatible type",
}
SAME = {"incompatible type": "cannot be assigned"}
"""What the second checker says for what the first one says."""


def mypy(folder: Path, *snippets: str) -> str:
    """What mypy says to these lines, each in a file of its own; one run for all, because starting it takes long."""
    files = [folder / f"snippet_{number}.py" for number in range(len(snippets))]
    for file, snippet in zip(files, snippets, strict=True):
        file.write_text(snippet, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    checked = subprocess.run([*command, *map(str, files)], cwd=ROOT, capture_output=True, text=True, check=False)
    return checked.stdout + checked.stderr


def basedpyright(folder: Path, *snippets: str) -> str:
    """The same from the checker of many editors."""
    (folder / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    for number, snippet in enumerate(snippets):
        (folder / f"snippet_{number}.py").write_text(snippet, encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--level", "error"]
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return checked.stdout + checked.stderr


@pytest.mark.parametrize("checker", [mypy, basedpyright])
def test_types_are_known_and_mistakes_are_found(tmp_path: Path, checker: Callable[..., str]) -> None:
    before = """
from uuid import UUID

from fairdeal import Fairdeal
from fairdeal.games import RED7, PardonOptions, red7_moves

fairdeal = Fairdeal("memory:")
red7, game, move = fairdeal.of(RED7), UUID(int=0), red7_moves.EndTurn()
print(PardonOptions)
"""
    said = checker(tmp_path, GOOD, *(f"{before}{line}\n" for line in BAD)).splitlines()
    errors = {
        number: [line for line in said if f"snippet_{number}.py" in line and "error:" in line]
        for number in range(len(BAD) + 1)
    }
    assert errors[0] == []
    for number, (line, expected) in enumerate(BAD.items(), 1):
        assert len(errors[number]) == 1, f"{line}: {errors[number]}"
        assert any(word in errors[number][0] for word in (expected, SAME.get(expected, expected)))


def test_the_door_plays_a_game(fairdeal: Fairdeal) -> None:
    red7 = fairdeal.of(RED7)
    game = red7.start_game(["ann", "bob"]).game_id
    first = fairdeal.look(game).active[0]
    player = ["ann", "bob"][first]
    look = red7.look(game, player)
    assert isinstance(look.view, Red7View)
    answer = red7.move(game, player, red7_moves.GiveUp(), expected_version=look.version, command_id="1")
    (new,) = red7.follow(game, player, after=look.version)
    assert new.version == answer.version == red7.events(game).version


def test_before_the_deal_there_is_no_typed_look(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "red7"}).game_id
    with pytest.raises(FairdealError) as caught:
        fairdeal.of(RED7).look(game)
    assert caught.value.code == "not_started"


def test_another_kind_has_another_door(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    with pytest.raises(UnknownKind):
        fairdeal.of(PARDON).look(game)
    with pytest.raises(UnknownKind):
        fairdeal.of(OUTSIDE)
    with Fairdeal("memory:", kinds={**KINDS, OUTSIDE.kind: OUTSIDE}) as house:
        assert house.of(OUTSIDE).start_game(["ann", "bob"])
