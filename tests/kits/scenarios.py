"""What the adapters of all games share: verdicts, a table that remembers the last refusal, and the usual scenarios."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import IllegalMove
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
        self.rules = rules
        self.started: Game | None = None
        self.refused: str | None = None

    def open(self, players: list[str], *, options: Any, **start: Any) -> None:
        """Seats everybody and starts; `start` takes `deck` or `position`."""

        def opening() -> Game:
            game = Game.open(UUID(int=0), self.rules, "the house", options, SEED)
            game.seat_all(players)
            game.start("the house", **start)
            return game

        self.attempt(opening)

    def move(self, player: str, move: Any) -> None:
        def moving() -> Game:
            game = self.game.copy()
            game.move(player, move)
            return game

        self.attempt(moving)

    def attempt(self, command: Callable[[], Game]) -> None:
        try:
            self.started = command()
        except IllegalMove as error:
            self.refused = error.reason.value
        else:
            self.refused = None

    @property
    def game(self) -> Game:
        assert self.started is not None, "there is no game to look at"
        return self.started

    @property
    def state(self) -> Any:
        return self.game.state


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenWhenThen:
    """Reads scenarios of the form new game, deal or position – steps of named players – what is found then."""

    rules: AnyRules
    options_of: Callable[[dict[str, Any]], Any]
    deal: tuple[str, ...]
    """What a deal may tell besides the players."""
    deck_of: Callable[[dict[str, Any]], Any]
    position: tuple[str, ...]
    """What a position may tell besides the players and whose turn it is."""
    position_of: Callable[[dict[str, Any]], Any]
    move_of: Callable[[dict[str, Any]], Any]
    results: dict[str, str]
    """What the files call a reason to end."""
    found: Callable[[Table, str, Any], Any]
    """What is on the table, by the word that `then` has for it, and what is expected there."""
    unordered: tuple[str, ...]
    """Places that list the cards of each player in any order."""

    def run(self, path: Path) -> Iterator[Verdict]:
        return map(self.check, json.loads(path.read_text(encoding="utf-8")))

    def check(self, scenario: dict[str, Any]) -> Verdict:
        only(scenario, "id", "title", "source", "given", "when", "then")
        table = Table(self.rules)
        faults = Faults()
        self._set_up(table, scenario["given"])
        for number, step in enumerate(scenario["when"]):
            if table.refused:
                faults.found.append(f"step {number}: the one before was refused, {table.refused}")
            table.move(step["player"], self.move_of(step))
        self._compare(table, dict(scenario["then"]), faults)
        return faults.verdict(scenario["id"])

    def _set_up(self, table: Table, given: dict[str, Any]) -> None:
        ((way, told),) = given.items()
        start: dict[str, Any] = {}
        match way:
            case "new_game":
                only(told, "players")
            case "deal":
                only(told, "players", *self.deal)
                start["deck"] = self.deck_of(told)
            case "position":
                only(told, "players", "current", *self.position)
                start["position"] = self.position_of(told)
            case other:
                raise ValueError(f"unknown given: {other}")
        table.open(told["players"], options=self.options_of(told), **start)

    def _compare(self, table: Table, expected: dict[str, Any], faults: Faults) -> None:
        refused = table.refused.upper() if table.refused else None
        faults.compare("error", expected.pop("error", None), refused)
        if table.started is None:
            faults.compare("a game to look at", {}, expected)
            return
        for what, value in expected.items():
            faults.compare(what, self._in_order(what, value), self._in_order(what, self._found(table, what, value)))

    def _found(self, table: Table, what: str, value: Any) -> Any:
        outcome = table.game.outcome
        match what:
            case "result":
                return self.results[outcome.reason] if outcome else "RUNNING"
            case "winner":
                return table.game.players[outcome.winners[0]] if outcome and outcome.winners else None
            case _:
                return self.found(table, what, value)

    def _in_order(self, what: str, cards: Any) -> Any:
        return {player: sorted(names) for player, names in cards.items()} if what in self.unordered else cards
