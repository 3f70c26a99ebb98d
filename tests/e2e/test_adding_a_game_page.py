"""The page on adding a game keeps its word: what is copied, renamed and registered as it says is a game that passes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PARTS = ("application", "domain", "infrastructure", "src", "tests/adapters", "tests/kits", "tests/positions")
OF_THE_MODEL = ("tests/domain/kings_corners", "tests/specs/kings_corners")
FILES = ("pyproject.toml", "tests/scenarios.py", "tests/conftest.py", "tests/domain/test_every_game.py")
WORDS = {"kings_corners": "my_game", "KINGS_CORNERS": "MY_GAME", "KingsCorners": "MyGame"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the page speaks of."""
    for part in (*PARTS, *OF_THE_MODEL):
        shutil.copytree(ROOT / part, tmp_path / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def renamed(text: str) -> str:
    for old, new in WORDS.items():
        text = text.replace(old, new)
    return text


def register(tree: Path) -> None:
    """What step 3 asks for, but for the README."""
    catalogue = tree / "application" / "catalogue.py"
    text = catalogue.read_text(encoding="utf-8")
    (added,) = re.findall(r"^from .* import KINGS_CORNERS\n", text, re.M)
    text = text.replace(added, added + renamed(added)).replace(
        "        KINGS_CORNERS,\n", "        KINGS_CORNERS, MY_GAME,\n"
    )
    catalogue.write_text(text, encoding="utf-8")
    positions = tree / "src" / "fairdeal" / "testing" / "positions.py"
    text = positions.read_text(encoding="utf-8")
    (added,) = re.findall(r"^from .* import PositionLaid as KingsCornersPosition\n", text, re.M)
    (function,) = re.findall(r"^def kings_corners\(.*?\n\n\n", text, re.M | re.S)
    text = text.replace(added, added + renamed(added)).replace(function, function + renamed(function))
    positions.write_text(text.replace('"kings_corners",', '"kings_corners", "my_game",'), encoding="utf-8")


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # The copy goes first: its own `fairdeal` is imported, not the one that is installed here.
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    return subprocess.run(words, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=300)


def test_the_copied_game_passes_its_tests_and_scenarios_and_the_contract_of_all_games(tree: Path) -> None:
    blocks = re.findall(r"```sh\n(cp .*?|find .*?)```", PAGE, re.S)
    assert len(blocks) == 2
    for block in blocks:
        done = run(tree, "sh", "-e", "-c", block)
        assert done.returncode == 0, done.stderr
    register(tree)
    played = run(tree, sys.executable, "tests/scenarios.py", "my_game", "tests/specs/my_game/scenarios.json")
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr[-2000:]
    chosen = "my_game and (refusal or deal or stored or told or turns or seats)"
    tests = ("tests/domain/my_game", "tests/domain/test_every_game.py")
    tested = run(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", chosen)
    assert tested.returncode == 0, tested.stdout[-3000:]
