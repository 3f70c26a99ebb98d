"""The project's own copies of the scenario files, through the same code as the command line."""

from pathlib import Path

import pytest

import scenarios

SPECS = Path(__file__).parent / "specs"
FILES = [(game, path) for game in scenarios.games() for path in sorted((SPECS / game).iterdir())]


@pytest.mark.parametrize(("game", "path"), FILES, ids=[f"{game}-{path.name}" for game, path in FILES])
def test_every_scenario_of_the_file_holds(game: str, path: Path) -> None:
    verdicts = list(scenarios.run(game, path))
    assert verdicts
    assert [verdict for verdict in verdicts if verdict.faults] == []
