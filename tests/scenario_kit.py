"""What the adapters of all games share: verdicts, and a table that remembers the last refusal."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from fairdeal.domain.kernel.errors import IllegalMove
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules

SEED = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One scenario, and what was not as it should be: passed if nothing."""

    id: str
    faults: tuple[str, ...]


class Faults:
    """Collects what differs, in words."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def compare(self, what: str, expected: Any, got: Any) -> None:
        if expected != got:
            self.found.append(f"{what}: expected {expected!r}, got {got!r}")

    def verdict(self, name: str) -> Verdict:
        return Verdict(name, tuple(self.found))


def only(things: Iterable[str], *known: str) -> None:
    """A key that nobody reads would be a rule that nobody checks."""
    unknown = sorted(set(things) - set(known))
    if unknown:
        raise ValueError(f"unknown keys: {', '.join(unknown)}")


class Table:
    """A real game, driven by named players; a refused command leaves the game as it was."""

    def __init__(self, rules: AnyRules) -> None:
        self.game = Game(UUID(int=0), rules)
        self.refused: str | None = None

    def open(self, players: list[str], *, options: Any, **start: Any) -> None:
        """Seats everybody and starts; `start` takes `deck` or `position`."""

        def opening(game: Game) -> None:
            game.open("the house", options, SEED)
            game.gather(players)
            game.start("the house", **start)

        self.attempt(opening)

    def move(self, player: str, move: Any) -> None:
        self.attempt(lambda game: game.move(player, move))

    def attempt(self, command: Callable[[Game], None]) -> None:
        work = self.game.copy()
        try:
            command(work)
        except IllegalMove as error:
            self.refused = error.reason.value
        else:
            self.refused = None
            self.game = work

    @property
    def state(self) -> Any:
        return self.game.state
