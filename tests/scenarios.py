"""Runs scenario files against the real games: `python tests/scenarios.py GAME PATH…`."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from kits.scenarios import Verdict

ADAPTERS = Path(__file__).resolve().parent / "adapters"


def games() -> list[str]:
    return sorted(path.stem for path in ADAPTERS.glob("*.py") if path.stem != "__init__")


def run(game: str, path: Path) -> Iterator[Verdict]:
    """All scenarios of a file or folder; the adapter of the game chooses the format by the name."""
    verdicts: Iterator[Verdict] = importlib.import_module(f"adapters.{game}").run(path)
    return verdicts


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] not in games():
        print(f"usage: python tests/scenarios.py GAME PATH…   (GAME: {', '.join(games())})", file=sys.stderr)
        return 2
    game, *paths = arguments
    passed = failed = 0
    empty = False
    for path in map(Path, paths):
        count = 0
        for verdict in run(game, path):
            count += 1
            if verdict.faults:
                failed += 1
                print(f"{verdict.id} failed")
                for fault in verdict.faults:
                    print(f"    {fault}")
            else:
                passed += 1
        if not count:
            empty = True
            print(f"{path}: nothing in it that can be run for {game}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or empty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
