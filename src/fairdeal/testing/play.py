"""Whole games played by the bare rules: what simulations, benchmarks and the contract test run on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fairdeal.domain.kernel.chance import NO_SHARE, Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.rules import AnyRules

MOST_MOVES = 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a played game: the state before it, and what it made happen."""

    before: Any
    seat: Seat
    move: Any
    events: tuple[Any, ...]


@dataclass(slots=True)
class Playthrough:
    """A game played to its end by bots."""

    rules: AnyRules
    seats: int
    options: Any
    chance: Chance
    dealt: tuple[Any, ...]
    state: Any
    steps: list[Step] = field(default_factory=list[Step])

    @property
    def events(self) -> list[Any]:
        return [*self.dealt, *(event for step in self.steps for event in step.events)]

    @property
    def outcome(self) -> GameFinished:
        ending = self.events[-1]
        assert isinstance(ending, GameFinished), f"the game has not ended: {ending}"
        return ending

    def initial_state(self) -> Any:
        return self.rules.play.initial_state(self.seats, self.options, (None,) * self.seats)


def chance_of(seed: int, seats: int) -> Chance:
    """Repeatable chance for simulations: nobody's secret, so never for real games."""
    return Chance(seed.to_bytes(32), bytes(16), [NO_SHARE] * seats)


def play(
    rules: AnyRules,
    *,
    seats: int | None = None,
    options: Any = None,
    seed: int = 0,
    bots: Sequence[str] | None = None,
    keep_states: bool = True,
    chance: Chance | None = None,
) -> Playthrough:
    """Plays one game to its end; without named bots every seat plays at random. Chance follows from the seed."""
    seats = rules.seats[0] if seats is None else seats
    options = next(iter(rules.setup.presets.values())) if options is None else options
    chance = chance_of(seed, seats) if chance is None else chance
    draft = Draft(rules.play.initial_state(seats, options, (None,) * seats), rules.play.evolve)
    rules.play.deal(draft, chance, None)
    game = Playthrough(rules, seats, options, chance, tuple(draft.events), draft.state)
    rng = Random(seed)
    choose = _random_player(rules, rng) if bots is None else _bots(rules, bots, rng)
    active_seats, decide = rules.play.active, rules.play.decide
    while active := active_seats(draft.state):
        seat = active[int(rng.random() * len(active))]
        move = choose(draft.state, seat)
        before = draft.state.copy() if keep_states else None
        said = len(draft.events)
        decide(draft, seat, move, chance)
        game.steps.append(Step(before, seat, move, tuple(draft.events[said:])))
        if len(game.steps) > MOST_MOVES:
            raise AssertionError(f"{rules.title} with seed {seed} does not end within {MOST_MOVES} moves.")
    return game


def race(rules: AnyRules, *, seats: int, options: Any, seed: int, rng: Random) -> int:
    """Plays one random game as fast as the rules go and keeps nothing of it but the number of moves."""
    chance = chance_of(seed, seats)
    draft = Draft(rules.play.initial_state(seats, options, (None,) * seats), rules.play.evolve)
    rules.play.deal(draft, chance, None)
    active_seats, legal_moves, decide = rules.play.active, rules.play.legal, rules.play.decide
    moves = 0
    while active := active_seats(draft.state):
        seat = active[int(rng.random() * len(active))]
        legal = legal_moves(draft.state, seat)
        decide(draft, seat, legal[int(rng.random() * len(legal))], chance)
        moves += 1
    return moves


def every_table(rules: AnyRules, *, most_seats: int = 6) -> Iterator[tuple[int, str, Any]]:
    """All numbers of seats with all presets."""
    for seats in rules.seats:
        if seats <= most_seats:
            for name, options in rules.setup.presets.items():
                yield seats, name, options


Chooser = Callable[[Any, Seat], Any]


def _random_player(rules: AnyRules, rng: Random) -> Chooser:
    legal = rules.play.legal

    def choose(state: Any, seat: Seat) -> Any:
        moves = legal(state, seat)
        return moves[int(rng.random() * len(moves))]

    return choose


def _bots(rules: AnyRules, names: Sequence[str], rng: Random) -> Chooser:
    players = [rules.bots[name] for name in names]
    view, legal = rules.eyes.view, rules.play.legal

    def choose(state: Any, seat: Seat) -> Any:
        return players[seat](view(state, seat), legal(state, seat), rng)

    return choose
